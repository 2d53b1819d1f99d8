"""What images are for: pool, references, and what labelers see beforehand."""

from pathlib import Path

from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.store.datasets.datasets import DatasetDefinition
from labeler.store.schema import ProblematicRow

FISH, DOG = "n01440764", "n02085620"


def keys(*names: str, dataset: str = "val") -> set[ImageKey]:
    return {ImageKey(dataset, name) for name in names}


def test_the_training_pool_holds_single_images_or_a_whole_dataset(store, lead) -> None:
    lead.add("val", lead.image("a"), lead.image("b"), lead.image("c"))
    lead.add("train", lead.image("d"), lead.image("e"), role=DatasetRole.TRAINING)
    with store.write() as study:
        study.image_roles.put_in_training_pool("val", ["b"])
        study.image_roles.put_in_training_pool("train")

    with store.read() as study:
        candidates = study.image_roles.candidates(["val", "train"])
        pooled = {c.key for c in candidates if c.in_training_pool}
        assert pooled == keys("b") | keys("d", "e", dataset="train")
        assert study.image_roles.training_pool_size() == 3


def test_an_image_is_put_in_the_pool_once(store, lead) -> None:
    lead.add("val", lead.image("a"), lead.image("b"))
    with store.write() as study:
        study.image_roles.put_in_training_pool("val", ["a"])
        study.image_roles.put_in_training_pool("val")

        assert study.image_roles.training_pool_size() == 2


def test_candidates_tell_target_content_and_standing_problems(store, lead) -> None:
    lead.add("val", lead.image("a", DOG), lead.image("b"), lead.image("c"))
    lead.add("other", lead.image("x"))
    with store.write() as study:
        for image_id, withdrawn_at in ((2, None), (3, "2026-01-01T00:00:00.000Z")):
            study.session.add(
                ProblematicRow(
                    image_id=image_id, reason="drawing", at="2026-01-01", withdrawn_at=withdrawn_at
                )
            )

    with store.read() as study:
        candidates = {c.key.image: c for c in study.image_roles.candidates(["val"])}
    assert set(candidates) == {"a", "b", "c"}
    assert (candidates["a"].target, candidates["b"].target) == (DOG, FISH)
    assert candidates["a"].content_hash == lead.image("a").content_hash
    assert [name for name, c in candidates.items() if c.problematic] == ["b"]


def test_references_keep_the_order_of_their_panel(store, lead) -> None:
    images = [lead.image("a"), lead.image("b"), lead.image("c"), lead.image("d", DOG)]
    lead.add("refs", *images, role=DatasetRole.REFERENCE, root="/refs")
    with store.write() as study:
        study.image_roles.set_references("refs", {FISH: ["c", "a", "b"], DOG: ["d"]})

    with store.read() as study:
        panel = study.image_roles.references(FISH)
        assert [reference.key.image for reference in panel] == ["c", "a", "b"]
        assert panel[0].path == Path("/refs/c")
        assert panel[0].content_hash == lead.image("c").content_hash
        assert study.image_roles.reference_counts() == {FISH: 3, DOG: 1}


def test_new_references_of_a_class_replace_its_old_ones_only(store, lead) -> None:
    lead.add("old", lead.image("a"), lead.image("d", DOG), role=DatasetRole.REFERENCE)
    lead.add("new", lead.image("b"), role=DatasetRole.REFERENCE)
    with store.write() as study:
        study.image_roles.set_references("old", {FISH: ["a"], DOG: ["d"]})
        study.image_roles.set_references("new", {FISH: ["b"]})

    with store.read() as study:
        assert [r.key for r in study.image_roles.references(FISH)] == [ImageKey("new", "b")]
        assert [r.key for r in study.image_roles.references(DOG)] == [ImageKey("old", "d")]


def test_pool_and_references_are_seen_beforehand_by_content(store, lead) -> None:
    lead.add("val", lead.image("pooled"), lead.image("free"))
    lead.add("refs", lead.image("shown"), lead.image("spare"), role=DatasetRole.REFERENCE)
    with store.write() as study:
        study.image_roles.put_in_training_pool("val", ["pooled"])
        study.image_roles.set_references("refs", {FISH: ["shown"]})

    with store.read() as study:
        assert study.image_roles.seen_before_evaluation() == {
            lead.image("pooled").content_hash: ImageKey("val", "pooled"),
            lead.image("shown").content_hash: ImageKey("refs", "shown"),
        }


def test_a_picture_that_an_earlier_image_has_already_is_reported_with_it(store, lead) -> None:
    lead.add("first", lead.image("a", content="one"), lead.image("b", content="two"))
    lead.add(
        "second",
        lead.image("c", content="three"),
        lead.image("d", content="one"),
        lead.image("e", content="three"),
    )

    with store.read() as study:
        assert study.image_roles.duplicates_within("first") == []
        assert study.image_roles.duplicates_within("second") == [
            (ImageKey("second", "d"), ImageKey("first", "a")),
            (ImageKey("second", "e"), ImageKey("second", "c")),
        ]


def test_only_images_of_complete_evaluation_datasets_count_for_the_evaluation(store, lead) -> None:
    lead.add("val", lead.image("a"), lead.image("b"))
    lead.add("train", lead.image("c"), role=DatasetRole.TRAINING)
    with store.write() as study:
        study.datasets.add(DatasetDefinition(name="half", role=DatasetRole.EVALUATION))
        study.datasets.append("half", [lead.image("d")])

    with store.read() as study:
        assert study.image_roles.evaluation_images() == 2
