"""Steps by quantiles: uniform or normal ranks, and splines of them."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import BSpline, PPoly
from scipy.stats import norm
from sklearn.preprocessing import QuantileTransformer, SplineTransformer
from sklearn.preprocessing._data import BOUNDS_THRESHOLD

from nonet._base.aliases import Array, Floats
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.step_function import at_pieces, piece_of
from nonet.persist.onnx.steps.normal_quantiles import normal_quantile
from nonet.persist.onnx.steps.registry import step_for
from nonet.persist.onnx.tables import Table


@step_for(QuantileTransformer)
def quantile_transformer(graph: Graph, model: QuantileTransformer, table: Table) -> Table:
    """Turn numbers into their ranks among those of the fit, uniform or normal."""
    is_normal = model.output_distribution == "normal"
    columns = []
    for j, quantiles in enumerate(model.quantiles_.T):
        x = graph.columns(table.matrix(), [j])
        ranks = _rank(graph, x, quantiles, model.references_, is_normal)
        columns.append(_normal(graph, ranks) if is_normal else ranks)
    return Table(graph, None, graph.concat(columns), table.n_columns)


def _rank(graph: Graph, x: str, quantiles: Array, references: Array, is_normal: bool) -> str:
    """Interpolate between quantiles; at equal ones the mean of their ranks."""
    points, first = np.unique(quantiles, return_index=True)
    last = np.append(first[1:], len(quantiles)) - 1
    starts, ends = references[first], references[last]
    slopes = np.append(np.diff(points), 1.0)
    slopes = np.append(starts[1:] - ends[:-1], 0.0) / slopes
    # Pieces: below all points, at a point, between it and the next one, and so on.
    borders = np.column_stack([np.nextafter(points, -np.inf), points]).ravel()
    base = np.append(0.0, np.column_stack([(starts + ends) / 2, ends]).ravel())
    slope = np.append(0.0, np.column_stack([np.zeros(len(points)), slopes]).ravel())
    origin = np.append(points[0], np.repeat(points, 2))
    base[0], base[-1], slope[-1] = starts[0], ends[-1], 0.0
    piece = piece_of(graph, x, borders)
    distance = graph.add("Sub", x, at_pieces(graph, origin, piece))
    rise = graph.add("Mul", distance, at_pieces(graph, slope, piece))
    # Beyond the last point the distance may be infinite, and there is no rise.
    is_flat = graph.apply("Equal", at_pieces(graph, slope, piece), 0.0)
    rise = graph.where(is_flat, graph.constant(0.0), rise)
    ranks = graph.add("Add", at_pieces(graph, base, piece), rise)
    return _bounded(graph, x, ranks, points, is_normal)


def _bounded(graph: Graph, x: str, ranks: str, points: Floats, is_normal: bool) -> str:
    """Return 0 at the lower bound and 1 at the upper one, and NaN where x is NaN."""
    if is_normal:
        below = graph.apply("Less", graph.apply("Sub", x, BOUNDS_THRESHOLD), points[0])
        above = graph.apply("Greater", graph.apply("Add", x, BOUNDS_THRESHOLD), points[-1])
    else:
        below = graph.apply("Equal", x, points[0])
        above = graph.apply("Equal", x, points[-1])
    ranks = graph.where(above, graph.constant(1.0), ranks)
    ranks = graph.where(below, graph.constant(0.0), ranks)
    return graph.where(graph.add("IsNaN", x), graph.constant(np.nan), ranks)


def _normal(graph: Graph, ranks: str) -> str:
    """Return normal quantiles, within the bounds of scikit-learn."""
    least = float(norm.ppf(BOUNDS_THRESHOLD - np.spacing(1)))
    most = float(norm.ppf(1 - (BOUNDS_THRESHOLD - np.spacing(1))))
    # The bounds are those of the ranks as well: the logarithm of 0 is not needed.
    tiny = BOUNDS_THRESHOLD / 2
    inside = graph.apply("Min", graph.apply("Max", ranks, tiny), 1 - tiny)
    bounded = graph.apply("Max", normal_quantile(graph, inside), least)
    return graph.apply("Min", bounded, most)


@step_for(SplineTransformer)
def spline_transformer(graph: Graph, model: SplineTransformer, table: Table) -> Table:
    """Evaluate splines as polynomials between their knots."""
    if model.extrapolation != "constant":
        raise graph.refusal(
            f"has extrapolation={model.extrapolation!r}", "use extrapolation='constant'"
        )
    columns, width = [], 0
    for j, spline in enumerate(model.bsplines_):
        basis = _basis(graph, graph.columns(table.matrix(), [j]), spline, model.degree)
        kept = spline.c.shape[1] - (not model.include_bias)
        columns.append(graph.columns(basis, np.arange(kept)))
        width += kept
    return Table(graph, None, graph.concat(columns), width)


def _basis(graph: Graph, x: str, spline: BSpline, degree: int) -> str:
    """Return the values of all splines of a column: doubles of shape (n, n_splines)."""
    knots = spline.t
    low, high = knots[degree], knots[-degree - 1]
    inside = graph.apply("Min", graph.apply("Max", x, low), high)
    pieces = np.unique(knots[degree:-degree])
    coefficients = _polynomials(spline, pieces)
    piece = piece_of(graph, inside, np.nextafter(pieces[1:-1], -np.inf))
    distance = graph.add("Sub", inside, at_pieces(graph, pieces[:-1], piece))
    total = None
    for power in coefficients:  # by Horner's rule, the highest power first
        term = graph.column(at_pieces(graph, power, piece), 0)
        total = term if total is None else graph.add("Add", graph.add("Mul", total, distance), term)
    assert total is not None
    return total


def _polynomials(spline: BSpline, pieces: Floats) -> Floats:
    """Return coefficients of shape (degree + 1, n_pieces, n_splines), by falling powers."""
    knots, basis, degree = spline.t, spline.c, spline.k
    positions = np.searchsorted(knots, pieces[:-1], side="right") - 1
    every = [PPoly.from_spline((knots, column, degree)).c[:, positions] for column in basis.T]
    return np.stack(every, axis=2)
