"""Losses of scikit-learn's boosting and generalized linear models, made again by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn._loss import loss as losses

from nonet.persist.codecs.codec import Codec, Record
from nonet.persist.codecs.sklearn_objects import check_may_read

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder

# The losses, and the argument that each is made with; the compiled loss remembers it.
_ARGUMENTS: dict[type, str | None] = {
    losses.HalfSquaredError: None,
    losses.AbsoluteError: None,
    losses.HalfPoissonLoss: None,
    losses.HalfGammaLoss: None,
    losses.HalfBinomialLoss: None,
    losses.ExponentialLoss: None,
    losses.PinballLoss: "quantile",
    losses.HuberLoss: "delta",
    losses.HalfTweedieLoss: "power",
    losses.HalfTweedieLossIdentity: "power",
    losses.HalfMultinomialLoss: "n_classes",
}
_NAMES = {kind.__name__: kind for kind in _ARGUMENTS}
_FLAGS = ("approx_hessian", "constant_hessian")


def _encode(loss: Any, out: Encoder) -> Record:
    out.uses_sklearn = True
    argument = _ARGUMENTS[type(loss)]
    record: Record = {"class": type(loss).__name__}
    if argument == "n_classes":
        record["argument"] = int(loss.n_classes)
    elif argument is not None:
        record["argument"] = float(getattr(loss.closs, argument))
    if isinstance(loss, losses.HuberLoss):
        record["quantile"] = float(loss.quantile)
    return record | {flag: bool(getattr(loss, flag)) for flag in _FLAGS}


def _decode(record: Record, source: Decoder) -> Any:
    check_may_read(source)
    kind = _NAMES.get(source.text(record.get("class")))
    if kind is None:
        raise source.damaged("it names a loss that is not in the table")
    argument = _ARGUMENTS[kind]
    given = {} if argument is None else {argument: _number(record.get("argument"), source)}
    if argument == "n_classes":
        given = {"n_classes": source.number(record.get("argument"), 2, 1 << 31)}
    if kind is losses.HuberLoss:
        given["quantile"] = _number(record.get("quantile"), source)
    try:
        loss = kind(**given)
    except ValueError as why:
        raise source.damaged("it has a loss with an argument out of range") from why
    for flag in _FLAGS:
        setattr(loss, flag, record.get(flag) is True)
    return loss


def _number(value: Any, source: Decoder) -> float:
    if type(value) not in (int, float):
        raise source.damaged("it has a loss without its argument")
    return float(value)


CODECS = (Codec("sklearn_loss", tuple(_ARGUMENTS), _encode, _decode),)
