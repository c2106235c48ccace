"""Every result object can be printed, and offers a picture only if it has one.

Issue 18, item A.14: `virtual_ensemble` of a regressor could not be printed, and `plot` of an
`OutOfBagCurve`, as of twenty other results, raised an error.
"""

from __future__ import annotations

import pytest
from matplotlib.axes import Axes

import nonet.plots
from contracts import public
from contracts.results import MAKERS, every_result, result_classes
from nonet._base.results import PlottableResult

RESULTS = [pytest.param(*case, id=case[0].__name__) for case in every_result()]


def test_every_result_object_has_an_instance():
    assert public.modules()
    assert result_classes() == set(MAKERS)


@pytest.mark.parametrize(("kind", "maker"), RESULTS)
def test_result_can_be_printed(kind, maker):
    result = maker()
    assert type(result) is kind
    assert str(result).startswith(kind.__name__)
    assert kind.__name__ in result._repr_html_()


@pytest.mark.parametrize(("kind", "maker"), RESULTS)
def test_result_offers_a_picture_if_and_only_if_it_has_one(kind, maker):
    assert hasattr(kind, "plot") == issubclass(kind, PlottableResult)
    if hasattr(kind, "plot"):
        assert kind._plot in nonet.plots.__all__
        assert isinstance(maker().plot(), Axes)
