"""``python -m nonet``: the command line."""

from __future__ import annotations

import sys

from nonet.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
