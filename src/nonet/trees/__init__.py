"""Single trees: decision trees, extra trees, the stump, and what can be asked of them."""

from nonet.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from nonet.trees.export import export_text
from nonet.trees.extra_tree import ExtraTreeClassifier, ExtraTreeRegressor
from nonet.trees.importance import ShapValues, column_importances, shap_values
from nonet.trees.stump import DecisionStump
from nonet.trees.tree_view import TreeView

__all__ = [
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "ShapValues",
    "TreeView",
    "column_importances",
    "export_text",
    "shap_values",
]
