"""Members b_1..b_k: planned, fitted, asked, and kept honest by the ledger."""
