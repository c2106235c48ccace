"""How a round gets its member: any learner, or trees and stumps on columns binned once."""
