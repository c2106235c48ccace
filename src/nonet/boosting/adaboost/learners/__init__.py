"""Learners that fit the member of a round: any estimator, or trees and stumps on binned columns."""
