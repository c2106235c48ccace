// Every edge of every buffer, for the sanitizers; exactness is tested from Python.
#include <cmath>
#include <vector>

#include "loss/vote_weights.hpp"
#include "testing.hpp"

namespace nonet {

NONET_TEST(vote_weights_agree_with_plain_loops) {
    for (const std::size_t n : {1U, 17U, 8192U, 8200U}) {
        const std::vector<double> weights(n, 2.0);
        std::vector<std::uint8_t> marks(n, 0);
        for (std::size_t i = 0; i < n; i += 3) marks[i] = 1;
        const auto n_marked = static_cast<double>((n + 2) / 3);
        EXPECT(sum_marked(weights, marks, 3) == 2 * n_marked);

        std::vector<double> scaled(n);
        scale_unmarked(weights, marks, 0.5, 3, scaled.data());
        EXPECT(scaled.front() == 2.0 && (n == 1 || scaled[1] == 1.0));
        normalise(scaled, 0.0, 3);

        std::vector<double> sums(n, 1.0);
        EXPECT(add_weights(weights, 3, sums.data()) == 4.0 * static_cast<double>(n));
        EXPECT(sums.back() == 3.0);

        std::vector<double> scores(n, 0.0);
        const VoteSums found = add_votes(marks, 0.25, weights, marks, 3, scores.data());
        EXPECT(found.min_score == -0.25 && found.wrong_weight == 2 * n_marked);
    }
}

NONET_TEST(vote_weights_reject_marks_of_another_length) {
    const std::vector<double> weights(3, 1.0);
    const std::vector<std::uint8_t> marks(2, 1);
    EXPECT_THROWS(std::exception, sum_marked(weights, marks, 1));
    EXPECT_THROWS(std::exception, add_votes({}, 1.0, {}, {}, 1, nullptr));
}

}  // namespace nonet
