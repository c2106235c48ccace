"""The page of a report in a real browser: what `make page` runs.

The file is not named ``test_*.py``, so that `make test` does without a browser:

    python -m pytest tests/report/browser/check_page.py

The browser is the system's chromium (``NONET_CHROMIUM`` names another one), axe-core comes from the
PyPI package axe-core-python, from ``node_modules``, or from ``NONET_AXE``. Without a browser or
without axe-core the tests skip and give the reason. With ``NONET_SCREENSHOTS=folder`` the pages and
their pictures are kept there.
"""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from nonet.report.page import render_page
from report.browser.chromium import NAMES, Chromium, Tab, find_chromium
from report.example_facts import EXAMPLES, SECTIONS, hostile_facts, missing_facts, numbers_in
from report.facts_cases import report_on_run

MADE_UP = {**EXAMPLES, "hostile": hostile_facts, "missing": missing_facts}
RUNS = {"run": "churn", "run of values": "price"}
PAGES = [*MADE_UP, *RUNS]
WIDTHS = {"phone": 390, "laptop": 1280}
SCHEMES = ("light", "dark")
# Rules that reviewers of pages use, and what axe-core holds for good practice besides.
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

pytestmark = pytest.mark.skipif(
    find_chromium() is None,
    reason=f"no browser: install one of {', '.join(NAMES)} (on Debian: apt-get install chromium)",
)


