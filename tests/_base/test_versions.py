from __future__ import annotations

from importlib.metadata import version

from nonet._base.versions import show_versions


def test_show_versions_names_nonet_and_what_it_stands_on(capsys):
    show_versions()
    lines = {line.strip() for line in capsys.readouterr().out.splitlines()}
    assert f"numpy: {version('numpy')}" in lines
    assert f"scikit-learn: {version('scikit-learn')}" in lines
    assert f"nonet: {version('nonet')}" in lines


def test_show_versions_says_what_is_not_installed(capsys, monkeypatch):
    monkeypatch.setattr("nonet._base.versions.OPTIONAL", ("a-package-nobody-made",))
    show_versions()
    assert "a-package-nobody-made: not installed" in capsys.readouterr().out


def test_show_versions_shows_the_thread_variables(capsys, monkeypatch):
    monkeypatch.setenv("NONET_NUM_THREADS", "3")
    show_versions()
    assert "NONET_NUM_THREADS: 3" in capsys.readouterr().out
