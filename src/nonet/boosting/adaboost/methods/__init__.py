"""Ways of boosting: how a member is judged and weighed, and what rows weigh next."""
