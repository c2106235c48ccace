"""Models of other libraries, read into estimators of nonet.

A file per format (`lightgbm_text`, `xgboost_json`, `catboost_json`) turns what a library wrote into
`imported_tree.ImportedTree`s; a file per library (`from_lightgbm`, `from_xgboost`, `from_catboost`,
`from_sklearn`) makes an estimator of them.
"""
