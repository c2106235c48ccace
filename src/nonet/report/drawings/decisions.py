"""Figures of calibration, of thresholds and costs, and of abstaining."""

from __future__ import annotations

from markupsafe import Markup

from nonet._base.pictures.labels import shorten
from nonet._base.pictures.number_format import format_fraction, format_number
from nonet.report.drawings.view import Facts, View, enumerate_words, every
from nonet.report.figures.bars import Bar, draw_bars
from nonet.report.figures.lines import Line, Marks, draw_lines
from nonet.report.figures.reliability import ReliabilityBin, draw_reliability
from nonet.report.markup import interval, number, percent

_MOST_LINES_OF_TABLE = 21
_MOST_CURVES = 4


def draw_calibration(part: Facts, key: str) -> View | None:
    """Draw what was observed against what was predicted."""
    if not part["bins"]:
        return None
    is_value = part["kind"] == "values"
    svg = _value_lines(part, key) if is_value else _probability_bins(part, key)
    write = number if is_value else percent
    body = [
        [write(b["predicted"], 3), write(b["observed"], 3), _ends(b, write), number(b["n_rows"])]
        for b in part["bins"]
    ]
    head = ["predicted", "observed", "95 % interval", "rows"]
    return View(svg, part["what"], part["rows"], head, body)


def draw_class_calibration(part: Facts, key: str) -> View | None:
    """Draw the curves of the most frequent classes."""
    shown = part["classes"][:_MOST_CURVES]
    if not shown:
        return None
    lines = [_class_line(c) for c in shown]
    svg = draw_lines(
        lines,
        key=key,
        title="Calibration of the most frequent classes",
        description=enumerate_words(
            f"{shorten(c['label'])}: expected calibration error "
            f"{format_number(c['expected_calibration_error'], 3)}"
            for c in shown
        ),
        x_label="predicted probability",
        y_label="observed frequency",
        marks=Marks((0.0, 1.0), (0.0, 1.0), diagonal=True),
    )
    return View(svg, "Observed against predicted, for each class by itself.", part["rows"])


def draw_threshold_curve(part: Facts, key: str) -> View:
    """Draw precision, recall and F1 over the threshold."""
    best = part["best"]["f1"]
    lines = [
        Line("precision", part["thresholds"], part["precision"]),
        Line("recall", part["thresholds"], part["recall"]),
        Line("F1", part["thresholds"], part["f1"]),
    ]
    svg = draw_lines(
        lines,
        key=key,
        title="Precision, recall and F1 by threshold",
        description=f"F1 is highest, {_short(best['value'])}, at {_short(best['threshold'])}.",
        x_label=f"threshold on the probability of {shorten(part['positive'], 24)}",
        y_label="",
        marks=Marks((0.0, 1.0), (0.0, 1.0), verticals=[(best["threshold"], "best F1")]),
    )
    measures = ["precision", "recall", "f1", "accuracy", "false_positive_rate", "called_positive"]
    lists = [part["thresholds"], *(part[measure] for measure in measures)]
    table = every(list(zip(*lists, strict=True)), _MOST_LINES_OF_TABLE)
    body = [[number(line[0], 3), *(percent(v, 3) for v in line[1:])] for line in table]
    head = ["threshold", *(measure.replace("_", " ") for measure in measures)]
    head[3] = "F1"
    caption = "Precision, recall and F1, if rows of at least this probability are called positive."
    return View(svg, caption, part.get("rows", ""), head, body)


def draw_roc(part: Facts, key: str) -> View:
    """Draw the ROC curve."""
    rates = part["roc"]["false_positive_rate"], part["roc"]["true_positive_rate"]
    svg = draw_lines(
        [Line("model", *rates)],
        key=key,
        title="ROC curve",
        description=f"The area below the curve is {_short(part['roc_auc'])}.",
        x_label="false positive rate",
        y_label="true positive rate",
        marks=Marks((0.0, 1.0), (0.0, 1.0), diagonal=True),
    )
    points = every(list(zip(*rates, strict=True)), _MOST_LINES_OF_TABLE)
    body = [[percent(x), percent(y)] for x, y in points]
    caption = f"ROC curve; the area below it is {_short(part['roc_auc'])}."
    head = ["false positive rate", "true positive rate"]
    return View(svg, caption, part.get("rows", ""), head, body)


