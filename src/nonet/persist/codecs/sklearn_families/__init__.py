"""Classes of scikit-learn that a model file can hold, with what is checked, one family per file."""
