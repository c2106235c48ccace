// Values of the nodes of a tree, n_outputs each.
//
// Fully grown classification trees have thousands of nodes of equal values: all rows in them are
// of one class. Such values are stored once, which makes such trees half as large and spares the
// writing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace nonet {

class ValueTable {
public:
    explicit ValueTable(index_t n_outputs = 1)
        : n_outputs_(static_cast<std::size_t>(n_outputs)),
          pure_(n_outputs_ > 1 ? n_outputs_ : 0, none) {}

    // Several nodes, one after another.
    ValueTable(index_t n_outputs, std::vector<double> values) : ValueTable(n_outputs) {
        if (n_outputs_ == 1)
            numbers_ = std::move(values);
        else
            for (std::size_t i = 0; i < values.size(); i += n_outputs_) add(values.data() + i);
    }

    // Several nodes of more than one output: which of the distinct values are theirs.
    ValueTable(index_t n_outputs, std::span<const double> distinct,
               std::span<const std::uint32_t> positions)
        : ValueTable(n_outputs) {
        numbers_.assign(distinct.begin(), distinct.end());
        positions_.assign(positions.begin(), positions.end());
    }

    bool empty() const noexcept { return numbers_.empty(); }
    index_t n_nodes() const noexcept {
        return n_outputs_ == 1 ? std::ssize(numbers_) : std::ssize(positions_);
    }
    const double* operator[](std::size_t node) const noexcept {
        return n_outputs_ == 1 ? &numbers_[node] : numbers_.data() + positions_[node] * n_outputs_;
    }
    std::span<const double> distinct() const noexcept { return numbers_; }

    // Room for so many nodes, half of which are leaves.
    void reserve(index_t n_nodes) {
        const auto n = static_cast<std::size_t>(n_nodes);
        numbers_.reserve(n_outputs_ == 1 ? n : (n / 2 + 1 + n_outputs_) * n_outputs_);
        if (n_outputs_ > 1) positions_.reserve(n);
    }

    // The values of the next node, which `write` puts where it is told.
    template <typename Write>
    void add_written(const Write& write) {
        const std::size_t end = numbers_.size();
        numbers_.resize(end + n_outputs_);
        write(numbers_.data() + end);
        if (n_outputs_ > 1) positions_.push_back(shared_position(end));
    }
    void add(const double* values) {
        add_written([&](double* out) { std::copy_n(values, n_outputs_, out); });
    }

    // The values of a node of one class, with several outputs: 1 for it, 0 for others.
    void add_pure(std::size_t label) {
        if (pure_[label] != none) {
            positions_.push_back(pure_[label]);
            return;
        }
        add_written([&](double* out) {
            std::fill_n(out, n_outputs_, 0.0);
            out[label] = 1.0;
        });
    }

    // For nodes in any order: the size first, then each of them once.
    void resize(index_t n_nodes) {
        reserve(n_nodes);
        if (n_outputs_ == 1)
            numbers_.resize(static_cast<std::size_t>(n_nodes));
        else
            positions_.resize(static_cast<std::size_t>(n_nodes));
    }
    template <typename ValueOf>
    void set(std::size_t node, const ValueOf& value_of) {
        if (n_outputs_ == 1) {
            numbers_[node] = value_of(0);
            return;
        }
        positions_[node] = static_cast<std::uint32_t>(numbers_.size() / n_outputs_);
        for (std::size_t k = 0; k < n_outputs_; ++k) numbers_.push_back(value_of(k));
    }
    void set_pure(std::size_t node, std::size_t label) {
        if (pure_[label] == none) {
            set(node, [&](std::size_t k) { return k == label ? 1.0 : 0.0; });
            pure_[label] = positions_[node];
        }
        positions_[node] = pure_[label];
    }

    // For one output only: values are not shared.
    double& number(std::size_t node) noexcept { return numbers_[node]; }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    // Where the values at the end are: there, or where others of the same class are already.
    std::uint32_t shared_position(std::size_t end) {
        const auto own = static_cast<std::uint32_t>(end / n_outputs_);
        const double* values = numbers_.data() + end;
        const auto label =
            static_cast<std::size_t>(std::find(values, values + n_outputs_, 1.0) - values);
        if (label == n_outputs_) return own;
        std::uint32_t& known = pure_[label];
        if (known == none) known = own;
        const double* others = numbers_.data() + known * n_outputs_;
        if (known == own || std::memcmp(others, values, n_outputs_ * sizeof(double)) != 0)
            return own;
        numbers_.resize(end);
        return known;
    }

    std::size_t n_outputs_;
    std::vector<double> numbers_;
    std::vector<std::uint32_t> positions_;  // of the nodes' values among the distinct ones; with
                                            // one output: none, as they are in order
    std::vector<std::uint32_t> pure_;       // the index of the first whose value of an output is 1;
                                            // with one output: none
};

}  // namespace nonet
