// NumPy arrays as the views that the kernels take. Types and memory order are part of the argument
// types; what NumPy hands over unfit, nonet._native has put in order before.
#pragma once

#include <nanobind/ndarray.h>

#include <span>

#include "base/check.hpp"
#include "base/views.hpp"
#include "data/strided_matrix.hpp"
#include "vote/outputs.hpp"

namespace nonet {

template <typename T>
using Vector = nanobind::ndarray<T, nanobind::numpy, nanobind::ndim<1>, nanobind::c_contig>;
template <typename T>
using Matrix = nanobind::ndarray<T, nanobind::numpy, nanobind::ndim<2>, nanobind::c_contig>;
template <typename T>
using Cube = nanobind::ndarray<T, nanobind::numpy, nanobind::ndim<3>, nanobind::c_contig>;

// Any memory order: what only reads takes it as it is.
template <typename T>
using AnyMatrix = nanobind::ndarray<const T, nanobind::numpy, nanobind::ndim<2>>;

template <typename T>
std::span<const T> span_of(const Vector<const T>& vector) {
    return {vector.data(), vector.size()};
}

template <typename T>
MatrixView<T> view_of(const Matrix<T>& matrix) {
    return {matrix.data(), static_cast<index_t>(matrix.shape(0)),
            static_cast<index_t>(matrix.shape(1))};
}

template <typename T>
StridedMatrix<T> strided(const AnyMatrix<T>& matrix) {
    return {matrix.data(), static_cast<index_t>(matrix.shape(0)),
            static_cast<index_t>(matrix.shape(1)), static_cast<index_t>(matrix.stride(0)),
            static_cast<index_t>(matrix.stride(1))};
}

// A cube is (row, member, class), or (member, row, class) if it is member-major.
template <typename T>
Outputs<T> outputs_of(const Cube<const T>& cube, bool member_major) {
    const auto rows = static_cast<index_t>(cube.shape(member_major ? 1 : 0));
    const auto members = static_cast<index_t>(cube.shape(member_major ? 0 : 1));
    const auto classes = static_cast<index_t>(cube.shape(2));
    check(members >= 1 && classes >= 1, "Outputs need at least one member and one class.");
    return {cube.data(), rows, members, classes,
            member_major ? Layout::member_major : Layout::row_major};
}

// Where the results of the given outputs go.
template <typename T, typename In>
T* lanes_of(const Matrix<T>& out, const Outputs<In>& outputs) {
    check(static_cast<index_t>(out.shape(0)) == outputs.n_rows &&
              static_cast<index_t>(out.shape(1)) == outputs.n_classes,
          "The result must have one row per row and one column per class.");
    return out.data();
}

}  // namespace nonet
