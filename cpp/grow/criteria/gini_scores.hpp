// Scores of Gini's splits for many classes, where rows are counted in whole numbers.
//
// Let a_k rows of class k be in the node and l_k of them on the left. The score is S_l / l + S_r /
// r with S_l = sum l_k^2 and S_r = sum (a_k - l_k)^2 = S_a - 2 sum a_k l_k + S_l. A row that goes
// left changes one l_k: candidates cost what rows cost, however many classes there are. Sums are
// taken modulo 2^64, and S_l, S_r and S_a are less than that.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grow/criteria/score_batch.hpp"

namespace nonet {

// A left child that takes one bin after another.
class RunningSquares {
public:
    template <typename Sums>
    void start(const Sums& all) {
        all_.assign(all.cells().begin(), all.cells().end());
        left_.assign(all_.size(), 0);
        sums_ = {};
    }
    void add(const std::uint32_t* cells) noexcept {
        for (std::size_t k = 0; k < all_.size(); ++k) add(cells[k], k);
    }
    template <typename Row>
    void add_row(const Row& row) noexcept {
        add(row.weight, row.label);
    }
    const ClassSums& sums() const noexcept { return sums_; }

private:
    void add(std::uint64_t weight, std::size_t k) noexcept {
        sums_.weight += weight;
        sums_.squares += weight * (2 * left_[k] + weight);
        sums_.products += weight * all_[k];
        left_[k] += weight;
    }

    std::vector<std::uint64_t> all_;
    std::vector<std::uint64_t> left_;
    ClassSums sums_{};
};

// Candidates that wait until there are enough to score them together.
class ClassSquares {
public:
    static constexpr index_t capacity = 256;

    template <typename Criterion>
    ClassSquares(const Criterion&, const ChildLimits& limits) : limits_(limits) {}

    template <typename Sums>
    void add(index_t position, const RunningSquares& left, const Sums&) noexcept {
        waiting_[static_cast<std::size_t>(position)] = left.sums();
    }
    template <typename Sums>
    void add(index_t position, const Sums& left, const Sums& all) noexcept {
        waiting_[static_cast<std::size_t>(position)] = sums_of(left, all);
    }
    void add(index_t position, const ClassSums& left) noexcept {
        waiting_[static_cast<std::size_t>(position)] = left;
    }
    template <typename Sums>
    const double* scores(index_t n, const Sums& all) noexcept {
        return scores(n, sums_of(all, all));
    }
    const double* scores(index_t n, const ClassSums& all) noexcept {
        score_many_classes(waiting_.data(), all, limits_, n, scores_.data());
        return scores_.data();
    }

private:
    template <typename Sums>
    static ClassSums sums_of(const Sums& part, const Sums& all) noexcept {
        ClassSums sums{};
        for (std::size_t k = 0; k < part.cells().size(); ++k) {
            sums.weight += part.cells()[k];
            sums.squares += part.cells()[k] * part.cells()[k];
            sums.products += part.cells()[k] * all.cells()[k];
        }
        return sums;
    }

    ChildLimits limits_;
    std::array<ClassSums, capacity> waiting_;
    std::array<double, capacity> scores_;
};

}  // namespace nonet
