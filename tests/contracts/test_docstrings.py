"""Every public name explains itself, and what it shows is true."""

from __future__ import annotations

import doctest
import inspect
import re
from dataclasses import fields, is_dataclass

import pytest
from numpydoc.docscrape import ClassDoc, FunctionDoc

from contracts import public

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
NAMES = public.everything()


def sections(thing):
    return ClassDoc(thing) if inspect.isclass(thing) else FunctionDoc(thing)


def parameter_names(thing):
    skipped = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    signature = inspect.signature(thing)
    return [p.name for p in signature.parameters.values() if p.kind not in skipped]


# Examples about models of another library, which `make check` installs.
PEERS_OF_EXAMPLES = {
    "nonet.persist.imported.from_catboost": "catboost",
    "nonet.persist.imported.from_lightgbm": "lightgbm",
    "nonet.persist.imported.from_xgboost": "xgboost",
    "nonet.persist.onnx.to_onnx": "onnxruntime",
    "nonet.persist.treelite.to_treelite": "treelite",
}


def is_called(thing):
    """Return whether users call it, unlike results, exceptions and parent classes."""
    is_raised = inspect.isclass(thing) and issubclass(thing, BaseException)
    return not (is_dataclass(thing) or is_raised) and thing not in public.RULE_PARENTS


def documented_names(document, section="Parameters"):
    return [
        name.strip(" *")
        for parameter in document[section]
        for name in parameter.name.split(",")
        if not name.strip().startswith("*")
    ]


def test_shared_docs_are_filled_in():
    """Issue 19, part 2: entries that docstrings share are written once and named in braces."""
    named = re.compile(r"^\s*\{[a-z]\w*\}$", re.MULTILINE)
    unfilled = {name: named.findall(inspect.getdoc(thing) or "") for name, thing in NAMES.items()}
    assert {name: left for name, left in unfilled.items() if left} == {}


@pytest.mark.parametrize("name", public.module_names())
def test_examples_in_docstrings_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name in PEERS_OF_EXAMPLES:
        pytest.importorskip(PEERS_OF_EXAMPLES[name])
    (module,) = [module for module in public.modules() if module.__name__ == name]
    finished = doctest.testmod(module, optionflags=OPTIONS)
    assert finished.failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_public_name_has_a_summary(name):
    assert "".join(sections(NAMES[name])["Summary"]).strip()


@pytest.mark.parametrize("name", NAMES)
def test_public_name_has_examples(name):
    assert sections(NAMES[name])["Examples"], f"{name} has no Examples section"


@pytest.mark.parametrize("name", [name for name, thing in NAMES.items() if is_called(thing)])
def test_public_name_documents_its_parameters_in_order(name):
    assert documented_names(sections(NAMES[name])) == parameter_names(NAMES[name])


@pytest.mark.parametrize("name", [name for name, thing in NAMES.items() if is_dataclass(thing)])
def test_result_object_documents_its_fields_in_order(name):
    own = [field.name for field in fields(NAMES[name])]
    assert documented_names(sections(NAMES[name]), "Attributes") == own


@pytest.mark.parametrize("name", [name for name in NAMES if not inspect.isclass(NAMES[name])])
def test_public_function_says_what_it_returns(name):
    document = sections(NAMES[name])
    assert document["Returns"] or document["Yields"], f"{name} has no Returns section"


@pytest.mark.parametrize("kind", public.estimator_classes(), ids=lambda kind: kind.__name__)
def test_estimator_documents_its_fitted_attributes(kind):
    documented = {attribute.name for attribute in ClassDoc(kind)["Attributes"]}
    assert {"n_features_in_", "feature_names_in_"} <= documented
