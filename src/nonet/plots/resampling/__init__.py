"""Pictures of bootstrap, jackknife and cross-validation."""
