"""Every public name explains itself, and what it shows is true."""

from __future__ import annotations

import doctest
import inspect

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


def documented_names(document):
    return [
        name.strip(" *")
        for parameter in document["Parameters"]
        for name in parameter.name.split(",")
        if not name.strip().startswith("*")
    ]


@pytest.mark.parametrize("name", public.module_names())
def test_examples_in_docstrings_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (module,) = [module for module in public.modules() if module.__name__ == name]
    finished = doctest.testmod(module, optionflags=OPTIONS)
    assert finished.failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_public_name_has_a_summary_and_examples(name):
    document = sections(NAMES[name])
    assert "".join(document["Summary"]).strip()
    assert document["Examples"], f"{name} has no Examples section"


@pytest.mark.parametrize("name", NAMES)
def test_public_name_documents_its_parameters_in_order(name):
    thing = NAMES[name]
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        return
    assert documented_names(sections(thing)) == parameter_names(thing)


@pytest.mark.parametrize("name", [name for name in NAMES if not inspect.isclass(NAMES[name])])
def test_public_function_says_what_it_returns(name):
    document = sections(NAMES[name])
    assert document["Returns"] or document["Yields"], f"{name} has no Returns section"


@pytest.mark.parametrize("kind", public.estimator_classes(), ids=lambda kind: kind.__name__)
def test_estimator_documents_its_fitted_attributes(kind):
    documented = {attribute.name for attribute in ClassDoc(kind)["Attributes"]}
    assert {"n_features_in_", "feature_names_in_"} <= documented
