"""Revisions are built, reviewed, declared final, exported, and scored only then."""

import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from labeler.app.curation.building import BuildRequest, build_dataset, preview_build
from labeler.app.curation.dataset_export import (
    DATA_CARD,
    MANIFEST,
    BuiltLayout,
    add_revision_as_dataset,
    export_revision,
)
from labeler.app.curation.preview_text import excluded_lines, missing_lines
from labeler.app.curation.rejections import reject_candidates, unreject_candidates
from labeler.app.curation.revision_history import (
    RevisionReader,
    declare_final,
    revision_summaries,
)
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.models.scoring_plan import plan_datasets
from labeler.core.curation.entities import (
    Exclusion,
    RejectReason,
    RemovalReason,
    RevisionState,
    Strategy,
)
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import StudyStore
from tests.unit.app.conftest import DOG, FISH, PictureFolder
from tests.unit.app.curation.conftest import POOL, read_rows, set_frequencies

REQUEST = BuildRequest(dataset="mine", pool=POOL, strategy=Strategy.THRESHOLD, seed=5, per_class=2)


def review_all(store: StudyStore, number: int, *, needs_work: str = "") -> None:
    with store.write() as study:
        for label in (FISH, DOG):
            study.class_reviews.record(
                dataset="mine",
                revision=number,
                label=label,
                reviewer="R",
                reviewed=True,
                needs_work=label == needs_work,
            )


def images(store: StudyStore, number: int) -> set[ImageKey]:
    with store.read() as study:
        return {built.image for built in study.built_datasets.images("mine", number)}


def test_the_same_request_gives_the_same_images(store: StudyStore, pool: dict) -> None:
    build_dataset(store, REQUEST)
    build_dataset(store, REQUEST)
    assert images(store, 1) == images(store, 2)
    assert len(images(store, 1)) == 4


def test_a_rejected_image_leaves_the_next_revision_and_the_others_stay(
    store: StudyStore, pool: dict
) -> None:
    build_dataset(store, REQUEST)
    gone = min(images(store, 1))
    reject_candidates(store, [gone], RejectReason.WRONG_CLASS, by="R")
    build_dataset(store, replace(REQUEST, parent=1))
    first, second = revision_summaries(store, "mine")
    assert (first.kept, first.added, first.removed) == (0, 4, 0)
    assert (second.kept, second.added, second.removed) == (3, 1, 1)
    with store.read() as study:
        change = RevisionReader(study, "mine").compare(1, 2)
    assert change.removed == {gone: RemovalReason.REJECTED}
    assert gone in images(store, 1)


def test_the_preview_says_why_each_candidate_is_excluded_and_what_to_do_next(
    store: StudyStore, pool: dict[str, ImageKey]
) -> None:
    fish = sorted(key for key in pool.values() if FISH in key.image)
    dogs = sorted(key for key in pool.values() if DOG in key.image)
    reject_candidates(store, fish[:3], RejectReason.BLURRY)
    set_frequencies(store, dict.fromkeys(dogs[:3], 5), shown=5)
    preview = preview_build(store, REQUEST)
    assert list(missing_lines(preview, str)) == [
        f"{FISH}: 1 missing. Next: collect more candidates.",
        f"{DOG}: 1 missing. Next: ask annotators about 3 candidates.",
    ]
    assert list(excluded_lines(preview, str)) == [
        *(f"{FISH}: {key.image}: rejected" for key in fish[:3]),
        *(f"{DOG}: {key.image}: too few answers" for key in dogs[:3]),
    ]


def test_a_class_without_enough_originals_needs_a_round_with_the_reference(
    store: StudyStore, pool: dict[str, ImageKey], pictures: Callable[[str], PictureFolder]
) -> None:
    import_dataset(store, DatasetRequest(name="val", path=pictures("val").fill(FISH, each=2).path))
    request = replace(REQUEST, strategy=Strategy.MATCHED_FREQUENCY, reference="val")
    [first, *_others] = missing_lines(preview_build(store, request), str)
    assert first.startswith(f"{FISH}: 2 missing (only 0 reference images")
    assert first.endswith("Next: plan a round with the reference.")


def test_a_preview_says_what_is_missing_and_why(store: StudyStore, pool: dict) -> None:
    keys = sorted(pool.values())
    reject_candidates(store, keys[:1], RejectReason.BLURRY)
    set_frequencies(store, {keys[1]: 3}, shown=3)
    preview = preview_build(store, replace(REQUEST, per_class=4))
    assert preview.exclusions == {Exclusion.REJECTED: 1, Exclusion.TOO_FEW_ANSWERS: 1}
    assert preview.built.missing == 2
    assert preview.built.state is RevisionState.INCOMPLETE
    with store.read() as study:
        assert study.built_datasets.names() == []


def test_a_rejection_taken_back_makes_the_candidate_eligible_again(
    store: StudyStore, pool: dict
) -> None:
    key = min(pool.values())
    reject_candidates(store, [key], RejectReason.OTHER)
    assert key not in preview_build(store, REQUEST).eligibility.images
    assert unreject_candidates(store, [key]) == 1
    assert key in preview_build(store, REQUEST).eligibility.images


def test_final_needs_a_complete_and_reviewed_revision(store: StudyStore, pool: dict) -> None:
    build_dataset(store, REQUEST)
    with pytest.raises(RefusedError, match="2 classes not reviewed"):
        declare_final(store, "mine", 1)
    review_all(store, 1, needs_work=DOG)
    with pytest.raises(RefusedError, match="1 class in need of work"):
        declare_final(store, "mine", 1)
    review_all(store, 1)
    assert declare_final(store, "mine", 1).state is RevisionState.FINAL
    with pytest.raises(RefusedError):
        review_all(store, 1)


