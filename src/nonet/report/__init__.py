"""Reports on models: one dictionary of facts, and one page that shows them.

`make_report` is exported by ``nonet``. Inside, imports point down: the page and its figures, which
read facts alone; the facts (`facts`, with a file per section); the subject, that is, what a report
is about (`run_subject`, `model_subject`).
"""

from nonet.report.report import Report, make_report

__all__ = ["Report", "make_report"]
