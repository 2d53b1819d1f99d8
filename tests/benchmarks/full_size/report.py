"""The verdicts resolved and the whole report but the PDF, of the full-size study."""

import tempfile
from functools import cache
from pathlib import Path

from labeler.app.results.report_data import ReportFormat, ReportRequest
from labeler.app.results.report_writer import make_report
from labeler.app.review.resolution import ResolutionSettings, resolve_verdicts
from labeler.core.clock import SystemClock
from labeler.core.study.entities import ResolutionRule
from labeler.store.study_opening import open_study
from tests.benchmarks.full_size.alone import Facts, alone, timed
from tests.benchmarks.full_size.answers import HUMANS, MODELS
from tests.benchmarks.full_size.validation import IMAGES
from tests.benchmarks.full_size.verdicts import full_study
from tests.benchmarks.table import Row

_LIMIT_S = 60


@cache
def bench_full_report() -> Row:
    study = full_study()
    with tempfile.TemporaryDirectory() as folder:
        alone(resolve_all, study)
        facts = alone(report, study, Path(folder, "out"))
    return Row(
        f"full size: the whole report of {MODELS} models and {len(HUMANS)} people "
        f"on {IMAGES:,} images",
        f"{facts['seconds']:.1f} s, {facts['megabytes']:.0f} MB",
        f"{_LIMIT_S} s, 1,024 MB",
        _LIMIT_S / facts["seconds"],
        "under 60 s and 1 GB",
    )


def resolve_all(study: str) -> Facts:
    with open_study(Path(study), clock=SystemClock()) as store, timed() as facts:
        resolve_verdicts(store, ResolutionSettings(rule=ResolutionRule.MAJORITY))
    return facts


def report(study: str, folder: str) -> Facts:
    with open_study(Path(study), clock=SystemClock()) as store, timed() as facts:
        formats = frozenset(ReportFormat) - {ReportFormat.PDF}
        make_report(store, Path(folder), request=ReportRequest(), formats=formats)
    return facts
