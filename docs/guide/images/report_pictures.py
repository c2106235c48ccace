"""Take the pictures of a report, on a laptop, a phone and paper, with the system's chromium.

After ``make demo``, in the root of the repository:

    python docs/guide/images/report_pictures.py build/demo/penguins.run/report.html
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
# Width and height of the window, and the medium.
PICTURES = {
    "laptop": (1100, 792, "screen"),
    "phone": (390, 1475, "screen"),
    "print": (800, 1018, "print"),
}


def main(page: Path) -> None:
    """Write one PNG file for each of the pictures."""
    sys.path.insert(0, str(ROOT / "tests"))
    from report.browser.chromium import Chromium, Tab, find_chromium

    found = find_chromium()
    if found is None:
        sys.exit("no browser: install chromium")
    with Chromium(found) as browser:
        for name, (width, height, media) in PICTURES.items():
            tab = Tab(browser, page, width=width, media=media)
            path = FOLDER / f"report_{name}.png"
            tab.screenshot(path, height=height)
            tab.close()
            Image.open(path).quantize(128).save(path, optimize=True)  # a third of the bytes


if __name__ == "__main__":
    main(Path(sys.argv[1]))
