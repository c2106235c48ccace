#include "grow/sampling/bags.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/check.hpp"
#include "base/random.hpp"
#include "resample/draws.hpp"

namespace nonet {
namespace {

// Draws an index among running sums.
std::size_t draw_position(std::span<const double> probabilities, RandomStream& random) {
    const double total = probabilities.back();
    const auto drawn = std::ranges::upper_bound(probabilities, random.uniform() * total);
    // Rounding may bring a draw up to the total: the last row of positive probability takes it.
    const auto last = std::ranges::lower_bound(probabilities, total);
    return static_cast<std::size_t>(std::min(drawn, last) - probabilities.begin());
}

void draw_from_strata(const BagPlan& plan, std::uint64_t seed, std::uint64_t tree,
                      std::span<std::uint32_t> counts) {
    RandomStream random(seed, StreamUse::bag_rows, {tree});
    std::size_t begin = 0;
    for (std::size_t stratum = 0; stratum < plan.strata.ends.size(); ++stratum) {
        const std::size_t size = static_cast<std::size_t>(plan.strata.ends[stratum]) - begin;
        const auto rows = plan.strata.rows.subspan(begin, size);
        for (index_t i = 0; i < plan.strata.draws[stratum]; ++i)
            ++counts[rows[plan.probabilities.empty()
                              ? random.below(size)
                              : draw_position(plan.probabilities.subspan(begin, size), random)]];
        begin += size;
    }
}

// As likely each: the units are numbers below n_units.
void draw_equally(const BagPlan& plan, index_t n_units, std::uint64_t seed, std::uint64_t tree,
                  std::span<std::uint32_t> counts) {
    const Pool pool{n_units, plan.n_draws, 0, StreamUse::bag_rows};
    for_each_chunk(seed, tree, pool, [&](std::span<const std::uint32_t> units) {
        for (const std::uint32_t unit : units) ++counts[unit];
    });
}

void draw_rows(const BagPlan& plan, std::uint64_t seed, std::uint64_t tree,
               std::span<std::uint32_t> counts) {
    if (plan.probabilities.empty()) return draw_equally(plan, plan.n_rows, seed, tree, counts);
    RandomStream random(seed, StreamUse::bag_rows, {tree});
    for (index_t i = 0; i < plan.n_draws; ++i) ++counts[draw_position(plan.probabilities, random)];
}

// Floyd's algorithm (Bentley and Floyd, "A sample of brilliance", 1987): one draw a row.
void draw_once(const BagPlan& plan, std::uint64_t seed, std::uint64_t tree,
               std::span<std::uint32_t> counts) {
    RandomStream random(seed, StreamUse::bag_rows, {tree});
    for (index_t last = plan.n_rows - plan.n_draws; last < plan.n_rows; ++last) {
        const auto row = random.below(static_cast<std::uint64_t>(last) + 1);
        counts[counts[row] == 0 ? row : static_cast<std::uint64_t>(last)] = 1;
    }
}

void draw_groups(const BagPlan& plan, std::uint64_t seed, std::uint64_t tree,
                 std::span<std::uint32_t> counts) {
    std::vector<std::uint32_t> times(static_cast<std::size_t>(plan.n_groups));
    draw_equally(plan, plan.n_groups, seed, tree, times);
    for (std::size_t row = 0; row < counts.size(); ++row)
        counts[row] = times[static_cast<std::size_t>(plan.groups[row])];
}

bool can_draw_by(std::span<const double> probabilities) {
    return !probabilities.empty() && std::ranges::is_sorted(probabilities) &&
           probabilities.front() >= 0 && probabilities.back() > 0;
}

void check_rows(const BagPlan& plan) {
    check(plan.probabilities.empty() || can_draw_by(plan.probabilities),
          "Probabilities must be running sums, one per row, with a sum above 0.");
}

void check_once(const BagPlan& plan) {
    check(plan.n_draws <= plan.n_rows && plan.groups.empty() && plan.probabilities.empty() &&
              plan.strata.rows.empty(),
          "Without replacement no more rows than there are can be drawn, and plain rows only.");
}

void check_groups(const BagPlan& plan) {
    check(std::ssize(plan.groups) == plan.n_rows, "Groups must be given for all rows or for none.");
    check(std::ranges::all_of(
              plan.groups, [&](std::int32_t group) { return group >= 0 && group < plan.n_groups; }),
          "Groups must lie between 0 and n_groups - 1.");
}

void check_strata(const BagPlan& plan) {
    const auto& [rows, ends, draws] = plan.strata;
    check(std::ssize(rows) == plan.n_rows && plan.groups.empty() &&
              std::ranges::all_of(rows, [&](std::uint32_t row) { return row < plan.n_rows; }),
          "Strata must name all rows, and no groups can be drawn from them.");
    check(!ends.empty() && ends.size() == draws.size() && std::ranges::is_sorted(ends) &&
              ends.front() >= 0 && ends.back() == plan.n_rows,
          "Strata must end one after another, the last one with the last row.");
    index_t n_draws = 0;
    for (std::size_t stratum = 0, begin = 0; stratum < ends.size(); ++stratum) {
        const std::size_t size = static_cast<std::size_t>(ends[stratum]) - begin;
        const bool can_send = size > 0 && (plan.probabilities.empty() ||
                                           can_draw_by(plan.probabilities.subspan(begin, size)));
        check(draws[stratum] == 0 || (draws[stratum] > 0 && can_send),
              "A stratum that sends rows must have some that can be drawn.");
        n_draws += draws[stratum];
        begin += size;
    }
    check(n_draws == plan.n_draws, "Strata must send as many rows as a bag holds.");
}

// The draw rules, by the names that Python knows them by. A new one is two functions above and a
// line here; what it needs to know goes into the plan.
struct DrawRule {
    std::string_view name;
    void (*check)(const BagPlan&);
    // Adds to counts, which are 0, how often the tree sees each row.
    void (*draw)(const BagPlan&, std::uint64_t seed, std::uint64_t tree, std::span<std::uint32_t>);
};
constexpr DrawRule draw_rules[] = {
    {"rows", check_rows, draw_rows},             // with replacement, by chances if there are any
    {"rows_once", check_once, draw_once},        // without replacement
    {"groups", check_groups, draw_groups},       // whole groups, with replacement
    {"strata", check_strata, draw_from_strata},  // a fixed number of rows from each stratum
};

const DrawRule& rule_of(const BagPlan& plan) {
    const auto found = std::ranges::find(draw_rules, plan.rule, &DrawRule::name);
    check(found != std::end(draw_rules),
          [&] { return "There is no rule of draws named '" + std::string(plan.rule) + "'."; });
    return *found;
}

}  // namespace

void check_bags(const BagPlan& plan) {
    check(plan.n_rows >= 1 && plan.n_draws >= 0, "A bag needs rows to be drawn from.");
    check(plan.probabilities.empty() || std::ssize(plan.probabilities) == plan.n_rows,
          "Probabilities must be given for all rows or for none.");
    rule_of(plan).check(plan);
}

void draw_counts(const BagPlan& plan, std::uint64_t seed, std::uint64_t tree,
                 std::span<std::uint32_t> counts) {
    std::ranges::fill(counts, plan.draws() ? 0U : 1U);
    if (plan.draws()) rule_of(plan).draw(plan, seed, tree, counts);
}

void sample_rows(std::span<const double> uniforms, index_t n_wanted,
                 std::span<std::uint32_t> counts) {
    check(uniforms.size() == counts.size(), "Rows are taken by one uniform number each.");
    auto left = static_cast<double>(uniforms.size());
    auto wanted = static_cast<double>(n_wanted);
    for (std::size_t row = 0; row < uniforms.size(); ++row, left -= 1) {
        const bool is_taken = uniforms[row] * left < wanted;
        counts[row] = is_taken ? 1U : 0U;
        wanted -= is_taken ? 1 : 0;
    }
}

std::vector<index_t> draw_columns(index_t n_columns, index_t n_wanted, std::uint64_t seed,
                                  std::uint64_t tree) {
    RandomStream random(seed, StreamUse::tree_columns, {tree});
    std::vector<index_t> columns(static_cast<std::size_t>(n_columns));
    std::iota(columns.begin(), columns.end(), index_t{0});
    const auto n = static_cast<std::size_t>(std::min(n_wanted, n_columns));
    for (std::size_t i = 0; i < n; ++i)
        std::swap(columns[i], columns[i + random.below(columns.size() - i)]);
    columns.resize(n);
    std::ranges::sort(columns);
    return columns;
}

}  // namespace nonet
