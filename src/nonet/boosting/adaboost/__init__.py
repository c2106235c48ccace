"""AdaBoost and its family: the reweighting loop, what it records, when it stops."""
