"""Objects of scikit-learn: a closed table of classes, one file per family.

Most attributes are private to scikit-learn, so that a file is read by the versions only that are
known to have the same ones. A few small classes, which nonet's own ensembles keep, have had the
same attributes in all versions. Where attributes reach native code, which indexes memory without
checks, the file of the family checks them first.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from nonet.persist.codecs.codec import Codec, Record
from nonet.persist.codecs.instances import ClassRule, decode_state, encode_state

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder


@cache
def rules() -> dict[type, ClassRule]:
    """Return the rules of all classes of scikit-learn that a file can hold."""
    from nonet.persist.codecs.sklearn_families import (
        bayes,
        boosting,
        calibrated,
        clusters,
        decomposition,
        discriminant,
        dummies,
        encoders,
        ensembles,
        forests,
        imputers,
        linear,
        neighbors,
        neural,
        outliers,
        pipelines,
        polynomials,
        scalers,
        splitters,
        support_vectors,
        terms,
        trees,
    )

    table: dict[type, ClassRule] = {}
    for family in (
        bayes, boosting, calibrated, clusters, decomposition, discriminant, dummies, encoders,
        ensembles, forests, imputers, linear, neighbors, neural, outliers, pipelines, polynomials,
        scalers, splitters, support_vectors, terms, trees,
    ):  # fmt: skip
        table |= family.RULES
    return table


@cache
def _classes() -> dict[str, type]:
    return {kind.__name__: kind for kind in rules()}


def _encode(thing: Any, out: Encoder) -> Record:
    kind = type(thing)
    out.uses_sklearn |= not rules()[kind].is_stable
    return {"class": kind.__name__, "state": encode_state(thing, rules()[kind], out)}


def _decode(record: Record, source: Decoder) -> Any:
    name = source.text(record.get("class"))
    kind = _classes().get(name)
    if kind is None:
        raise source.damaged(f"it names the class {name[:80]!r}, which is not in the table")
    if not rules()[kind].is_stable:
        check_may_read(source)
    return decode_state(kind, rules()[kind], record, source)


def check_may_read(source: Decoder) -> None:
    """Raise unless the file names a range of versions of scikit-learn."""
    if not source.reads_sklearn:
        raise source.damaged("it has objects of scikit-learn, but names no version of it")


def codecs() -> tuple[Codec, ...]:
    """Return the codecs of scikit-learn's objects."""
    from nonet.persist.codecs import sklearn_losses, sklearn_trees, splines

    return (
        Codec("sklearn", tuple(rules()), _encode, _decode),
        *sklearn_trees.CODECS,
        *sklearn_losses.CODECS,
        *splines.CODECS,
    )
