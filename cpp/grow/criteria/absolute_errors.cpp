#include "grow/criteria/absolute_errors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.hpp"

namespace nonet {

void AbsoluteErrors::Ranking::rank(std::span<const Row> rows) {
    positions_.resize(rows.size() * ranks_.size());
    for (std::size_t k = 0; k < ranks_.size(); ++k) {
        ranks_[k].clear();
        if (criterion_.outputs_[k].targets.size() <= max_ranks_per_row * rows.size())
            collect_by_table(rows, k);
        else
            collect(rows, k);
    }
}

void AbsoluteErrors::Ranking::collect(std::span<const Row> rows, std::size_t output) {
    std::vector<std::uint32_t>& ranks = ranks_[output];
    for (const Row& row : rows) ranks.push_back(row.entries[output].rank);
    std::ranges::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    for (std::size_t i = 0; i < rows.size(); ++i)
        positions_[i * ranks_.size() + output] = static_cast<std::uint32_t>(
            std::ranges::lower_bound(ranks, rows[i].entries[output].rank) - ranks.begin());
}

void AbsoluteErrors::Ranking::collect_by_table(std::span<const Row> rows, std::size_t output) {
    std::vector<std::uint32_t>& ranks = ranks_[output];
    table_.assign(criterion_.outputs_[output].targets.size(), 0);
    for (const Row& row : rows) table_[row.entries[output].rank] = 1;
    for (std::size_t rank = 0; rank < table_.size(); ++rank) {
        if (table_[rank] == 0) continue;
        table_[rank] = static_cast<std::uint32_t>(ranks.size());
        ranks.push_back(static_cast<std::uint32_t>(rank));
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        positions_[i * ranks_.size() + output] = table_[rows[i].entries[output].rank];
}

AbsoluteErrors::Sums::Sums(const AbsoluteErrors& criterion)
    : own_(criterion.outputs_.size()), ranking_(criterion) {
    clear();
}

void AbsoluteErrors::Sums::clear() noexcept {
    for (RankSums& sums : own_) sums.clear();
    own_rows_ = 0;
    own_weight_ = 0;
    own_ranks_ = nullptr;
    waiting_.clear();
    terms_[0] = {this, 1};
    n_terms_ = 1;
}

void AbsoluteErrors::Sums::start(const NodeRanks& ranks) {
    own_ranks_ = &ranks;
    for (std::size_t k = 0; k < own_.size(); ++k) own_[k].reset(ranks[k].size());
}

void AbsoluteErrors::Sums::insert(const Row& row, const std::uint32_t* positions) noexcept {
    for (std::size_t k = 0; k < own_.size(); ++k)
        own_[k].add(positions[k], {row.weight, row.entries[k].moment});
}

void AbsoluteErrors::Sums::add(const Cell* cell) {
    if (own_ranks_ == nullptr) start(*cell->ranks);
    for (const RankedRow* ranked = cell->begin; ranked != cell->end; ++ranked) {
        insert(ranked->row, ranked->positions);
        own_weight_ += ranked->row.weight;
    }
    own_rows_ += cell->end - cell->begin;
}

void AbsoluteErrors::Sums::add_rows(std::span<const Row> rows) {
    waiting_.insert(waiting_.end(), rows.begin(), rows.end());
    for (const Row& row : rows) own_weight_ += row.weight;
    own_rows_ += std::ssize(rows);
}

void AbsoluteErrors::Sums::rank_waiting() {
    if (waiting_.empty()) return;
    ranking_.rank(waiting_);
    start(ranking_.ranks());
    for (std::size_t i = 0; i < waiting_.size(); ++i) insert(waiting_[i], ranking_.positions(i));
    waiting_.clear();
}

void AbsoluteErrors::Sums::set_terms(const Sums& one, const Sums& other, int times) noexcept {
    std::array<Term, 3> terms = one.terms_;  // a copy: either may be these sums
    std::size_t n_terms = one.n_terms_;
    for (std::size_t i = 0; i < other.n_terms_; ++i)
        terms[n_terms++] = {other.terms_[i].sums, times * other.terms_[i].times};
    terms_ = terms;
    n_terms_ = n_terms;
}

void AbsoluteErrors::Sums::set_sum(const Sums& one, const Sums& other) noexcept {
    set_terms(one, other, 1);
}

void AbsoluteErrors::Sums::set_difference(const Sums& all, const Sums& part) noexcept {
    set_terms(all, part, -1);
}

RankSumsMix AbsoluteErrors::Sums::of_output(std::size_t output) const noexcept {
    RankSumsMix mix;
    for (std::size_t i = 0; i < n_terms_; ++i)
        mix.add(terms_[i].sums->own_[output], terms_[i].times);
    return mix;
}

AbsoluteErrors::AbsoluteErrors(const Targets& targets, std::span<const std::uint32_t> rows)
    : outputs_(static_cast<std::size_t>(targets.n_outputs)),
      entries_(rows.size() * outputs_.size()) {
    double total = 0;
    for (const std::uint32_t row : rows) total += targets.weight(row) * targets.count(row);
    check(std::isfinite(total), "Weights must add up to a finite number.");
    const WideFixedPoint weight_bits(total);
    weight_unit_ = weight_bits.unit();
    for (const std::uint32_t row : rows) {
        // Rounded first, then counted: a row counted twice is two equal rows.
        const auto [count, weight] = targets.times(row);
        weights_.push_back(weight_bits.positive(weight) * count);
    }
    for (std::size_t k = 0; k < outputs_.size(); ++k) rank_output(targets, rows, k);
}

namespace {

// The target of the row that half of the weight is reached at.
double middle_target(const Targets& targets, std::span<const std::uint32_t> rows, std::size_t k) {
    std::vector<std::pair<double, double>> weighted;
    double total = 0;
    for (const std::uint32_t row : rows) {
        weighted.emplace_back(targets.value(row, k), targets.weight(row) * targets.count(row));
        total += weighted.back().second;
    }
    std::ranges::sort(weighted);
    double reached = 0;
    for (const auto& [target, weight] : weighted)
        if (2 * (reached += weight) >= total) return target;
    return weighted.back().first;
}

}  // namespace

void AbsoluteErrors::rank_output(const Targets& targets, std::span<const std::uint32_t> rows,
                                 std::size_t k) {
    Output& output = outputs_[k];
    std::vector<double>& distinct = output.targets;
    for (const std::uint32_t row : rows) distinct.push_back(targets.value(row, k));
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    // One of the targets, so that whole numbers stay whole; where one target has most of the weight
    // it adds nothing to moments, and does not hide what light rows add.
    output.centre = middle_target(targets, rows, k);
    double total = 0;
    for (const std::uint32_t row : rows)
        total += targets.weight(row) * targets.count(row) *
                 std::abs(targets.value(row, k) - output.centre);
    check(std::isfinite(total), "Weights times targets must add up to a finite number.");
    const WideFixedPoint moment_bits(total);
    output.moment_unit = moment_bits.unit();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double target = targets.value(rows[i], k);
        const auto [count, weight] = targets.times(rows[i]);
        entries_[i * outputs_.size() + k] = {
            moment_bits(weight * (target - output.centre)) * count,
            static_cast<std::uint32_t>(std::ranges::lower_bound(distinct, target) -
                                       distinct.begin())};
    }
    for (double& target : distinct) target -= output.centre;
}

void AbsoluteErrors::write_rows(Row* out, int) const {
    for (std::size_t i = 0; i < weights_.size(); ++i)
        out[i] = {entries_.data() + i * outputs_.size(), weights_[i]};
}

index_t AbsoluteErrors::n_rows(const Sums& sums) const noexcept {
    index_t n = 0;
    for (std::size_t i = 0; i < sums.n_terms_; ++i)
        n += sums.terms_[i].times * sums.terms_[i].sums->own_rows_;
    return n;
}

double AbsoluteErrors::weight(const Sums& sums) const noexcept {
    WideInteger weight = 0;
    for (std::size_t i = 0; i < sums.n_terms_; ++i)
        weight += sums.terms_[i].times * sums.terms_[i].sums->own_weight_;
    return static_cast<double>(weight) * weight_unit_;
}

double AbsoluteErrors::score(Sums& sums) const {
    sums.rank_waiting();
    double total = 0;
    for (std::size_t k = 0; k < outputs_.size(); ++k) total += error(sums, k);
    return -total / static_cast<double>(outputs_.size());
}

// With m the median, W and M the weight and moment of all and w and v those of what lies below m:
// (M - v) - m (W - w) above it, and m w - v below.
double AbsoluteErrors::error(const Sums& sums, std::size_t output) const noexcept {
    const RankSumsMix mix = sums.of_output(output);
    const std::vector<std::uint32_t>& ranks = (*sums.terms_[0].sums->own_ranks_)[output];
    const auto [position, below] = mix.middle(ranks.size(), false);
    const RankSum all = mix.total();
    const Output& facts = outputs_[output];
    const double moment = static_cast<double>(all.moment - 2 * below.moment) * facts.moment_unit;
    const double weight = static_cast<double>(all.weight - 2 * below.weight) * weight_unit_;
    return std::max(moment - facts.targets[ranks[position]] * weight, 0.0);
}

double AbsoluteErrors::median(const Sums& sums, std::size_t output) const noexcept {
    const RankSumsMix mix = sums.of_output(output);
    const std::vector<std::uint32_t>& ranks = (*sums.terms_[0].sums->own_ranks_)[output];
    const Output& facts = outputs_[output];
    const double lower = facts.targets[ranks[mix.middle(ranks.size(), false).rank]];
    const double upper = facts.targets[ranks[mix.middle(ranks.size(), true).rank]];
    return facts.centre + (lower / 2 + upper / 2);
}

bool AbsoluteErrors::is_pure(const Sums&, std::span<const Row> rows) const noexcept {
    return std::ranges::all_of(rows, [&](const Row& row) {
        for (std::size_t k = 0; k < outputs_.size(); ++k)
            if (row.entries[k].rank != rows.front().entries[k].rank) return false;
        return true;
    });
}

double AbsoluteErrors::category_key(const Cell* cell, index_t order, const Sums& all,
                                    double smoothing) const {
    Sums category(*this);
    category.add(cell);
    const auto k = static_cast<std::size_t>(order);
    const double own_weight = weight(category);
    return (own_weight * median(category, k) + smoothing * median(all, k)) /
           (own_weight + smoothing);
}

}  // namespace nonet
