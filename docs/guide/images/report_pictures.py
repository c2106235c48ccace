"""Take the pictures of a report and of a run in a notebook, with the system's chromium.

After ``make demo``, in the root of the repository:

    python docs/guide/images/report_pictures.py build/demo/penguins.run
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

import nonet

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
# Width and height of the window, and the medium.
PICTURES = {
    "report_laptop": (1100, 792, "screen"),
    "report_phone": (390, 1475, "screen"),
    "report_print": (800, 986, "print"),
    "notebook": (700, 604, "screen"),
}
NOTEBOOK = "<!doctype html><meta charset='utf-8'><title>Notebook</title><body>"


def main(run: Path) -> None:
    """Write one PNG file for each of the pictures."""
    sys.path.insert(0, str(ROOT / "tests"))
    from report.browser.chromium import Chromium, Tab, find_chromium

    found = find_chromium()
    if found is None:
        sys.exit("no browser: install chromium")
    with TemporaryDirectory() as folder, Chromium(found) as browser:
        notebook = Path(folder, "notebook.html")
        notebook.write_text(NOTEBOOK + nonet.open_run(run)._repr_html_(), encoding="utf-8")
        for name, (width, height, media) in PICTURES.items():
            page = notebook if name == "notebook" else run / "report.html"
            tab = Tab(browser, page, width=width, media=media)
            path = FOLDER / f"{name}.png"
            tab.screenshot(path, height=height)
            tab.close()
            Image.open(path).quantize(128).save(path, optimize=True)  # a third of the bytes


if __name__ == "__main__":
    main(Path(sys.argv[1]))
