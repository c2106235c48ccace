"""Linear models: products of arrays, which NumPy checks itself."""

from __future__ import annotations

from sklearn import linear_model
from sklearn.svm import LinearSVC, LinearSVR

from nonet.persist.codecs.instances import PLAIN, ClassRule

# The loss is made again by the next fit, and no prediction needs it.
_WITHOUT_LOSS = ClassRule(left_out=("_loss_function_",))

RULES = {
    linear_model.ARDRegression: PLAIN,
    linear_model.BayesianRidge: PLAIN,
    linear_model.ElasticNet: PLAIN,
    linear_model.ElasticNetCV: PLAIN,
    linear_model.GammaRegressor: PLAIN,
    linear_model.HuberRegressor: PLAIN,
    linear_model.Lars: PLAIN,
    linear_model.Lasso: PLAIN,
    linear_model.LassoCV: PLAIN,
    linear_model.LassoLars: PLAIN,
    linear_model.LinearRegression: PLAIN,
    linear_model.LogisticRegression: PLAIN,
    linear_model.LogisticRegressionCV: PLAIN,
    linear_model.OrthogonalMatchingPursuit: PLAIN,
    linear_model.Perceptron: _WITHOUT_LOSS,
    linear_model.PoissonRegressor: PLAIN,
    linear_model.QuantileRegressor: PLAIN,
    linear_model.Ridge: PLAIN,
    linear_model.RidgeCV: PLAIN,
    linear_model.RidgeClassifier: PLAIN,
    linear_model.RidgeClassifierCV: PLAIN,
    linear_model.SGDClassifier: _WITHOUT_LOSS,
    linear_model.SGDRegressor: _WITHOUT_LOSS,
    linear_model.TheilSenRegressor: PLAIN,
    linear_model.TweedieRegressor: PLAIN,
    LinearSVC: PLAIN,
    LinearSVR: PLAIN,
}
