"""Planning rounds of crowd tasks."""

import pytest
from sqlalchemy import select

from labeler.app.crowd.aggregation import aggregate_crowd
from labeler.app.crowd.planning import (
    LABELS_OF_CLASSIFY,
    NO_CANDIDATES,
    NO_CONTROLS,
    NO_MODELS,
    RoundRequest,
    plan_round,
    store_plan,
)
from labeler.core.crowd.entities import AnnotationStatus, GridRole
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Participant, ParticipantKind
from labeler.store.schema import GridRow
from tests.crowd_study import CLASSES, GOLDFISH, RULES, SHARK, TENCH, add_model, select_everything


def request(task: CrowdTask = CrowdTask.CONTAINS, **options) -> RoundRequest:
    wanted = {"labels": LabelChoice.POTENTIAL, "seed": 1, "answers": 2, "rules": RULES}
    return RoundRequest(task=task, **wanted | options)


def test_potential_labels_are_the_first_five_of_every_model_and_the_target(crowd_study):
    others = [wnid for wnid in crowd_study.taxonomy.class_wnids if wnid not in CLASSES][:6]
    add_model(crowd_study, "resnet", *others)
    add_model(crowd_study, "vit", others[0], SHARK)

    plan = plan_round(crowd_study, request(CrowdTask.CLASSIFY))

    asked = {frozenset(labels) for labels in plan.labels.values()}
    first_five = {*others[:5], SHARK}
    assert asked == {frozenset({*first_five, target}) for target in CLASSES}
    only_vit = plan_round(crowd_study, request(CrowdTask.CLASSIFY, models=("vit",)))
    assert {len(labels) for labels in only_vit.labels.values()} == {2, 3}


def test_every_pair_is_in_a_grid_of_its_label_with_controls(crowd_study):
    add_model(crowd_study, "resnet", SHARK, TENCH)

    plan = plan_round(crowd_study, request())

    shown = {
        (image.image, grid.label)
        for grid in plan.grids
        for image in grid.images
        if image.role is GridRole.CANDIDATE
    }
    assert shown == {(image, label) for image, labels in plan.labels.items() for label in labels}
    assert all(any(i.role is GridRole.POSITIVE for i in grid.images) for grid in plan.grids)
    assert plan.answers == 2 * len(plan.grids)


def test_a_stored_round_has_the_planned_grids(crowd_study):
    plan = plan_round(crowd_study, request(labels=LabelChoice.TARGET))
    added = store_plan(crowd_study, plan)

    with crowd_study.read() as study:
        grids = study.crowd.grids()
        (progress,) = study.crowd_rounds.progress()
    stored = {(g.label, tuple(g.images[p] for p in sorted(g.images))) for g in grids.values()}
    assert stored == {(grid.label, grid.images) for grid in plan.grids}
    assert progress.round == added
    assert (progress.items, progress.answers, progress.wanted) == (3, 0, 6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, NO_MODELS),
        ({"labels": LabelChoice.TARGET, "control_datasets": ()}, NO_CONTROLS),
        ({"task": CrowdTask.CLASSIFY, "labels": LabelChoice.TARGET}, LABELS_OF_CLASSIFY),
        ({"task": CrowdTask.CLASSIFY, "labels": LabelChoice.CANDIDATE}, NO_CANDIDATES),
        ({"datasets": ("nowhere",)}, "nowhere"),
    ],
)
def test_a_plan_without_what_it_needs_is_refused(crowd_study, options, message):
    with pytest.raises(RefusedError, match=message.split(".")[0]):
        plan_round(crowd_study, request(**options))


def test_a_classify_round_asks_about_the_images_to_follow_up(crowd_study, planned):
    """The target and another label are both selected by everyone, so the image isn't clear."""
    add_model(crowd_study, "resnet", SHARK)
    planned(labels=LabelChoice.POTENTIAL, answers=6)
    with crowd_study.write() as study:
        for number in range(6):
            study.participants.add(Participant(f"P{number}", ParticipantKind.HUMAN))
    select_everything(crowd_study)
    aggregate_crowd(crowd_study, quality=QualityRule.NONE)

    plan = plan_round(crowd_study, request(CrowdTask.CLASSIFY, labels=LabelChoice.CANDIDATE))

    assert {frozenset(labels) for labels in plan.labels.values()} == {
        frozenset({GOLDFISH, SHARK}),
        frozenset({TENCH, SHARK}),
    }


def test_an_image_whose_answers_all_do_not_count_has_too_few(crowd_study, planned):
    planned(answers=6)
    with crowd_study.write() as study:
        study.participants.add(Participant("P1", ParticipantKind.HUMAN))
        _answered, *others = study.crowd.grids()
    select_everything(crowd_study)
    with crowd_study.write() as study:
        # The lead bars all grids but one.
        rows = study.session.scalars(select(GridRow).where(GridRow.id.in_(others)))
        for row in rows:
            row.barred = True
    done = aggregate_crowd(crowd_study, quality=QualityRule.NONE)
    assert others
    assert done.statuses == {AnnotationStatus.TOO_FEW: 9}
