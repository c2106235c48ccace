"""Plots of errors, diversity, margins and calibration."""
