"""What the docstrings of the command line show is true."""

import doctest
import pkgutil
from importlib import import_module

import pytest

from nonet import cli

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MODULES = [f"nonet.cli.{found.name}" for found in pkgutil.iter_modules(cli.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, folder):
    assert doctest.testmod(import_module(name), optionflags=OPTIONS).failed == 0
