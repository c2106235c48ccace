"""The quantile function of the normal distribution, which ONNX does not have.

Reference: M. J. Wichura (1988), Algorithm AS 241: the percentage points of the normal distribution,
Applied Statistics 37, 477-484. Its relative error is about 1e-16.
"""

from __future__ import annotations

from nonet.persist.onnx.graph import Graph

_MIDDLE = (
    (
        3.3871328727963666080e0,
        1.3314166789178437745e2,
        1.9715909503065514427e3,
        1.3731693765509461125e4,
        4.5921953931549871457e4,
        6.7265770927008700853e4,
        3.3430575583588128105e4,
        2.5090809287301226727e3,
    ),
    (
        1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3,
    ),
)
_TAIL = (
    (
        1.42343711074968357734e0,
        4.63033784615654529590e0,
        5.76949722146069140550e0,
        3.64784832476320460504e0,
        1.27045825245236838258e0,
        2.41780725177450611770e-1,
        2.27238449892691845833e-2,
        7.74545014278341407640e-4,
    ),
    (
        1.0,
        2.05319162663775882187e0,
        1.67638483018380384940e0,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ),
)
_MIDDLE_WIDTH = 0.425


def normal_quantile(graph: Graph, p: str) -> str:
    """Add the normal quantiles of probabilities between 1e-11 and 1 - 1e-11.

    Parameters
    ----------
    graph : Graph
    p : str
        Doubles of any shape.
    """
    q = graph.apply("Sub", p, 0.5)
    r = graph.apply("Mul", graph.apply("Sub", graph.add("Mul", q, q), 0.180625), -1.0)
    middle = graph.add("Mul", q, _ratio(graph, r, _MIDDLE))
    rest = graph.rest(p)
    root = graph.add("Sqrt", graph.add("Neg", graph.add("Log", graph.add("Min", p, rest))))
    tail = _ratio(graph, graph.apply("Sub", root, 1.6), _TAIL)
    signed = graph.add("Mul", graph.add("Sign", q), tail)
    is_middle = graph.apply("LessOrEqual", graph.add("Abs", q), _MIDDLE_WIDTH)
    return graph.where(is_middle, middle, signed)


def _ratio(graph: Graph, x: str, of: tuple[tuple[float, ...], tuple[float, ...]]) -> str:
    above, below = (_polynomial(graph, x, coefficients) for coefficients in of)
    return graph.add("Div", above, below)


def _polynomial(graph: Graph, x: str, coefficients: tuple[float, ...]) -> str:
    """Evaluate a polynomial, the constant first, by Horner's rule."""
    *others, first, second = coefficients
    total = graph.apply("Add", graph.apply("Mul", x, second), first)
    for coefficient in reversed(others):
        total = graph.apply("Add", graph.add("Mul", total, x), coefficient)
    return total
