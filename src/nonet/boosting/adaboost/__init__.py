"""AdaBoost and its variants: the reweighting loop, its round log and its stop rules."""
