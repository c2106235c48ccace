"""Save and load models: one zip archive with a manifest, records, arrays and trees.

A ``.nonet`` file holds no code. Its records name classes by keys of closed tables, its arrays are
plain, its trees are checked node by node.
"""

from __future__ import annotations

import json
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from nonet._base.archive_file import PathOrFile, open_archive, write_archive_file
from nonet._base.errors import ModelFileError, show
from nonet.persist.codecs.codec import RECORDS
from nonet.persist.manifest import KIND_OF_FILE, check_manifest, make_manifest


def save(
    model: Any, path_or_file: PathOrFile, *, compression: int = 0, trust: str | None = None
) -> None:
    """Save a fitted model to a file, without pickle.

    The file is written completely or not at all: a writer that is killed leaves the old file.

    Parameters
    ----------
    model : estimator
        Any fitted estimator of nonet, or one of scikit-learn's in the list of the guide (linear
        models, trees, neighbors, pipelines, ...); members may be any of these.
    path_or_file : str, path or binary file
        Where to; ``.nonet`` is the usual suffix.
    compression : int, default=0
        Level of compression, from 0 (the fastest to load) to 9 (the smallest file). The model is
        the same.
    trust : {None, 'pickle'}, default=None
        'pickle' stores objects for which the format has no form as pickles. Such a file runs code
        when it is loaded, and `load` needs the same argument.

    Returns
    -------
    None

    Raises
    ------
    ModelFileError
        If the model is not fitted, holds something that a file cannot hold, or cannot be written.

    See Also
    --------
    load : Load it.
    describe_file : What is in a file.

    Examples
    --------
    >>> import io
    >>> from sklearn.datasets import load_iris
    >>> import nonet
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = nonet.RandomForestClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> file = io.BytesIO()
    >>> nonet.save(forest, file)
    >>> file.seek(0)
    0
    >>> loaded = nonet.load(file)
    >>> bool((loaded.predict_proba(X) == forest.predict_proba(X)).all())
    True
    """
    _check_choice("trust", trust, (None, "pickle"))
    _check_choice("compression", compression, range(10))
    _check_is_model(model)
    manifest, parts = _content(model, trust)
    write_archive_file(path_or_file, manifest, parts, compression)


def load(
    path_or_file: PathOrFile, *, trust: str | None = None, max_bytes: int | None = None
) -> Any:
    """Load a model that `save` wrote, without running code from the file.

    Parameters
    ----------
    path_or_file : str, path or binary file
        The file.
    trust : {None, 'pickle'}, default=None
        'pickle' reads pickled objects in the file, which can run any code: give it only for files
        whose origin you trust.
    max_bytes : int, optional
        Limit of the memory for the parts of the file when they are unpacked; 8 GiB by default.

    Returns
    -------
    model : estimator
        Its predictions are equal to those of the saved model, bit for bit.

    Raises
    ------
    ModelFileError
        If there is no such file, or if it is damaged, of another version, not a model file, or
        larger than `max_bytes`.

    See Also
    --------
    save : Save a model.
    describe_file : What is in a file, without making the model.

    Examples
    --------
    >>> import nonet
    >>> nonet.load("old.nonet")
    Traceback (most recent call last):
        ...
    nonet._base.errors.ModelFileError: 'old.nonet' cannot be read: no such file or directory.
    """
    from nonet.persist.codecs.nonet_classes import is_class_of
    from nonet.persist.decoder import Decoder

    _check_choice("trust", trust, (None, "pickle"))
    with open_archive(path_or_file, KIND_OF_FILE, max_bytes) as archive:
        reads_sklearn = check_manifest(archive)
        if archive.manifest.get("trust") and trust is None:
            raise ModelFileError(
                f"{archive.label} holds pickled objects, which run code when they are read; if you "
                'trust who wrote it, give trust="pickle" to load.'
            )
        decoder = Decoder(archive, trust=trust, reads_sklearn=reads_sklearn)
        content = decoder.mapping(archive.read_json(RECORDS))
        model = decoder.make(content.get("objects"), content.get("root"))
        decoder.trees.finish()  # also those that no record names
        if not is_class_of(model, archive.manifest["class"]):
            raise archive.damaged("its manifest describes another model")
        return model


def _content(model: Any, trust: str | None) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the manifest and the parts of a model."""
    from nonet.persist.encoder import Encoder

    encoder = Encoder(type(model).__name__, trust)
    root = encoder.value(model)
    records = {"objects": encoder.records, "root": root}
    text = json.dumps(records, separators=(",", ":"), allow_nan=False)
    parts = {RECORDS: text.encode(), **encoder.trees.parts(), **encoder.parts}
    has_pickles = any(name.startswith("pickles/") for name in parts)
    manifest = make_manifest(model, uses_sklearn=encoder.uses_sklearn, has_pickles=has_pickles)
    return manifest, parts


# ---- Checks of arguments -------------------------------------------------------------------------


def _check_is_model(model: Any) -> None:
    if isinstance(model, type) or not hasattr(model, "fit"):
        raise ModelFileError(
            f"save needs a fitted estimator, but got {show(model)}; other objects have no form in "
            "a model file."
        )
    try:
        check_is_fitted(model)
    except (NotFittedError, TypeError) as why:
        raise ModelFileError(
            f"this {type(model).__name__} cannot be saved, because it is not fitted; call fit "
            "first."
        ) from why


def _check_choice(name: str, value: Any, allowed: Any) -> None:
    if isinstance(value, bool) or value not in allowed:
        choices = " or ".join(map(repr, allowed)) if len(allowed) < 5 else "from 0 to 9"
        raise ModelFileError(f"{name} must be {choices}, but got {show(value)}.")
