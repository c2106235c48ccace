"""LightGBM's and XGBoost's spellings of parameters, arguments and methods."""
