"""Durations as people write them."""

import math
from argparse import ArgumentTypeError

import pytest

from nonet.cli.duration import duration_as_text, duration_in_words, parse_duration

SECONDS = {
    "10m": 600,
    "10 min": 600,
    "1h": 3600,
    "1h30m": 5400,
    "1H 30M": 5400,
    "2d": 172_800,
    "90s": 90,
    "90": 90,
    "0.5h": 1800,
    "1.5": 1.5,
}


@pytest.mark.parametrize("text", SECONDS)
def test_duration_has_its_seconds(text):
    assert parse_duration(text) == SECONDS[text]


@pytest.mark.parametrize("text", ["", "ten", "10x", "m", "-5s", "0", "1h-", "inf", "nan", "10mm"])
def test_rejects_what_is_no_duration(text):
    with pytest.raises(ArgumentTypeError, match="10m"):
        parse_duration(text)


def test_none_is_no_limit():
    assert math.isinf(parse_duration("none"))
    assert duration_in_words(math.inf) == duration_in_words(None) == "no limit"


@pytest.mark.parametrize("text", SECONDS)
def test_duration_is_read_back(text):
    seconds = parse_duration(text)
    assert parse_duration(duration_as_text(seconds)) == seconds


def test_words_leave_out_what_is_zero():
    assert duration_in_words(3600) == "1 h"
    assert duration_in_words(90) == "1 min 30 s"