def draw_cost_curves(part: list[Facts], key: str, thresholds: list[float]) -> View | None:
    """Draw the mean cost over the threshold, up to what calling all rows alike would cost."""
    shown = part[:_MOST_CURVES]
    if not shown:
        return None
    highest = max(map(_cost_without_model, shown)) * 1.15 or 1.0
    lines = [
        Line(
            f"a miss costs {format_number(c['miss_cost'])}",
            thresholds,
            [v if v is not None and v <= highest else None for v in c["mean_cost"]],
        )
        for c in shown
    ]
    svg = draw_lines(
        lines,
        key=key,
        title="Mean cost by threshold",
        description=enumerate_words(_cost_in_words(c) for c in part),
        x_label="threshold",
        y_label="mean cost per row",
        marks=Marks((0.0, 1.0), (0.0, highest)),
    )
    caption = (
        f"Mean cost per row for the first {len(shown)} costs of a miss, if a false alarm costs 1."
    )
    return View(svg, caption, "")


def draw_best_thresholds(part: list[Facts], key: str) -> View | None:
    """Draw the threshold of the smallest cost for each cost of a miss."""
    if not part:
        return None
    bars = [
        Bar(
            f"a miss costs {format_number(c['miss_cost'])}",
            c["best_threshold"],
            _short(c["best_threshold"]),
        )
        for c in part
    ]
    svg = draw_bars(
        bars,
        key=key,
        title="Best threshold by the cost of a miss",
        description=enumerate_words(_cost_in_words(c) for c in part),
        highest=1.0,
    )
    terms = ["miss_cost", "best_threshold", "best_cost", "cost_at_half", "cost_of_none"]
    body = [[number(c[term], 3) for term in [*terms, "cost_of_all"]] for c in part]
    head = [
        "cost of a miss",
        "best threshold",
        "mean cost there",
        "at threshold 0.5",
        "calling none positive",
        "calling all positive",
    ]
    return View(svg, "The threshold of the smallest mean cost.", "", head, body)


def draw_risk_coverage(part: Facts, key: str) -> View:
    """Draw the error of the rows that are predicted, if the least certain are left out."""
    svg = draw_lines(
        [Line("error", part["coverage"], part["risk"])],
        key=key,
        title="Risk against coverage",
        description=enumerate_words(
            f"{format_fraction(e['coverage'])} of the rows: error {format_fraction(e['risk'])}"
            for e in part["at"]
        ),
        x_label="coverage: fraction of the rows that are predicted",
        y_label="error of the predicted rows",
        marks=Marks(
            (0.0, 1.0),
            (
                0.0,
                max([r for r in [*part["risk"], part["full_risk"], 0.0] if r is not None]) * 1.1
                or 1.0,
            ),
            horizontals=[(part["full_risk"], "all rows predicted")],
        ),
    )
    body = [
        [percent(e["coverage"]), percent(e["risk"]), number(e["threshold"], 3)] for e in part["at"]
    ]
    head = ["coverage", "error", "least probability"]
    return View(svg, part["what"], part.get("rows", ""), head, body)


def _probability_bins(part: Facts, key: str) -> str:
    bins = [
        ReliabilityBin(b["predicted"], b["observed"], b["n_rows"], b["low"], b["high"])
        for b in part["bins"]
        if b["predicted"] is not None and b["observed"] is not None
    ]
    return draw_reliability(
        bins,
        key=key,
        title="Reliability diagram",
        description=(
            "Expected calibration error "
            f"{format_number(part['expected_calibration_error'], 3)}, largest distance "
            f"{format_number(part['maximum_calibration_error'], 3)}."
        ),
    )


def _value_lines(part: Facts, key: str) -> str:
    x, y, low, high = _columns(part["bins"], "predicted", "observed", "low", "high")
    return draw_lines(
        [Line("observed", x, y, low, high, points=True)],
        key=key,
        title="Observed against predicted values",
        description=(
            f"Mean distance {format_number(part['expected_calibration_error'], 3)}, "
            f"bias {format_number(part['bias'], 3)}."
        ),
        x_label="mean prediction of the rows of a bin",
        y_label="mean of the true values",
        marks=Marks(diagonal=True),
    )


def _class_line(one: Facts) -> Line:
    predicted, observed = _columns(one["bins"], "predicted", "observed")
    return Line(str(one["label"]), predicted, observed, points=True)


def _columns(bins: list[Facts], *names: str) -> list[list[float | None]]:
    return [[one[name] for one in bins] for name in names]


def _ends(one: Facts, write: object) -> Markup:
    if write is percent:
        return percent(one["low"]) + Markup(" to ") + percent(one["high"])
    return interval(one["low"], one["high"])


def _cost_without_model(cost: Facts) -> float:
    """Return what calling all rows alike costs, the cheaper of both ways."""
    known = [cost[way] for way in ("cost_of_none", "cost_of_all") if cost[way] is not None]
    return float(min(known, default=1.0))


def _cost_in_words(cost: Facts) -> str:
    return (
        f"a miss costs {format_number(cost['miss_cost'])}: threshold "
        f"{_short(cost['best_threshold'])}, mean cost {_short(cost['best_cost'])}"
    )


def _short(value: float | None) -> str:
    return format_number(value, 3)
