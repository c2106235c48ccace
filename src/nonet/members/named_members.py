"""Parameters of ensembles whose members are given by name."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.utils.metaestimators import _BaseComposition


class NamedMembers(_BaseComposition):
    """Adds the parameters of the members, as ``name__parameter``, to those of the ensemble.

    A child may name another parameter that holds the (name, estimator) pairs.
    """

    _members_parameter: ClassVar[str] = "estimators"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, including those of the members.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include the parameters of the members, as ``name__parameter``.

        Returns
        -------
        params : dict
        """
        params: dict[str, Any] = self._get_params(self._members_parameter, deep=deep)
        return params

    def set_params(self, **params: Any) -> Any:
        """Set parameters, members (``name=estimator`` or ``name='drop'``) or their parameters.

        Parameters
        ----------
        **params : dict
            ``n_jobs=...``, ``lr='drop'``, ``lr__C=0.1``, ...

        Returns
        -------
        self : object
        """
        self._set_params(self._members_parameter, **params)
        return self
