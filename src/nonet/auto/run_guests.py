"""What guests change about a run: what its folder cannot hold, and how its model is saved."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from typing import Any

from nonet._base.errors import ModelFileError
from nonet.auto.store import RunFolderError, Store
from nonet.persist import save


def check_extra_members(
    folder: Any, names: Sequence[str], extra_members: Mapping[str, Any] | None
) -> None:
    """Raise if a run is resumed without a word on the estimators that its user had given.

    Parameters
    ----------
    folder : path
        Of the run.
    names : sequence of str
        The names of its extra members.
    extra_members : dict of str to estimator, or None
        Those given now.
    """
    if names and extra_members is None:
        shown = ", ".join(map(repr, names))
        raise RunFolderError(
            f"the run in {os.fspath(folder)!r} has the extra members {shown}, which a folder "
            "cannot hold; give resume the same extra_members again, or {} to go on without them."
        )


def names_without_file(store: Store) -> list[str]:
    """Return the configurations some of whose models have no form in a file.

    Parameters
    ----------
    store : Store
        Of a run in a folder.
    """
    found = {one.configuration for one in store.records() if one.kept_model == "memory"}
    return sorted(found)


def names_in_memory(store: Store) -> list[str]:
    """Return those of them whose models this process has fitted."""
    records = [one for one in store.records() if one.kept_model == "memory"]
    return sorted({one.configuration for one in records if store.has_model(one.key)})


def note_on_files(names: Sequence[str]) -> list[str]:
    """Return the note on models that are in memory alone; none if there are none."""
    if not names:
        return []
    shown = ", ".join(map(repr, names))
    return [f"the models of {shown} have no form in a file: a resumed run fits them again."]


def note_on_refits(names: Sequence[str]) -> list[str]:
    """Return the note of a resumed run on models that were fitted again; none if none were."""
    if not names:
        return []
    shown = ", ".join(map(repr, names))
    return [f"fitted again, because their models have no form in a file: {shown}."]


def without_unused_extras(model: Any) -> Any:
    """Return a model without the extra members that are not in its ensemble, for a file."""
    given = model.extra_members or {}
    used = {name: one for name, one in given.items() if name in model._guest_names}
    if len(used) == len(given):
        return model
    reduced = copy.copy(model)
    reduced.extra_members = used or None
    return reduced


def save_model(model: Any, path: Any, trust: str | None) -> None:
    """Save the model of a run; the error for guests names them and the way out.

    Parameters
    ----------
    model : estimator
    path : str or path
    trust : {None, 'pickle'}
    """
    try:
        save(without_unused_extras(model), path, trust=trust)
    except ModelFileError as why:
        if trust is not None or not model._guest_names or isinstance(why.__cause__, OSError):
            raise
        shown = ", ".join(map(repr, model._guest_names))
        raise ModelFileError(
            f"the ensemble holds models of other libraries, {shown}, for which a model file has "
            'no form; give trust="pickle" here and to nonet.load if all readers may run code from '
            "the file, or search without them."
        ) from why
