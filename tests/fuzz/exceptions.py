"""Cases that end otherwise on purpose; each names its reason, and fails once it is not needed."""

from __future__ import annotations

ONE_GROUP = "k-means finds one group where all rows are equal, so that a member would learn nothing"
RIDGE_TAKES = "Ridge of scikit-learn fits what it refuses at predict"
PENALTY = "the penalty of the final model outweighs the data, as in scikit-learn"
TWO_COLUMNS = "as in scikit-learn: probabilities of one class stand beside those of any other"
TIES = "nearest rows or centres at equal distance swap with the rounding of sparse sums"
READS_TABLES = "the auto-ensembler reads words as categories, and mixed types as text"
BY_NAME = "the auto-ensembler repairs names, and finds the columns that it uses by name"

EXCEPTIONS: dict[tuple[str, str, str], str] = {
    **{
        (f"Routed{task}", group, name): ONE_GROUP
        for task in ("Classifier", "Regressor")
        for group, name in (
            ("values", "all the same number"),
            ("values", "all zeros"),
            ("layouts", "rows that share their memory"),
        )
    },
    **{
        (f"{kind}Regressor", group, name): RIDGE_TAKES
        for kind in ("Voting", "Routed")
        for group, name in (
            ("dtypes", "numbers as bytes"),
            ("dtypes", "numbers as text"),
            ("dtypes", "dates"),
            ("dtypes", "durations"),
            ("frames", "pandas Decimals"),
        )
    },
    ("OneVsRestClassifier", "labels", "classes: one class"): TWO_COLUMNS,
    ("OneVsRestClassifier", "labels", "classes: one class of text"): TWO_COLUMNS,
    ("OneVsRestClassifier", "shapes", "one row"): TWO_COLUMNS,
    ("GatedRegressor", "sparse", "booleans"): TIES,
    ("GatedRegressor", "frames", "pandas sparse columns"): TIES,
    ("RoutedClassifier", "sparse", "booleans"): TIES,
    ("RoutedRegressor", "sparse", "booleans"): TIES,
    ("StackingClassifier", "weights", "all 1e-06"): PENALTY,
    ("StackingClassifier", "weights", "all 1e-12"): PENALTY,
    ("StackingRegressor", "labels", "numbers times 1e-30"): PENALTY,
    **{
        (f"AutoEnsemble{task}", group, name): READS_TABLES
        for task in ("Classifier", "Regressor")
        for group, name in (
            ("dtypes", "words"),
            ("dtypes", "a word among objects"),
            ("dtypes", "a huge int among objects"),
            ("dtypes", "a class among objects"),
            ("refits", "refit fails: words"),
        )
    },
    **{
        (f"AutoEnsemble{task}", group, name): BY_NAME
        for task in ("Classifier", "Regressor")
        for group, name in (
            ("frames", "names of two kinds"),
            ("predict", "names permuted"),
            ("predict", "a name too many"),
            ("predict", "names of two kinds"),
            ("predict", "one name of another letter"),
            ("predict", "a name missing"),
        )
    },
}