@pytest.fixture(scope="module")
def browser():
    with Chromium(find_chromium()) as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with all pages."""
    kept = os.environ.get("NONET_SCREENSHOTS")
    found = Path(kept) if kept else tmp_path_factory.mktemp("pages")
    found.mkdir(parents=True, exist_ok=True)
    for name, facts in MADE_UP.items():
        made = json.loads(json.dumps(facts()))
        (found / f"{name}.json").write_text(json.dumps(made), encoding="utf-8")
        (found / f"{name}.html").write_text(render_page(made), encoding="utf-8")
    for name, target in RUNS.items():
        report_on_run(target).save(found / f"{name}.html", facts_path=found / f"{name}.json")
    return found


@pytest.fixture
def open_tab(browser, folder):
    """Open pages, and close them after the test."""
    tabs = []

    def opened(name, device="laptop", **how):
        tabs.append(Tab(browser, folder / f"{name}.html", width=WIDTHS[device], **how))
        return tabs[-1]

    yield opened
    for tab in tabs:
        tab.close()


@pytest.fixture(scope="module")
def axe():
    """Return the script of axe-core."""
    path = find_axe()
    if path is None:
        pytest.skip("no axe-core: pip install axe-core-python, or npm install axe-core")
    return path.read_text(encoding="utf-8")


def find_axe():
    """Return the path of the script of axe-core, or None."""
    package = find_spec("axe_core_python")
    folders = [Path(entry) for entry in (package.submodule_search_locations if package else ())]
    named = [Path(os.environ["NONET_AXE"])] if "NONET_AXE" in os.environ else []
    found = [*named, *(entry / "axe.min.js" for entry in folders)]
    return next((p for p in [*found, Path("node_modules/axe-core/axe.min.js")] if p.exists()), None)


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_opens_without_complaints_and_requests_nothing(open_tab, name):
    tab = open_tab(name)
    assert tab.complaints() == []
    assert tab.requests() == []


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_shows_all_sections(open_tab, name):
    tab = open_tab(name)
    shown = tab.evaluate(
        "[...document.querySelectorAll('main > section')].filter(s => s.checkVisibility() "
        "&& s.getBoundingClientRect().height > 40 && s.innerText.length > 20).map(s => s.id)"
    )
    assert shown == SECTIONS


@pytest.mark.parametrize("name", [*sorted(EXAMPLES), *RUNS])
def test_page_numbers_equal_the_facts(open_tab, folder, name):
    facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    tab = open_tab(name)
    shown = tab.evaluate("[...document.querySelectorAll('data')].map(d => [d.value, d.innerText])")
    known = set(map(float, numbers_in(facts)))
    assert len(shown) > 400
    assert [pair for pair in shown if float(pair[0]) not in known] == []
    score = tab.evaluate("[...document.querySelectorAll('#result .big data')].map(d => +d.value)")
    assert score == [facts["result"]["score"], facts["result"]["standard_error"]]


@pytest.mark.parametrize("device", sorted(WIDTHS))
@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_never_scrolls_sideways(open_tab, name, device):
    tab = open_tab(name, device)
    _open_all(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= WIDTHS[device]
    outside = tab.evaluate(
        "[...document.querySelectorAll('main *:not(.scroll *):not(svg *)')].filter(e => "
        "e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.hidden'))"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert outside == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("device", sorted(WIDTHS))
@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_text_in_pictures_stays_inside(open_tab, name, device, scheme):
    tab = open_tab(name, device, scheme=scheme)
    outside = tab.evaluate(
        "[...document.querySelectorAll('svg.picture')].flatMap(s => { const box = "
        "s.getBoundingClientRect(); return [...s.querySelectorAll('text')].filter(t => { const r = "
        "t.getBoundingClientRect(); return r.width && (r.left < box.left - 2 || "
        "r.right > box.right + 2 || r.top < box.top - 2 || r.bottom > box.bottom + 2); })"
        ".map(t => s.querySelector('title').textContent + ': ' + t.textContent); })"
    )
    assert outside == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("device", sorted(WIDTHS))
@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_passes_axe(open_tab, axe, name, device, scheme):
    tab = open_tab(name, device, scheme=scheme)
    _open_all(tab)
    tab.evaluate(axe + "; 0")
    options = json.dumps({"runOnly": AXE_TAGS, "resultTypes": ["violations"]})
    found = tab.evaluate(
        f"axe.run(document, {options}).then(r => ({{passes: r.passes.length, violations: "
        "r.violations.map(v => v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3)"
        ".map(n => n.html.slice(0, 160) + ' ' + n.failureSummary).join(' | '))}))"
    )
    assert found["violations"] == []
    assert found["passes"] > 20


def test_page_reacts_to_keys(open_tab):
    tab = open_tab("binary")
    focused = "document.activeElement.className || document.activeElement.textContent"
    _press(tab, "Tab", 9)
    assert tab.evaluate(focused) == "skip"
    assert tab.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    _press(tab, "Enter", 13)
    assert tab.evaluate("location.hash") == "#main"
    tab.evaluate("document.querySelector('#table > .scroll').focus()")
    assert tab.evaluate(focused) == "scroll"
    tab.evaluate("document.querySelector('summary').focus()")
    _press(tab, "Enter", 13)
    assert tab.evaluate("document.querySelector('details').open")


def test_page_is_complete_without_scripts(open_tab):
    tab = open_tab("binary")
    with_scripts = tab.evaluate("document.body.innerText.length")
    tab.send("Emulation.setScriptExecutionDisabled", value=True)
    tab.reload()
    # The inspector still computes where the page may not.
    assert tab.evaluate("document.body.innerText.length") == with_scripts


@pytest.mark.parametrize("scheme", SCHEMES)
def test_page_on_paper_is_dark_on_white_and_open(open_tab, folder, scheme):
    tab = open_tab("binary", scheme=scheme, media="print")
    colours = tab.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    hidden = tab.evaluate(
        "[...document.querySelectorAll('details:not(.numbers) td')].filter(e => "
        "!e.closest('.numbers') && !e.checkVisibility({contentVisibilityAuto: true})).length"
    )
    assert hidden == 0
    tab.print_to(folder / f"print_{scheme}.pdf")
    assert (folder / f"print_{scheme}.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_on_paper_is_not_cut_off_at_the_right(browser, folder, name):
    # A4 without its margins.
    tab = Tab(browser, folder / f"{name}.html", width=688, media="print")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 688
    tab.close()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("device", sorted(WIDTHS))
@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_pictures_are_taken(open_tab, folder, name, device, scheme):
    path = folder / f"{name}_{device}_{scheme}.png"
    open_tab(name, device, scheme=scheme).screenshot(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size > 20_000


def _open_all(tab):
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")


def _press(tab, key, code):
    what = {"key": key, "code": key, "windowsVirtualKeyCode": code}
    text = {"text": "\r"} if key == "Enter" else {}
    tab.send("Input.dispatchKeyEvent", type="keyDown", **what, **text)
    tab.send("Input.dispatchKeyEvent", type="keyUp", **what)
