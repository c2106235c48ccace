"""One contestant of the race of auto-ensemblers, run in a process and an environment of its own.

    python auto_contestant.py NAME TRAIN TEST TARGET TASK SECONDS SEED [PORTFOLIO]

reads two Parquet files and prints one line of JSON: the loss of the test rows (log loss, or root
mean squared error), seconds of fit and of prediction, and the loss that the contestant itself
claims, where it claims one. PORTFOLIO is a JSON file with configurations that nonet tries instead
of its own. The script must run without nonet, so it shares no code with the project.
"""

import json
import resource
import sys
import tempfile
import time

import numpy as np
import pandas as pd


def run_nonet(train, test, target, is_class, seconds, seed):
    import nonet

    if len(sys.argv) > 8:
        use_portfolio(sys.argv[8])
    settings = {"time_limit": seconds, "random_state": seed}
    task = "classification" if is_class else "regression"
    fitted = nonet.fit_table(train, target, task=task, **settings)
    honest = fitted.honest_score
    first = time.monotonic()
    predictions = fitted.predict_proba(test) if is_class else fitted.predict(test)
    classes = fitted.model.classes_ if is_class else None
    took = time.monotonic() - first
    return predictions, classes, took, (honest.score, honest.standard_error)


def use_portfolio(file):
    from nonet.auto import searched_ensemble
    from nonet.auto.configuration import Configuration

    with open(file) as source:
        portfolio = [Configuration(**entry) for entry in json.load(source)]
    searched_ensemble.read_portfolio = lambda task: portfolio


def run_autogluon(train, test, target, is_class, seconds, seed):
    from autogluon.tabular import TabularPredictor

    kind = (
        ("binary" if train[target].nunique() == 2 else "multiclass") if is_class else "regression"
    )
    metric = "log_loss" if is_class else "root_mean_squared_error"
    with tempfile.TemporaryDirectory() as folder:
        predictor = TabularPredictor(
            target, problem_type=kind, eval_metric=metric, path=folder, verbosity=0
        )
        predictor.fit(train, time_limit=seconds, presets="best_quality")
        score = predictor.leaderboard()["score_val"].max()
        first = time.monotonic()
        if is_class:
            frame = predictor.predict_proba(test)
            found = frame.to_numpy(), frame.columns.to_numpy()
        else:
            found = predictor.predict(test).to_numpy(), None
        return *found, time.monotonic() - first, (-float(score), None)


def run_flaml(train, test, target, is_class, seconds, seed):
    from flaml import AutoML

    model = AutoML()
    X, y = train.drop(columns=target), train[target]
    model.fit(
        X,
        y,
        task="classification" if is_class else "regression",
        metric="log_loss" if is_class else "rmse",
        time_budget=seconds,
        n_jobs=2,
        seed=seed,
        verbose=0,
        ensemble=True,
    )
    first = time.monotonic()
    X_test = test.drop(columns=target)
    predictions = model.predict_proba(X_test) if is_class else model.predict(X_test)
    took = time.monotonic() - first
    return predictions, model.classes_ if is_class else None, took, (float(model.best_loss), None)


def run_mljar(train, test, target, is_class, seconds, seed):
    from supervised.automl import AutoML

    with tempfile.TemporaryDirectory() as folder:
        n_classes = train[target].nunique()
        kind = "binary_classification" if n_classes == 2 else "multiclass_classification"
        model = AutoML(
            results_path=folder,
            mode="Compete",
            ml_task=kind if is_class else "regression",
            eval_metric="logloss" if is_class else "rmse",
            total_time_limit=int(seconds),
            random_state=seed,
            verbose=0,
            explain_level=0,
            n_jobs=2,
        )
        X_test = test.drop(columns=target)
        model.fit(train.drop(columns=target), train[target])
        first = time.monotonic()
        predictions = model.predict_proba(X_test) if is_class else model.predict(X_test)
        took = time.monotonic() - first
        classes = np.unique(train[target].astype(str)) if is_class else None
        return np.asarray(predictions), classes, took, (None, None)


RUNNERS = {
    "nonet": run_nonet,
    "autogluon": run_autogluon,
    "flaml": run_flaml,
    "mljar": run_mljar,
}


def log_loss(y, predictions, classes):
    columns = {str(label): column for column, label in enumerate(classes)}
    clipped = np.clip(np.asarray(predictions, dtype=float), 1e-15, 1.0)
    clipped /= clipped.sum(axis=1, keepdims=True)
    of_truth = [
        clipped[row, columns[label]] if label in columns else 1e-15
        for row, label in enumerate(y.astype(str))
    ]
    return float(-np.mean(np.log(of_truth)))


def main():
    name, train_file, test_file, target, task, seconds, seed = sys.argv[1:8]
    train, test = pd.read_parquet(train_file), pd.read_parquet(test_file)
    is_class = task != "regression"
    if is_class:
        train[target], test[target] = train[target].astype(str), test[target].astype(str)
    began = time.monotonic()
    predictions, classes, predicting, claimed = RUNNERS[name](
        train, test, target, is_class, float(seconds), int(seed)
    )
    wall = time.monotonic() - began - predicting
    y = test[target]
    if is_class:
        loss = log_loss(y, predictions, classes)
    else:
        loss = float(np.sqrt(np.mean((np.asarray(predictions, dtype=float) - y.to_numpy()) ** 2)))
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    result = {
        "loss": loss,
        "seconds": wall,
        "processor_seconds": sum(u.ru_utime + u.ru_stime for u in used),
        "us_per_row": 1e6 * predicting / len(test),
        "claimed": claimed[0],
        "claimed_error": claimed[1],
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
