"""Pictures of errors, diversity, margins and calibration."""
