"""What a model file holds, without making the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nonet._base.archive_file import PathOrFile, open_archive
from nonet._base.results import Result
from nonet.persist.manifest import KIND_OF_FILE, check_format


@dataclass(frozen=True)
class ModelFileDescription(Result):
    """What the manifest of a model file reports.

    Attributes
    ----------
    class_name : str
        The class of the model.
    parameters : dict
        Its parameters; those that are not numbers, names or lists of these as text.
    classes : list or None
        The classes of a classifier, or those of each target; None for other models.
    columns : dict
        The columns that the model reads: ``count``, ``names``, ``dtypes`` and ``categories``.
    facts : dict
        Fitted attributes that are numbers or names.
    written_by : dict of str to str
        Versions of Python and of the libraries that wrote the file.
    requires : dict
        For scikit-learn, if its objects are in the file: the first version that reads it, and the
        first later one that does not.
    trust : list of str
        ``['pickle']`` if the file holds pickled objects.
    format_version : int
        Version of the format.
    part_bytes : dict of str to int
        Bytes of each part in the file.

    See Also
    --------
    nonet.describe_file : Describe a file.

    Examples
    --------
    >>> import io
    >>> import nonet
    >>> file = io.BytesIO()
    >>> nonet.save(nonet.DecisionTreeRegressor().fit([[0.0], [1.0]], [3.0, 5.0]), file)
    >>> file.seek(0)
    0
    >>> about = nonet.describe_file(file)
    >>> about.facts["n_features_in_"], sorted(about.part_bytes)
    (1, ['manifest.json', 'model.json', 'trees/0_0.trees'])
    """

    _shown = ("class_name", "parameters", "classes", "columns", "facts", "written_by", "n_bytes")

    class_name: str
    parameters: dict[str, Any]
    classes: Any
    columns: dict[str, Any]
    facts: dict[str, Any]
    written_by: dict[str, str]
    requires: dict[str, Any]
    trust: list[str]
    format_version: int
    part_bytes: dict[str, int]

    @property
    def n_bytes(self) -> int:
        """Bytes of all parts together."""
        return sum(self.part_bytes.values())


def describe_file(path_or_file: PathOrFile, *, verify: bool = False) -> ModelFileDescription:
    """Describe a model file, without making the model.

    Only the manifest is read: neither the records nor the arrays of the model. A file of another
    version of scikit-learn, or one with pickled objects, is described as well.

    Parameters
    ----------
    path_or_file : str, path or binary file
        The file.
    verify : bool, default=False
        Whether all parts are read, and their SHA-256 compared with the manifest. `load` compares
        the shorter CRC-32, which finds damage as well; the SHA-256 also shows that no part was
        exchanged for one of another model.

    Returns
    -------
    description : ModelFileDescription

    Raises
    ------
    ModelFileError
        If it is not a model file, or, with `verify`, if a part is damaged or not its own.

    See Also
    --------
    save : Save a model.
    load : Load a model.

    Examples
    --------
    >>> import io
    >>> from sklearn.datasets import load_iris
    >>> import nonet
    >>> X, y = load_iris(return_X_y=True)
    >>> file = io.BytesIO()
    >>> nonet.save(nonet.DecisionTreeClassifier(max_depth=2).fit(X, y), file)
    >>> file.seek(0)
    0
    >>> about = nonet.describe_file(file)
    >>> about.class_name, about.classes, about.parameters["max_depth"], about.columns["count"]
    ('DecisionTreeClassifier', [0, 1, 2], 2, 4)
    """
    with open_archive(path_or_file, KIND_OF_FILE) as archive:
        manifest = check_format(archive)
        if verify:
            archive.verify()
        return ModelFileDescription(
            class_name=manifest["class"],
            parameters=manifest["parameters"],
            classes=manifest["classes"],
            columns=manifest["columns"],
            facts=manifest["facts"],
            written_by=manifest["written_by"],
            requires=manifest["requires"],
            trust=manifest["trust"],
            format_version=manifest["version"],
            part_bytes=archive.sizes,
        )