def test_a_revision_with_a_rejected_image_is_not_final(store: StudyStore, pool: dict) -> None:
    build_dataset(store, REQUEST)
    review_all(store, 1)
    gone = min(images(store, 1))
    reject_candidates(store, [gone], RejectReason.BLURRY)
    with pytest.raises(RefusedError, match="1 image rejected"):
        declare_final(store, "mine", 1)
    unreject_candidates(store, [gone])
    assert declare_final(store, "mine", 1).state is RevisionState.FINAL


def test_an_incomplete_revision_is_never_final(store: StudyStore, pool: dict) -> None:
    build_dataset(store, replace(REQUEST, per_class=5))
    review_all(store, 1)
    with pytest.raises(RefusedError, match="2 images missing"):
        declare_final(store, "mine", 1)


def test_only_changed_classes_are_reviewed_again(store: StudyStore, pool: dict) -> None:
    build_dataset(store, REQUEST)
    review_all(store, 1)
    gone = next(key for key in sorted(images(store, 1)) if DOG in key.image)
    reject_candidates(store, [gone], RejectReason.BLURRY)
    build_dataset(store, replace(REQUEST, parent=1))
    with store.read() as study:
        states = RevisionReader(study, "mine").states(2)
    assert states[FISH].carried
    assert not states[DOG].reviewed


def test_no_model_is_scored_on_a_pool_or_before_the_revision_is_final(
    store: StudyStore, pool: dict
) -> None:
    def plan(*names: str) -> list[str]:
        plans = plan_datasets(store, model="m", datasets=names, replaces=False)
        return [each.dataset.name for each in plans]

    build_dataset(store, REQUEST)
    add_revision_as_dataset(store, "mine", 1, name="built")
    with pytest.raises(RefusedError, match="candidate pool"):
        plan(POOL)
    with pytest.raises(RefusedError, match="before the lead declares it final"):
        plan("built")
    with pytest.raises(RefusedError, match="no evaluation dataset"):
        plan()
    review_all(store, 1)
    declare_final(store, "mine", 1)
    assert plan("built") == plan() == ["built"]


def test_no_model_is_scored_on_files_of_a_pool_that_were_added_as_a_dataset(
    store: StudyStore, pool: dict[str, ImageKey], tmp_path: Path
) -> None:
    build_dataset(store, REQUEST)
    export_revision(store, "mine", 1, tmp_path / "out", layout=BuiltLayout.WNID)
    import_dataset(store, DatasetRequest(name="copied", path=tmp_path / "out"))
    with pytest.raises(RefusedError, match=f"candidates of the pool '{POOL}'"):
        plan_datasets(store, model="m", datasets=("copied",), replaces=False)
    with pytest.raises(RefusedError, match="no evaluation dataset yet"):
        plan_datasets(store, model="m", datasets=(), replaces=False)
    review_all(store, 1)
    declare_final(store, "mine", 1)
    [plan] = plan_datasets(store, model="m", datasets=("copied",), replaces=False)
    assert len(plan.images) == 4


def test_matched_frequency_uses_the_reference_dataset(store: StudyStore, pool: dict) -> None:
    matched = replace(REQUEST, strategy=Strategy.MATCHED_FREQUENCY, reference=POOL)
    with pytest.raises(RefusedError):
        preview_build(store, replace(matched, reference=None))
    refused = preview_build(store, matched)
    assert all(draw.refused for draw in refused.built.draws)
    preview = preview_build(store, replace(matched, min_references=4))
    assert {built.bin for built in preview.built.images} == {4}


@pytest.mark.parametrize("layout", [BuiltLayout.INDEX, BuiltLayout.WNID])
def test_folders_hold_the_images_with_a_manifest_and_a_data_card(
    store: StudyStore, pool: dict, tmp_path: Path, layout: BuiltLayout
) -> None:
    build_dataset(store, REQUEST)
    out = tmp_path / "out"
    assert export_revision(store, "mine", 1, out, layout=layout) == 4
    names = [DOG, FISH]
    if layout is BuiltLayout.INDEX:
        names = [str(store.taxonomy.index_of(label)) for label in names]
    assert sorted(f.name for f in out.iterdir() if f.is_dir()) == sorted(names)
    rows = read_rows(out / MANIFEST)
    assert {row["label"] for row in rows} == {FISH, DOG}
    assert all((out / row["image"]).is_file() for row in rows)
    assert "mine" in (out / DATA_CARD).read_text()
    with pytest.raises(RefusedError, match="isn't empty"):
        export_revision(store, "mine", 1, out, layout=layout)


def test_archives_of_equal_revisions_are_equal_bytes(
    store: StudyStore, pool: dict, tmp_path: Path
) -> None:
    build_dataset(store, REQUEST)
    for name in ("one", "two"):
        export_revision(store, "mine", 1, tmp_path / name, layout=BuiltLayout.WEBDATASET)
    one, two = (tmp_path / name / "mine-1.tar" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    with tarfile.open(one) as archive:
        members = archive.getnames()
    assert len(members) == 12
    assert {name.rpartition(".")[2] for name in members} == {"jpg", "cls", "json"}


def test_a_changed_file_is_not_exported(store: StudyStore, pool: dict, tmp_path: Path) -> None:
    build_dataset(store, REQUEST)
    with store.read() as study:
        path = study.built_datasets.files("mine", 1)[0].image.path
    assert path is not None
    Path(path).write_bytes(b"something else")
    with pytest.raises(EnvironmentFault, match="has changed"):
        export_revision(store, "mine", 1, tmp_path / "out", layout=BuiltLayout.INDEX)
    assert not (tmp_path / "out").exists()
