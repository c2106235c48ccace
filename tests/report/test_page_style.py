"""Colours of the page: enough contrast, and tones that the colour-blind can distinguish."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import nonet.report.page

STYLE = (Path(nonet.report.page.__file__).parent / "templates/style.css").read_text("utf-8")
SCHEMES = ("light", "dark", "print")
# Machado, Oliveira and Fernandes (2009): what people without red or green cones see (linear RGB).
DEFICIENCIES = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
}  # fmt: skip


def variables(scheme):
    """Return the colours of a scheme, with those of the light one where it sets none."""
    blocks = re.findall(r":root \{(.*?)\n\s*\}", STYLE, re.S)
    assert len(blocks) == len(SCHEMES)
    pairs = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block)) for block in blocks]
    return pairs[0] | pairs[SCHEMES.index(scheme)]


def linear(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    values = np.array([int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(first, second):
    """Return the contrast of two colours as WCAG 2 defines it."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted(float(linear(c) @ weights) for c in (first, second))
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    """Return linear RGB in CIELAB, in which distances are about those that people see."""
    matrix = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = matrix @ np.clip(rgb, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ground", ["paper", "ground", "alert"])
@pytest.mark.parametrize("text", ["ink", "muted", "accent", "good", "bad"])
def test_text_has_the_contrast_of_wcag_aa(scheme, ground, text):
    colours = variables(scheme)
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    "tone", [*(f"tone-{i}" for i in range(6)), *(f"shade-{i}" for i in range(5))]
)
def test_figures_have_the_contrast_of_wcag_aa(scheme, tone):
    colours = variables(scheme)
    assert contrast(colours[tone], colours["paper"]) >= 3.0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("deficiency", sorted(DEFICIENCIES))
def test_tones_of_lines_differ_for_the_colour_blind(scheme, deficiency):
    colours, matrix = variables(scheme), np.array(DEFICIENCIES[deficiency])
    seen = [lab(matrix @ linear(colours[f"tone-{i}"])) for i in range(4)]
    distances = [float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2)]
    assert min(distances) > 10


def test_shade_of_heat_maps_leaves_numbers_readable():
    strongest = float(re.search(r"path\.heat-10 \{ fill-opacity: ([.\d]+)", STYLE)[1])
    for scheme in SCHEMES:
        colours = variables(scheme)
        for tone in ("tone-0", "tone-1"):
            mixed = _mixed(colours[tone], colours["paper"], strongest)
            assert contrast(colours["ink"], mixed) >= 4.5


def _mixed(front, back, opacity):
    def channels(colour):
        full = colour if len(colour) == 7 else "#" + "".join(2 * c for c in colour[1:])
        return [int(full[i : i + 2], 16) for i in (1, 3, 5)]

    pairs = zip(channels(front), channels(back), strict=True)
    return "#" + "".join(f"{round(opacity * f + (1 - opacity) * b):02x}" for f, b in pairs)
