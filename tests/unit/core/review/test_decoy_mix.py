"""Decoys hide the source of a label; what they can't hide is stated."""

import pytest

from labeler.core.classes.taxonomy import load_default
from labeler.core.review.blinding import ImageLabelPair, pool_pairs
from labeler.core.review.decoys import DecoyCandidates
from labeler.core.review.leak import DEFAULT_LEAK, Cue, LabelSource
from labeler.core.study.entities import ImageKey
from tests.unit.core.review.simulated_plans import SimulatedStudy

IMAGE = ImageKey("original", "a.jpg")
BEAGLE, BASSET, TENCH = "n02088364", "n02088238", "n01440764"


def test_decoys_resemble_the_labels_or_come_from_the_scene() -> None:
    taxonomy = load_default()
    elsewhere = ImageKey("original", "b.jpg")
    proposals = [
        ImageLabelPair(IMAGE, BEAGLE),
        ImageLabelPair(elsewhere, BEAGLE),
        ImageLabelPair(elsewhere, TENCH),
    ]
    candidates = DecoyCandidates(
        taxonomy=taxonomy, guide_pairs=[(BASSET, BEAGLE)], proposals=proposals, seed=3
    )
    decoys = candidates.of_image(IMAGE, [BEAGLE], excluded=(), count=100)
    assert BEAGLE not in decoys
    assert {BASSET, TENCH} <= set(decoys)
    assert len(set(decoys)) == len(decoys) > 20
    assert candidates.of_image(IMAGE, [BEAGLE], excluded=(), count=4) == decoys[:4]
    assert BASSET not in candidates.of_image(IMAGE, [BEAGLE], excluded=[BASSET], count=100)


def test_the_order_of_the_proposals_changes_no_decoy() -> None:
    """A set of strings has another order in every run: the preview would differ from the plan."""
    taxonomy = load_default()
    others = [wnid for wnid in taxonomy.class_wnids if wnid > BEAGLE][:20]
    proposals = [
        ImageLabelPair(ImageKey("original", f"{other}.jpg"), wnid)
        for other in others
        for wnid in (BEAGLE, other)
    ]
    found = [
        DecoyCandidates(taxonomy=taxonomy, guide_pairs=(), proposals=ordered, seed=3).of_image(
            IMAGE, [BEAGLE], excluded=(), count=12
        )
        for ordered in (proposals, proposals[::-1])
    ]
    assert found[0] == found[1]


def test_without_decoys_the_plans_reveal_what_an_attack_found() -> None:
    study = SimulatedStudy(load_default(), seed=1)
    initial, _extension, final = study.plans(leak=None, reviewers=2)
    single = {p for p in initial.statement.posteriors if p.cue == 1}
    assert {p.probability for p in single if p.source is LabelSource.TARGET} == {1.0}
    new = {p for p in final.statement.posteriors if p.cue is Cue.NEW_ON_KNOWN}
    assert {p.probability for p in new if p.source is LabelSource.HUMAN} == {1.0}


@pytest.mark.parametrize("seed", range(3))
def test_decoys_keep_every_cue_of_an_initial_review_within_the_limit(seed: int) -> None:
    initial, extension, _final = SimulatedStudy(load_default(), seed=seed).plans(leak=DEFAULT_LEAK)
    statement = initial.statement
    assert statement.posteriors
    assert not statement.revealing(DEFAULT_LEAK)
    assert not statement.excluding(DEFAULT_LEAK)
    assert statement.decoys == len(initial.draft.decoys) > 0
    assert statement.decoy_judgements == 2 * statement.decoys
    late = [p for p in extension.statement.posteriors if p.cue is Cue.EXTENSION]
    assert late
    assert not [p for p in late if p.excess > DEFAULT_LEAK]


@pytest.mark.parametrize("seed", range(3))
def test_a_new_label_on_a_known_image_is_a_humans_hardly_more_often_than_any(seed: int) -> None:
    plans = SimulatedStudy(load_default(), seed=seed).plans(leak=DEFAULT_LEAK, reviewers=2)
    *_earlier, final = plans
    new = [
        p
        for p in final.statement.posteriors
        if p.cue is Cue.NEW_ON_KNOWN and p.source is LabelSource.HUMAN
    ]
    assert new
    assert all(abs(p.excess) <= DEFAULT_LEAK for p in new)


def test_no_decoy_was_proposed() -> None:
    study = SimulatedStudy(load_default(), seed=5)
    targets = (ImageLabelPair(*item) for item in study.targets.items())
    proposed = pool_pairs(targets, study.models, study.humans)
    for plan in study.plans(leak=DEFAULT_LEAK):
        later = study.late if plan.name != "initial" else frozenset()
        assert not plan.draft.decoys & (proposed | later)


def test_images_go_to_reviewers_who_do_not_know_them() -> None:
    *_earlier, final = SimulatedStudy(load_default(), seed=1).plans(
        leak=DEFAULT_LEAK, reviewers=4, overlap=2
    )
    known_images = final.contents.known_images()
    assert not [v for v in final.draft.visits if v.image in known_images[v.reviewer]]
