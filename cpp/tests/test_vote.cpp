// The kernels against plain loops, over sizes that end inside tiles and blocks: what the sanitizers
// should see is every edge of every buffer. Exactness is tested from Python.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "testing.hpp"
#include "vote/argmax.hpp"
#include "vote/borda.hpp"
#include "vote/log_sum.hpp"
#include "vote/order_mean.hpp"
#include "vote/votes.hpp"
#include "vote/weighted_quantile.hpp"
#include "vote/weighted_sum.hpp"

namespace nonet {
namespace {

struct Shape {
    index_t n_rows;
    index_t n_members;
    index_t n_classes;
};

constexpr Shape shapes[] = {{0, 3, 2},     {1, 1, 1},   {5, 4, 3},    {257, 7, 1},
                            {130, 65, 10}, {33, 9, 70}, {3, 2049, 2}, {1, 4097, 1}};
constexpr Layout layouts[] = {Layout::row_major, Layout::member_major};
constexpr int n_threads = 3;

// Owns exactly as many numbers as the shape needs, so that one read too far is seen.
template <typename T>
struct Predictions {
    Predictions(Shape shape, Layout layout)
        : values(static_cast<std::size_t>(shape.n_rows * shape.n_members * shape.n_classes)),
          outputs{values.data(), shape.n_rows, shape.n_members, shape.n_classes, layout} {}

    T& at(index_t row, index_t member, index_t c) {
        return values[static_cast<std::size_t>(outputs.at(row, member) + c - values.data())];
    }

    template <typename Draw>
    void fill(const Draw& draw) {
        for (index_t i = 0; i < outputs.n_rows; ++i)
            for (index_t m = 0; m < outputs.n_members; ++m)
                for (index_t c = 0; c < outputs.n_classes; ++c) at(i, m, c) = draw();
    }

    std::vector<T> lane(index_t row, index_t c) {
        std::vector<T> members;
        for (index_t m = 0; m < outputs.n_members; ++m) members.push_back(at(row, m, c));
        return members;
    }

