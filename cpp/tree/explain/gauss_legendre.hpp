// Points and weights that integrate polynomials of degree up to 2n - 1 over [0, 1] exactly.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

namespace nonet {

struct Quadrature {
    std::vector<double> points;
    std::vector<double> weights;  // they sum to 1
};

// Newton's method on the Legendre polynomial of degree n, from Chebyshev's points.
inline Quadrature gauss_legendre(int n) {
    Quadrature rule;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
        double slope = 1.0;
        for (int step = 0; step < 8; ++step) {  // four or five reach the last bit
            double before = 1.0;
            double here = x;
            for (int k = 2; k <= n; ++k) {
                const double next = ((2 * k - 1) * x * here - (k - 1) * before) / k;
                before = here;
                here = next;
            }
            slope = n * (x * here - before) / (x * x - 1);
            x -= here / slope;
        }
        rule.points.push_back((1 - x) / 2);
        rule.weights.push_back(1 / ((1 - x * x) * slope * slope));
    }
    return rule;
}

}  // namespace nonet
