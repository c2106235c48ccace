"""The draws of a bootstrap, chosen by its parameters."""

from __future__ import annotations

from typing import Any

from nonet._base.aliases import Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.params import Integer, bad_parameter
from nonet.resampling.bootstrap.draws import GivenDraws, RowDraws, check_indices
from nonet.resampling.bootstrap.enumeration import all_resamples, are_at_most
from nonet.resampling.bootstrap.schemes import Scheme
from nonet.resampling.statistics.samples import Sample
from nonet.resampling.statistics.units import Units, make_units

# Maximum number of resamples with exact=True.
_MAX_LISTED = 10**6


def choose_draws(
    sample: Sample,
    rows: dict[str, Any],
    scheme: Scheme | None,
    indices: Any,
    exact: bool | None,
    n_resamples: int,
    seed: int,
) -> tuple[Any, Floats | None]:
    """Return the draws, and the probabilities of the resamples if all are listed.

    ``rows`` are the parameters of draws of rows; None where the user left one out.
    """
    chosen = [name for name, value in rows.items() if value is not None]
    if scheme is not None or indices is not None:
        _refuse_both(scheme, indices, chosen, exact)
    if scheme is not None:
        return scheme.bind(sample, seed), None
    if indices is not None:
        return GivenDraws(sample, check_indices(indices, sample)), None
    draws = _row_draws(sample, rows, seed)
    can_list = draws.is_plain and draws.probabilities is None
    if exact and not can_list:
        raise ValueError("exact=True lists the resamples of single, equally likely rows only.")
    if exact is None:
        exact = can_list and are_at_most(
            n_resamples, draws.units.n_units, draws.sizes[0], draws.replace
        )
    return _list_all(draws) if exact else (draws, None)


def _refuse_both(scheme: Any, indices: Any, chosen: list[str], exact: bool | None) -> None:
    if scheme is not None and not isinstance(scheme, Scheme):
        raise bad_parameter("bootstrap", "scheme", "a Scheme such as MovingBlocks(5)", scheme)
    if (scheme is not None and indices is not None) or chosen or exact:
        raise ValueError(
            "scheme and indices each define how resamples are made: they cannot be combined with "
            "each other, nor with groups, strata, size, replace, draw_weights or exact."
        )


def _row_draws(sample: Sample, rows: dict[str, Any], seed: int) -> RowDraws:
    units = make_units(sample, groups=rows["groups"], strata=rows["strata"])
    probabilities = check_sample_weight(rows["draw_weights"], units.n_rows, "draw_weights")
    if probabilities is not None:
        probabilities = units.add_up(probabilities)
        if not all(probabilities[pool].any() for pool in units.pools):
            raise ValueError(
                "draw_weights must be positive for at least one row of every sample or stratum, "
                "but are all 0 in one of them."
            )
    sizes, replace = _check_sizes(rows["size"], units), rows["replace"] is None
    if not replace:
        _refuse_repeats(sizes, units, probabilities)
    return RowDraws(sample, units, sizes, seed, probabilities, replace)


def _refuse_repeats(sizes: tuple[int, ...], units: Units, probabilities: Any) -> None:
    """Check that subsets can be drawn without replacement."""
    if probabilities is not None:
        raise ValueError(
            "replace=False draws equally likely rows: it cannot be combined with draw_weights."
        )
    own = [len(pool) for pool in units.pools]
    if any(m >= n for m, n in zip(sizes, own, strict=True)):
        raise ValueError(
            "replace=False needs a size below the number of rows (or groups) of every sample or "
            f"stratum, {own}, but size is {list(sizes)}; choose_subsample_size finds one."
        )


def _check_sizes(size: Any, units: Units) -> tuple[int, ...]:
    if size is None:
        return tuple(len(pool) for pool in units.pools)
    sizes = size if isinstance(size, tuple) else (size,)
    if len(sizes) != len(units.pools) or not all(Integer(1).allows(own) for own in sizes):
        allowed = (
            f"{len(units.pools)} whole number(s) of at least 1, one for each sample or stratum"
        )
        raise bad_parameter("bootstrap", "size", allowed, size)
    return tuple(int(own) for own in sizes)


def _list_all(draws: RowDraws) -> tuple[Any, Floats]:
    n_rows, (size,) = draws.units.n_units, draws.sizes
    if not are_at_most(_MAX_LISTED, n_rows, size, draws.replace):
        raise ValueError(
            f"exact=True would list all resamples of size {size} from {n_rows} rows, more than a "
            "million: draw them at random instead."
        )
    listed, probabilities = all_resamples(n_rows, size, draws.replace)
    return GivenDraws(draws.sample, (listed,)), probabilities
