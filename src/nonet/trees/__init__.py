"""Single trees: decision trees, extra trees, stumps; explanations of tree models; shared bins."""

from nonet.trees.binned_table import BinnedTable, open_bins
from nonet.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from nonet.trees.dependence import TreeDependence, tree_dependence
from nonet.trees.export import export_text
from nonet.trees.extra_tree import ExtraTreeClassifier, ExtraTreeRegressor
from nonet.trees.importance import column_importances
from nonet.trees.shap import ShapInteractions, ShapValues, shap_interactions, shap_values
from nonet.trees.shap_package import to_explanation, to_shap
from nonet.trees.shared_bins import share_bins
from nonet.trees.stump import DecisionStump
from nonet.trees.tree_view import TreeView

__all__ = [
    "BinnedTable",
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "ShapInteractions",
    "ShapValues",
    "TreeDependence",
    "TreeView",
    "column_importances",
    "export_text",
    "open_bins",
    "shap_interactions",
    "shap_values",
    "share_bins",
    "to_explanation",
    "to_shap",
    "tree_dependence",
]
