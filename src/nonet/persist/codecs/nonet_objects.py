"""Objects of nonet's own classes: estimators, rules F and C, losses, members, results."""

from __future__ import annotations

from functools import cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from nonet._native.tree import Tree, TreeSum
from nonet.bagging.forest.fitted_forest import GrownTrees
from nonet.boosting.gradient.booster import Booster
from nonet.persist.codecs.codec import Codec, Record
from nonet.persist.codecs.instances import (
    ClassRule,
    decode_state,
    encode_state,
    need,
)
from nonet.persist.codecs.nonet_classes import FORMER_NAMES, nonet_classes
from nonet.trees.tree_view import TreeView

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder


# ---- What is checked -----------------------------------------------------------------------------


def _check_view(view: TreeView) -> None:
    need(type(view._native) is Tree, "there is no tree")
    n_classes = view._n_classes
    need(type(n_classes) is tuple and all(type(n) is int and n >= 1 for n in n_classes), "no sizes")
    need(sum(n_classes) == view._native.n_outputs, "the tree has other outputs")
    need(type(view._categories) is dict, "there are no categories")


def _check_forest(forest: GrownTrees) -> None:
    if "_trees" not in vars(forest):  # not fitted
        return
    need(type(forest._trees) is TreeSum, "there are no trees")
    trees = forest._trees.trees
    n_columns = getattr(forest, "n_features_in_", None)
    need(all(tree.n_columns == n_columns for tree in trees), "trees have other columns")
    bags = vars(forest).get("_bags", [])
    need(type(bags) is list and len(bags) in (0, len(trees)), "trees have other bags")


def _check_booster(booster: Booster) -> None:
    rounds = booster.rounds
    # Without loops in Python: a booster has thousands of rounds.
    need(type(rounds) is list and set(map(type, rounds)) <= {list}, "no rounds")
    trees = list(chain.from_iterable(rounds))
    need(set(map(type, trees)) <= {Tree}, "there are no trees")
    need(len(set(map(attrgetter("n_columns"), trees))) <= 1, "trees have different columns")


_OWN = ClassRule(fills_parameters=True)


@cache
def _rules() -> dict[type, ClassRule]:
    rules = {TreeView: ClassRule(restore=_check_view), Booster: ClassRule(restore=_check_booster)}
    forests = {kind for kind in nonet_classes().values() if issubclass(kind, GrownTrees)}
    return rules | dict.fromkeys(forests, ClassRule(restore=_check_forest, fills_parameters=True))


def rule_of(kind: type) -> ClassRule:
    """Return how objects of a class of nonet are stored."""
    return _rules().get(kind, _OWN)


# ---- Codecs ------------------------------------------------------------------------------------


def _encode(thing: Any, out: Encoder) -> Record:
    kind = type(thing)
    return {"class": kind.__name__, "state": encode_state(thing, rule_of(kind), out)}


def _decode(record: Record, source: Decoder) -> Any:
    name = source.text(record.get("class"))
    kind = nonet_classes().get(name)
    if kind is None:
        raise source.damaged(f"it names the class {name[:80]!r}, which nonet does not have")
    return decode_state(kind, rule_of(kind), record, source)


def _encode_tree(tree: Tree, out: Encoder) -> Record:
    ((group, position),) = out.trees.locate([tree])
    return {"trees": group, "start": position}


def _decode_tree(record: Record, source: Decoder) -> Tree:
    return source.trees.take(record.get("trees"), record.get("start"), 1)[0]


def _encode_tree_sum(sum_: TreeSum, out: Encoder) -> Record:
    return {"members": out.value(sum_.trees)}


def _decode_tree_sum(record: Record, source: Decoder) -> TreeSum:
    trees = source.field(record, "members")
    if type(trees) is not list or not trees or not all(type(tree) is Tree for tree in trees):
        raise source.damaged("a sum of trees in it has no trees")
    if len({(tree.n_columns, tree.n_outputs) for tree in trees}) > 1:
        raise source.damaged("a sum of trees in it has trees of different sizes")
    return TreeSum(trees)


def codecs() -> tuple[Codec, ...]:
    """Return the codecs of nonet's own objects."""
    own = [kind for name, kind in nonet_classes().items() if name not in FORMER_NAMES]
    return (
        Codec("nonet", tuple(own), _encode, _decode),
        Codec("tree", (Tree,), _encode_tree, _decode_tree),
        Codec("tree_sum", (TreeSum,), _encode_tree_sum, _decode_tree_sum),
    )
