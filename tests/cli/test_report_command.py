"""``nonet report``: the page of make_report, of runs and models, on their rows and on new ones."""

import webbrowser

import pytest

import nonet
from cli.small_tables import FAST
from nonet.report import make_report

pytest.importorskip("jinja2")


def test_page_of_a_run_is_that_of_make_report(nonet_command, folder, churn_run):
    ended = nonet_command("report", churn_run, "--json")
    path = folder / "churn.run" / "report.html"
    assert (ended.code, ended.document["file"]) == (0, "churn.run/report.html")
    assert ended.document["n_bytes"] == path.stat().st_size > 10_000
    report = make_report(nonet.open_run(churn_run))
    assert list(ended.document["facts"]) == list(report.facts)
    assert ended.document["facts"]["title"] == report.title
    assert report.title in path.read_text(encoding="utf-8")


def test_page_on_new_rows_and_its_facts(nonet_command, folder, churn_run):
    arguments = ["report", churn_run, "new.csv", "--out", "new.html", "--facts", "facts.json"]
    ended = nonet_command(*arguments)
    assert (ended.code, ended.out) == (0, "new.html\n")
    assert "60 new rows" in (folder / "facts.json").read_text(encoding="utf-8")
    assert "60 new rows" in (folder / "new.html").read_text(encoding="utf-8")


def test_model_file_alone_needs_rows_and_target(nonet_command, folder, churn_run):
    nonet.open_run(churn_run).save("alone.nonet")
    refused = nonet_command("report", "alone.nonet")
    assert (refused.code, "TABLE" in refused.sentence) == (2, True)
    refused = nonet_command("report", "alone.nonet", "new.csv")
    assert (refused.code, "--target" in refused.sentence) == (2, True)
    ended = nonet_command("report", "alone.nonet", "new.csv", "--target", "left")
    assert (ended.code, ended.out) == (0, "alone.html\n")
    assert (folder / "alone.html").stat().st_size > 10_000


def test_page_is_opened_on_request(nonet_command, folder, churn_run, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    assert nonet_command("report", churn_run, "--open").code == 0
    assert opened == [(folder / "churn.run" / "report.html").resolve().as_uri()]


def test_fit_writes_the_report_on_request(nonet_command, folder):
    ended = nonet_command("fit", "flats.csv", "--target", "price", "--report", *FAST)
    assert ended.code == 0
    assert "report    flats.run/report.html" in ended.out
    assert (folder / "flats.run" / "report.html").exists()
