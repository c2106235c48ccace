"""Pictures of trees, forests, regions and explanations."""
