"""Pictures of boosting rounds."""
