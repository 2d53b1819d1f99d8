"""The full-size study with people, a sample of every image, and a review of every label."""

from functools import cache
from pathlib import Path

from labeler.app.people import add_person
from labeler.app.phases import open_phase
from labeler.app.review.planning import PlanWish, plan_review
from labeler.app.sampling import freeze_sample
from labeler.core.clock import SystemClock
from labeler.core.phases import Phase
from labeler.core.sampling import SampleRequest
from labeler.core.study import Role, Stage
from labeler.store.opening import open_study
from tests.benchmarks.demo_study import CODE
from tests.benchmarks.full_size.alone import Facts, alone, timed
from tests.benchmarks.full_size.judgements import bench_full_predictions, bench_full_verdicts
from tests.benchmarks.full_size.place import SEED, study
from tests.benchmarks.full_size.references import bench_full_references
from tests.benchmarks.full_size.validation import DATASET, PER_CLASS

LEAD, REVIEWER = "L", "R"


@cache
def full_study() -> Path:
    """Everything in it; the review was planned before any label was judged."""
    bench_full_references()
    bench_full_predictions()
    alone(prepare, study())
    bench_full_verdicts()
    return study()


def prepare(study_folder: str) -> Facts:
    with open_study(Path(study_folder), clock=SystemClock()) as store:
        add_person(store, CODE, roles=[Role.LABELER])
        add_person(store, REVIEWER, roles=[Role.REVIEWER])
        add_person(store, LEAD, roles=[Role.LEAD])
        with timed() as planning:
            plan_review(store, PlanWish(stage=Stage.INITIAL, reviewers=(REVIEWER,)))
        with timed() as sampling:
            freeze_sample(store, SampleRequest((DATASET,), per_class=PER_CLASS, seed=SEED))
        open_phase(store, Phase.ANNOTATE)
        open_phase(store, Phase.EVALUATE)
    return {"planning": planning["seconds"], "sampling": sampling["seconds"]}
