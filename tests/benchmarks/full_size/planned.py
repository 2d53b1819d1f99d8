"""The full-size study with people, a sample of every image, and a review of every label."""

from functools import cache
from pathlib import Path

from labeler.app.datasets.sampling import freeze_sample
from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.core.clock import SystemClock
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.study.entities import Role, Stage
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from tests.benchmarks.demo_study import CODE
from tests.benchmarks.full_size.alone import Facts, alone, timed
from tests.benchmarks.full_size.place import SEED, study
from tests.benchmarks.full_size.predictions import bench_full_predictions
from tests.benchmarks.full_size.validation import DATASET, PER_CLASS
from tests.benchmarks.table import Row

LEAD, REVIEWER = "L", "R"


_SECONDS = 60


@cache
def bench_full_plan() -> Row:
    """A review of every label planned and a sample of every image drawn."""
    bench_full_predictions()
    result = alone(prepare, study())
    planning, sampling = result["planning"], result["sampling"]
    return Row(
        f"full size: review of {result['labels']:,.0f} labels planned, then a sample drawn",
        f"{planning:.1f} s + {sampling:.1f} s; {result['megabytes']:.0f} MB",
        f"{_SECONDS} s",
        (planning + sampling) / _SECONDS,
        f"under {_SECONDS} s",
    )


def prepare(study_folder: str) -> Facts:
    with open_study(Path(study_folder), clock=SystemClock()) as store:
        add_person(store, CODE, roles=[Role.LABELER])
        add_person(store, REVIEWER, roles=[Role.REVIEWER])
        add_person(store, LEAD, roles=[Role.LEAD])
        with timed() as planning:
            report = plan_review(store, PlanSettings(stage=Stage.INITIAL, reviewers=(REVIEWER,)))
        with timed() as sampling:
            freeze_sample(store, SampleRequest((DATASET,), per_class=PER_CLASS, seed=SEED))
        open_phase(store, Phase.ANNOTATE)
        open_phase(store, Phase.EVALUATE)
    return {
        "labels": report.draft.total,
        "planning": planning["seconds"],
        "sampling": sampling["seconds"],
    }
