"""The memory that there is: of the machine, or of its container."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def available_bytes(root: Path = Path("/")) -> int:
    """Return the memory that this process may still take: of the machine, or of its container.

    Parameters
    ----------
    root : Path
        Where ``proc`` and ``sys`` are.

    Returns
    -------
    int

    Examples
    --------
    >>> available_bytes() > 0
    True
    """
    of_machine = _machine_bytes(root)
    return max(1, min([of_machine, *_container_bytes(root)]))


def _machine_bytes(root: Path) -> int:
    with suppress(OSError, KeyError, ValueError, IndexError):
        lines = (root / "proc/meminfo").read_text().splitlines()
        fields = dict(line.split(":", 1) for line in lines)
        return 1024 * int(fields["MemAvailable"].split()[0])
    # Not Linux: what is free is not known without psutil, so half of the memory is presumed.
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _container_bytes(root: Path) -> Iterator[int]:
    """Yield what each control group of this process, and each of their parents, has left."""
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == "":
                names = ("memory.max", "memory.current", "inactive_file")
                yield from _groups_bytes(root / "sys/fs/cgroup", path, names)
            elif "memory" in controllers.split(","):
                names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
                yield from _groups_bytes(root / "sys/fs/cgroup/memory", path, names)


def _groups_bytes(mount: Path, path: str, names: tuple[str, str, str]) -> Iterator[int]:
    # A container may see its own group as the root, under a path that does not exist in it: the
    # folders of the path that do not exist are passed over.
    group = mount / path.lstrip("/")
    for folder in (group, *group.parents):
        if folder.is_relative_to(mount):
            with suppress(OSError, ValueError, KeyError):  # "max" is no number, and no limit
                yield _group_bytes(folder, *names)


def _group_bytes(folder: Path, limit: str, usage: str, cache: str) -> int:
    allowed = int((folder / limit).read_text())
    used = int((folder / usage).read_text())
    lines = (folder / "memory.stat").read_text().splitlines()
    reclaimable = int(dict(line.split() for line in lines)[cache])  # pages of files
    return allowed - used + reclaimable
