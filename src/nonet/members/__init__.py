"""Members b_1..b_k: plans, fitting, predictions and the ledger of held-out predictions."""
