"""Where trees are grown: on the processor or on a GPU."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

from nonet import _core

_device: ContextVar[str] = ContextVar("nonet_device", default="cpu")
_KNOWN = ("cpu", "cuda")


def current_device() -> str:
    """Return where trees are grown now, 'cpu' or 'cuda'.

    Examples
    --------
    >>> current_device()
    'cpu'
    """
    return _device.get()


@contextlib.contextmanager
def use_device(device: str) -> Iterator[None]:
    """Grow the trees that are fitted inside the block on a GPU.

    The fitted model has the same bits as one of the processor. What a GPU cannot grow yet raises an
    error; nothing is grown on the processor instead. The GPU is the current one of CUDA, and
    nonet has to be built with ``NONET_CUDA=ON``.

    Parameters
    ----------
    device : {'cpu', 'cuda'}
        Where trees are grown.

    Returns
    -------
    context manager

    Examples
    --------
    >>> from nonet import HistGradientBoostingRegressor, use_device
    >>> with use_device("cpu"):
    ...     model = HistGradientBoostingRegressor(max_iter=2).fit([[0], [1]] * 30, [0, 1] * 30)
    """
    if device not in _KNOWN:
        raise ValueError(f"device of use_device must be 'cpu' or 'cuda', got {device!r}.")
    if device == "cuda":
        _check_devices(_core.n_cuda_devices())
    token = _device.set(device)
    try:
        yield
    finally:
        _device.reset(token)


def _check_devices(n_devices: int) -> None:
    if n_devices < 0:
        raise ValueError(
            "use_device('cuda') needs a build of nonet for GPUs, and this one has no code for "
            "them; install it with --config-settings cmake.define.NONET_CUDA=ON, or leave "
            "use_device out."
        )
    if n_devices == 0:
        raise ValueError(
            "use_device('cuda') found no GPU that CUDA can use; look at nvidia-smi and "
            "CUDA_VISIBLE_DEVICES, or leave use_device out."
        )


def refuse_device(what: str) -> None:
    """Raise a ValueError if a GPU is wanted for something that only the processor can do.

    Parameters
    ----------
    what : str
        What the processor does, as the subject of a sentence in the plural.
    """
    if current_device() != "cpu":
        raise ValueError(
            f"{what} cannot be grown on a GPU yet; fit them outside use_device('cuda')."
        )
