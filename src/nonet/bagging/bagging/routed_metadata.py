"""Metadata routing from an ensemble to its learners, as defined by scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from nonet._base.aliases import Params


def name_prototypes(prototypes: Sequence[Any]) -> dict[str, Any]:
    """Return the learners by the names under which metadata are routed to them."""
    if len(prototypes) == 1:
        return {"estimator": prototypes[0]}
    return {f"estimator_{position}": model for position, model in enumerate(prototypes)}


def make_router(owner: Any, prototypes: Sequence[Any], callees: dict[str, str]) -> MetadataRouter:
    """Return the router: each method of the ensemble calls one method of its learners."""
    mapping = MethodMapping()
    for caller, callee in callees.items():
        mapping.add(caller=caller, callee=callee)
    router = MetadataRouter(owner=owner).add_self_request(owner)
    return router.add(method_mapping=mapping, **name_prototypes(prototypes))


def route(
    owner: Any, prototypes: Sequence[Any], caller: str, callee: str, params: Params
) -> list[Params]:
    """Return the metadata to pass to each learner's method."""
    if not params:
        return [{} for _ in prototypes]
    if not get_config()["enable_metadata_routing"]:
        raise ValueError(
            f"{type(owner).__name__}.{caller} got {sorted(params)}, which it passes on only with "
            "sklearn.set_config(enable_metadata_routing=True)."
        )
    routed = process_routing(owner, caller, **params)
    return [dict(routed[name][callee]) for name in name_prototypes(prototypes)]