    std::vector<T> values;
    Outputs<T> outputs;
};

bool close(double a, double b) { return std::abs(a - b) <= 1e-5 * (1 + std::abs(b)); }

std::vector<double> some_weights(index_t n_members) {
    std::vector<double> weights;
    for (index_t m = 0; m < n_members; ++m) weights.push_back(static_cast<double>(1 + m % 3));
    return weights;
}

// Calls check(outputs, weights, row, class, lane index) for every lane of every shape and layout.
template <typename T, typename Test>
void for_all_shapes(const Test& test) {
    for (const Shape shape : shapes)
        for (const Layout layout : layouts) {
            RandomStream random(1, {});
            Predictions<T> predictions(shape, layout);
            predictions.fill([&] { return static_cast<T>(random.uniform()); });
            test(predictions, some_weights(shape.n_members));
        }
}

template <typename T, typename Expected, typename Out>
void expect_lanes(Predictions<T>& predictions, const std::vector<Out>& out,
                  const Expected& expected) {
    for (index_t i = 0; i < predictions.outputs.n_rows; ++i)
        for (index_t c = 0; c < predictions.outputs.n_classes; ++c) {
            const auto lane = static_cast<std::size_t>(i * predictions.outputs.n_classes + c);
            EXPECT(close(static_cast<double>(out[lane]), expected(predictions.lane(i, c))));
        }
}

template <typename T>
std::size_t n_lanes(const Predictions<T>& predictions) {
    return static_cast<std::size_t>(predictions.outputs.n_lanes());
}

template <typename T>
void test_sums() {
    for_all_shapes<T>([](Predictions<T>& predictions, const std::vector<double>& weights) {
        std::vector<T> out(n_lanes(predictions));
        EXPECT(weighted_sum(predictions.outputs, std::span(weights), 2.0, n_threads, out.data()));
        expect_lanes(predictions, out, [&](const std::vector<T>& lane) {
            double sum = 0;
            for (std::size_t m = 0; m < lane.size(); ++m)
                sum += weights[m] * static_cast<double>(lane[m]);
            return sum / 2;
        });
    });
}

template <typename T>
void test_log_sums() {
    for_all_shapes<T>([](Predictions<T>& predictions, const std::vector<double>& weights) {
        std::vector<double> out(n_lanes(predictions));
        EXPECT(weighted_log_sum(predictions.outputs, std::span(weights), n_threads, out.data()));
        expect_lanes(predictions, out, [&](const std::vector<T>& lane) {
            double sum = 0;
            for (std::size_t m = 0; m < lane.size(); ++m)
                sum += weights[m] * std::log(static_cast<double>(lane[m]));
            return sum;
        });
    });
}

template <typename T>
void test_medians() {
    for_all_shapes<T>([](Predictions<T>& predictions, const std::vector<double>&) {
        const index_t k = predictions.outputs.n_members;
        std::vector<T> out(n_lanes(predictions));
        EXPECT(order_mean(predictions.outputs, (k - 1) / 2, k / 2 + 1, n_threads, out.data()));
        expect_lanes(predictions, out, [&](std::vector<T> lane) {
            std::sort(lane.begin(), lane.end());
            return (static_cast<double>(lane[(lane.size() - 1) / 2]) +
                    static_cast<double>(lane[lane.size() / 2])) /
                   2;
        });
    });
}

template <typename T>
void test_weighted_medians() {
    for_all_shapes<T>([](Predictions<T>& predictions, const std::vector<double>& weights) {
        std::vector<T> out(n_lanes(predictions));
        EXPECT(weighted_quantile(predictions.outputs, std::span(weights), Quantile{0.5, true},
                                 n_threads, out.data()));
        expect_lanes(predictions, out, [&](const std::vector<T>& lane) {
            std::vector<T> repeated;
            for (std::size_t m = 0; m < lane.size(); ++m)
                repeated.insert(repeated.end(), static_cast<std::size_t>(weights[m]), lane[m]);
            std::sort(repeated.begin(), repeated.end());
            return (static_cast<double>(repeated[(repeated.size() - 1) / 2]) +
                    static_cast<double>(repeated[repeated.size() / 2])) /
                   2;
        });
    });
}

template <typename T>
void test_borda() {
    for_all_shapes<T>([](Predictions<T>& predictions, const std::vector<double>& weights) {
        const Outputs<T>& scores = predictions.outputs;
        std::vector<double> out(n_lanes(predictions));
        EXPECT(borda_counts(scores, std::span(weights), 0.5, n_threads,
                            MatrixView<double>{out.data(), scores.n_rows, scores.n_classes}));
        for (index_t i = 0; i < std::min<index_t>(scores.n_rows, 3); ++i)
            for (index_t c = 0; c < scores.n_classes; ++c) {
                double points = 0;
                for (index_t m = 0; m < scores.n_members; ++m)
                    for (index_t other = 0; other < scores.n_classes; ++other)
                        if (predictions.at(i, m, c) > predictions.at(i, m, other))
                            points += weights[static_cast<std::size_t>(m)];
                EXPECT(close(out[static_cast<std::size_t>(i * scores.n_classes + c)], points));
            }
    });
}

template <typename Code>
void test_votes(index_t n_classes) {
    for (const Shape shape : shapes)
        for (const Layout layout : layouts) {
            RandomStream random(2, {});
            Predictions<Code> codes({shape.n_rows, shape.n_members, 1}, layout);
            codes.fill([&] {
                return static_cast<Code>(random.below(static_cast<std::uint64_t>(n_classes)));
            });
            const std::vector<double> weights = some_weights(shape.n_members);
            std::vector<double> out(static_cast<std::size_t>(shape.n_rows * n_classes));
            const MatrixView<double> support{out.data(), shape.n_rows, n_classes};
            for (const bool weighted : {false, true}) {
                EXPECT(count_votes(codes.outputs,
                                   weighted ? std::span(weights) : std::span<const double>(),
                                   n_threads, support));
                for (index_t i = 0; i < shape.n_rows; ++i) {
                    std::vector<double> expected(static_cast<std::size_t>(n_classes));
                    for (index_t m = 0; m < shape.n_members; ++m)
                        expected[static_cast<std::size_t>(codes.at(i, m, 0))] +=
                            weighted ? weights[static_cast<std::size_t>(m)] : 1.0;
                    EXPECT(std::equal(expected.begin(), expected.end(), support.row(i)));
                }
            }
        }
}

}  // namespace

NONET_TEST(weighted_sum_of_floats_against_naive) { test_sums<float>(); }
NONET_TEST(weighted_sum_of_doubles_against_naive) { test_sums<double>(); }
NONET_TEST(log_sum_of_floats_against_naive) { test_log_sums<float>(); }
NONET_TEST(log_sum_of_doubles_against_naive) { test_log_sums<double>(); }
NONET_TEST(median_of_floats_against_naive) { test_medians<float>(); }
NONET_TEST(median_of_doubles_against_naive) { test_medians<double>(); }
NONET_TEST(weighted_median_of_floats_against_naive) { test_weighted_medians<float>(); }
NONET_TEST(weighted_median_of_doubles_against_naive) { test_weighted_medians<double>(); }
NONET_TEST(borda_of_floats_against_naive) { test_borda<float>(); }
NONET_TEST(borda_of_doubles_against_naive) { test_borda<double>(); }
NONET_TEST(votes_of_bytes_against_naive) { test_votes<std::int8_t>(10); }
NONET_TEST(votes_of_unsigned_bytes_against_naive) { test_votes<std::uint8_t>(255); }
NONET_TEST(votes_of_shorts_against_naive) { test_votes<std::int16_t>(3); }
NONET_TEST(votes_of_ints_against_naive) { test_votes<std::int32_t>(48); }
NONET_TEST(votes_of_longs_against_naive) { test_votes<std::int64_t>(49); }

NONET_TEST(argmax_is_the_first_of_the_largest) {
    constexpr index_t n_rows = 130;
    constexpr index_t n_columns = 7;
    RandomStream random(4, {});
    std::vector<double> support(n_rows * n_columns);
    for (double& value : support) value = static_cast<double>(random.below(4));
    std::vector<std::int64_t> winners(n_rows);
    const MatrixView<const double> view{support.data(), n_rows, n_columns};
    EXPECT(argmax_rows(view, n_threads, winners.data()));
    for (index_t i = 0; i < n_rows; ++i) {
        const double* row = view.row(i);
        EXPECT(winners[static_cast<std::size_t>(i)] ==
               std::max_element(row, row + n_columns) - row);
    }
    support.back() = std::numeric_limits<double>::quiet_NaN();
    EXPECT(!argmax_rows(view, n_threads, winners.data()));
}

NONET_TEST(nan_is_reported) {
    Predictions<double> predictions({100, 5, 3}, Layout::member_major);
    predictions.fill([] { return 0.5; });
    predictions.at(99, 4, 2) = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> weights(5, 1.0);
    std::vector<double> out(300);
    EXPECT(!weighted_sum(predictions.outputs, std::span(weights), 1.0, n_threads, out.data()));
    EXPECT(!weighted_log_sum(predictions.outputs, std::span(weights), n_threads, out.data()));
    EXPECT(!order_mean(predictions.outputs, 0, 1, n_threads, out.data()));
    EXPECT(!weighted_quantile(predictions.outputs, std::span(weights), Quantile{0.5, false},
                              n_threads, out.data()));
    EXPECT(!borda_counts(predictions.outputs, std::span(weights), 0.5, n_threads,
                         MatrixView<double>{out.data(), 100, 3}));
}

NONET_TEST(code_beyond_the_classes_is_reported) {
    Predictions<std::int64_t> codes({300, 70, 1}, Layout::row_major);
    codes.at(299, 69, 0) = 3;
    const std::vector<double> weights(70, 1.0);
    std::vector<double> out(900);
    const MatrixView<double> support{out.data(), 300, 3};
    EXPECT(!count_votes(codes.outputs, std::span<const double>(), n_threads, support));
    EXPECT(!count_votes(codes.outputs, std::span(weights), n_threads, support));
}

NONET_TEST(kernels_reject_weights_of_another_length) {
    Predictions<double> predictions({2, 3, 1}, Layout::row_major);
    const std::vector<double> weights(2, 1.0);
    std::vector<double> out(2);
    EXPECT_THROWS(std::invalid_argument,
                  weighted_sum(predictions.outputs, std::span(weights), 1.0, 1, out.data()));
}

}  // namespace nonet
