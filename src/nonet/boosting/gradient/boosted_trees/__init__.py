"""Boosted trees with the parameters of XGBoost and LightGBM."""
