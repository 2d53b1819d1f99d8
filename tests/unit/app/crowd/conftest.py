"""A small study with pictures, controls and annotators."""

from collections.abc import Callable

import pytest

from labeler.app.crowd.planning import RoundRequest, plan_round, store_plan
from labeler.app.study.people import add_person
from labeler.core.crowd.rounds import CrowdRound, CrowdTask, LabelChoice
from labeler.core.study.entities import DatasetRole, Role
from labeler.store.study_store import StudyStore
from tests.crowd_study import ANNOTATORS, CLASSES, RULES

PlanRound = Callable[..., CrowdRound]


@pytest.fixture
def crowd_study(store: StudyStore, pictures, imported) -> StudyStore:
    """A study with nine images to ask about, thirty for controls, and four annotators."""
    imported(store, "val", pictures("val").fill(*CLASSES, each=3).path, role=DatasetRole.EVALUATION)
    imported(store, "ref", pictures("ref").fill(*CLASSES, each=10).path, role=DatasetRole.REFERENCE)
    for code in ANNOTATORS:
        add_person(store, code, roles=[Role.ANNOTATOR])
    return store


@pytest.fixture
def planned(crowd_study: StudyStore) -> PlanRound:
    """Plans and opens a round about the targets."""

    def plan(task: CrowdTask = CrowdTask.CONTAINS, **options) -> CrowdRound:
        wanted = {"labels": LabelChoice.TARGET, "seed": 1, "answers": 2, "rules": RULES} | options
        return store_plan(crowd_study, plan_round(crowd_study, RoundRequest(task=task, **wanted)))

    return plan
