// Issue 19, part 2: the contract of a split criterion, kept by all of them.
#include <cstdint>
#include <span>
#include <vector>

#include "grow/criteria/absolute_errors.hpp"
#include "grow/criteria/class_criterion.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/criteria/impurities.hpp"
#include "grow/criteria/moment_criterion.hpp"
#include "grow/criteria/newton.hpp"
#include "grow/criteria/outputs_criterion.hpp"
#include "grow/criteria/vector_newton.hpp"
#include "grow/grow_tree.hpp"
#include "testing.hpp"

namespace nonet {
namespace {

using TwoClasses = ClassCriterion<Gini, std::uint32_t, 2>;
using ManyClasses = ClassCriterion<Entropy, std::uint64_t, 0>;

static_assert(SplitCriterion<TwoClasses> && HasLabels<TwoClasses> && HasWholeWeights<TwoClasses>);
static_assert(SplitCriterion<ManyClasses> && !HasWholeWeights<ManyClasses>);
static_assert(HasMoments<MomentCriterion<SquaredError>> && HasMoments<MomentCriterion<Poisson>>);
static_assert(HasExtraPenalty<MomentCriterion<Newton>>);
static_assert(AddsRows<MomentCriterion<Newton, PackedRows<0>>>);
static_assert(!HasMoments<MomentCriterion<Newton, PackedRows<0>>>);
static_assert(AddsRows<OutputsCriterion<SquaredErrors, std::int64_t>>);
static_assert(AddsRows<VectorNewton<int128_t>> && HasExtraPenalty<VectorNewton<int128_t>>);
static_assert(SplitCriterion<AbsoluteErrors> && !AddsRows<AbsoluteErrors>);

// A criterion that lacks one part of the contract is none.
struct WithoutPrediction : AbsoluteErrors {
    double prediction(const Sums&) const = delete;
};
struct WithoutScores : AbsoluteErrors {
    struct Batch {};
};
static_assert(!SplitCriterion<WithoutPrediction> && !SplitCriterion<WithoutScores>);

struct WithoutMost : Gini {
    struct most {};
};
static_assert(!ClassImpurity<WithoutMost>);

}  // namespace

// The compiler has checked the rest.
NONET_TEST(criteria_of_classes_are_those_of_the_table) {
    std::vector<CriterionName> names;
#define NONET_NAME(name, Impurity) names.push_back(#name);
    NONET_CLASS_IMPURITIES(NONET_NAME)
#undef NONET_NAME
    EXPECT(names == class_criteria());
    EXPECT(names.size() >= 2);
}

}  // namespace nonet
