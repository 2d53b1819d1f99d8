"""The sample is drawn out of the way of the training pool and the references, or refused."""

import pytest

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.datasets.sampling import (
    NO_EVALUATION_DATASET,
    NOTHING_DRAWN,
    REMOVE_OR_SKIP,
    SAMPLE_EXISTS,
    fill_training_pool,
    freeze_sample,
    sample_datasets,
)
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, ExposureOccasion, ImageKey, Role
from labeler.core.study.phases import Phase
from labeler.guide.pages import load_guide
from labeler.images.unreadable import UnreadableReason
from labeler.store.datasets.datasets import DatasetDefinition, NewImage
from labeler.store.schema import ExposureRow, ProblematicRow
from labeler.store.schema.row_ids import image_ids

FISH, SHARK, DOG = "n01440764", "n01491361", "n02085620"


def request(*datasets: str, per_class: int = 1, seed: int = 1, classes: int | None = None):
    return SampleRequest(datasets or ("val",), per_class, seed, classes)


def sample_of(store) -> list[ImageKey]:
    with store.read() as study:
        return study.samples.images()


@pytest.fixture
def val(store, pictures, imported):
    """An evaluation dataset with four fish and four dogs."""
    folder = pictures("val").fill(FISH, DOG, each=4)
    imported(store, "val", folder.path)
    return folder


def test_the_sample_is_frozen_with_its_seed_and_the_versions_it_was_drawn_with(store, val) -> None:
    report = freeze_sample(store, request(per_class=2, seed=77))

    assert sample_of(store) == list(report.draw.images)
    with store.read() as study:
        sample = study.samples.current()
        last = study.audit.entries()[-1]
    assert sample is not None
    assert (sample.request, sample.images) == (request(per_class=2, seed=77), 4)
    assert sample.versions.taxonomy == store.taxonomy.version
    assert sample.versions.guide == load_guide(store.folder.guide).version
    assert (last.action, last.detail["images"]) == ("sample drawn", 4)


def test_a_sample_mixes_datasets_and_leaves_copies_out(store, val, pictures, imported) -> None:
    new = pictures("new").fill(FISH, each=2).fill(DOG, each=4)
    for number in range(4):
        new.add(f"{FISH}/copy{number}.JPEG", picture=f"val/{FISH}/{number}.JPEG")
    imported(store, "new", new.path)

    with pytest.raises(RefusedError, match=r"1 class has too few .*\(tench: 2 of 4 in new\)"):
        freeze_sample(store, request("val", "new", per_class=4))
    freeze_sample(store, request("val", "new", per_class=2))

    assert [key.dataset for key in sample_of(store)].count("new") == 4
    with store.read() as study:
        assert len({c.content_hash for c in study.samples.candidates()}) == 8


def test_problematic_images_stay_out(store, val) -> None:
    with store.write() as study:
        names = {f"{wnid}/{number}.JPEG" for wnid in (FISH, DOG) for number in (0, 1, 3)}
        ids = image_ids(study.session, "val")
        for name in names:
            study.session.add(ProblematicRow(image_id=ids[name], reason="drawing", at="2026"))

    freeze_sample(store, request())

    assert sorted(sample_of(store)) == [
        ImageKey("val", f"{FISH}/2.JPEG"),
        ImageKey("val", f"{DOG}/2.JPEG"),
    ]


def test_the_pool_taken_from_an_evaluation_dataset_stays_out_of_the_sample(store, val) -> None:
    assert fill_training_pool(store, "val", per_class=3, seed=5) == 6

    freeze_sample(store, request(per_class=1))

    with store.read() as study:
        candidates = study.image_roles.candidates(["val"])
        pooled = {c.key for c in candidates if c.in_training_pool}
    assert len(pooled) == 6
    assert not pooled & set(sample_of(store))


def test_an_image_that_someone_trained_on_stays_out_whether_or_not_it_is_in_the_pool(
    store, val
) -> None:
    add_person(store, "A", roles=[Role.LABELER])
    with store.write() as study:
        images = image_ids(study.session, "val")
        for number in range(3):
            study.session.add(
                ExposureRow(
                    participant_id=1,
                    image_id=images[f"{FISH}/{number}.JPEG"],
                    occasion=ExposureOccasion.TRAINING,
                    at="2026",
                )
            )

    report = freeze_sample(store, request())

    assert ImageKey("val", f"{FISH}/3.JPEG") in report.draw.images


def test_the_pool_taken_later_stays_away_from_the_sample_and_its_copies(
    store, pictures, imported
) -> None:
    folder = pictures("val").fill(FISH, each=3)
    for number in range(3):
        folder.add(f"{FISH}/copy{number}.JPEG", picture=f"val/{FISH}/{number}.JPEG")
    imported(store, "val", folder.path)
    freeze_sample(store, request())

    assert fill_training_pool(store, "val", per_class=100, seed=5) == 4

    with store.read() as study:
        seen = study.image_roles.seen_before_evaluation()
        assert all(c.content_hash not in seen for c in study.samples.candidates())


def test_the_pool_is_the_same_for_the_same_seed(store, val) -> None:
    fill_training_pool(store, "val", per_class=1, seed=5)

    with store.read() as study:
        candidates = study.image_roles.candidates(["val"])
    pooled = sorted(c.key.image for c in candidates if c.in_training_pool)
    assert pooled == [f"{FISH}/1.JPEG", f"{DOG}/2.JPEG"]


def test_a_picture_that_labelers_see_beforehand_is_refused_naming_both(
    store, val, pictures, imported
) -> None:
    training = pictures("more")
    for number in range(4):
        picture = f"val/{FISH}/{number}.JPEG"
        training.add(f"{FISH}/other name {number}.JPEG", picture=picture)
    imported(store, "more", training.path, role=DatasetRole.TRAINING)

    with pytest.raises(RefusedError, match=REMOVE_OR_SKIP) as refusal:
        freeze_sample(store, request())

    [number] = [n for n in range(4) if f"val: {FISH}/{n}.JPEG" in str(refusal.value)]
    assert f"more: {FISH}/other name {number}.JPEG" in str(refusal.value)
    assert sample_of(store) == []


def test_skipping_what_was_seen_draws_others(store, val, pictures, imported) -> None:
    undisturbed = set(freeze_sample(store, request(per_class=2)).draw.images)
    with store.write() as study:
        study.datasets.add(
            DatasetDefinition(name="refs", role=DatasetRole.REFERENCE), complete=True
        )
        drawn = [c for c in study.image_roles.candidates(["val"]) if c.key in undisturbed]
        copies = [
            NewImage(name=f"copy {n}", target=c.target, content_hash=c.content_hash)
            for n, c in enumerate(drawn)
        ]
        study.datasets.append("refs", copies)
        study.image_roles.set_references("refs", {FISH: [copy.name for copy in copies]})

    freeze_sample(store, request(per_class=2), redraw=True, skip_seen=True)

    assert len(sample_of(store)) == 4
    assert not set(sample_of(store)) & undisturbed


def test_a_class_that_is_short_in_two_datasets_is_counted_and_named_once(
    store, val, pictures, imported
) -> None:
    imported(store, "new", pictures("new").fill(FISH, each=3).fill(DOG, each=9).path)

    with pytest.raises(
        RefusedError,
        match=r"2 classes .*\(tench: \d of 9 in val, 3 of 9 in new; Chihuahua: \d of 9 in val\)",
    ):
        freeze_sample(store, request("val", "new", per_class=9))


def test_too_few_images_are_refused_or_accepted_on_request(store, val, pictures, imported) -> None:
    imported(store, "new", pictures("new").fill(FISH, each=3).path)
    wanted = request("val", "new", per_class=4)

    with pytest.raises(
        RefusedError, match=r"2 classes have .*\(tench: 3 of 4 in new; Chihuahua: 0 of 4 in new\)"
    ):
        freeze_sample(store, wanted)
    assert sample_of(store) == []
    report = freeze_sample(store, wanted, allow_shortage=True)

    assert len(report.draw.images) == 11
    assert [(s.wnid, s.available) for s in report.draw.shortages] == [(FISH, 3), (DOG, 0)]


def test_fewer_classes_than_asked_for_are_refused_or_accepted_on_request(store, val) -> None:
    with pytest.raises(RefusedError, match=r"Only 2 classes .* not 30"):
        freeze_sample(store, request(classes=30))

    freeze_sample(store, request(classes=30), allow_shortage=True)

    assert len(sample_of(store)) == 2


def test_a_sample_of_nothing_is_refused_even_on_request(store, val) -> None:
    fill_training_pool(store, "val", per_class=4, seed=5)

    with pytest.raises(RefusedError, match=NOTHING_DRAWN):
        freeze_sample(store, request(), allow_shortage=True)


def test_a_second_sample_needs_to_be_said(store, val) -> None:
    freeze_sample(store, request())
    first = sample_of(store)

    with pytest.raises(RefusedError, match=SAMPLE_EXISTS):
        freeze_sample(store, request(seed=9))
    assert sample_of(store) == first
    freeze_sample(store, request(per_class=3), redraw=True)

    assert len(sample_of(store)) == 6


def test_a_sample_can_not_change_once_the_evaluation_has_begun(store, val) -> None:
    add_person(store, "A", roles=[Role.LABELER])
    freeze_sample(store, request())
    open_phase(store, Phase.EVALUATE)

    with pytest.raises(
        RefusedError, match="The evaluation is open, so its sample can't be changed"
    ):
        freeze_sample(store, request(seed=9), redraw=True)
    lock_phase(store, Phase.EVALUATE, unfinished=True)
    with pytest.raises(RefusedError, match="The evaluation is locked"):
        freeze_sample(store, request(seed=9), redraw=True)


def test_a_sample_comes_from_complete_evaluation_datasets(store, val, pictures, imported) -> None:
    folder = pictures("t").fill(FISH, each=1)
    imported(store, "t", folder.path, role=DatasetRole.TRAINING)
    half = DatasetRequest(name="half", path=pictures("half").fill(FISH, each=2).path)
    import_dataset(store, half, cancelled=lambda: True)

    assert sample_datasets(store) == ("val",)
    for name, sentence in (
        ("t", "'t' is a training dataset"),
        ("half", "import of 'half' was interrupted"),
        ("vla", "no dataset 'vla'. Choose from: val"),
    ):
        with pytest.raises(RefusedError, match=sentence):
            freeze_sample(store, request(name))
    with pytest.raises(RefusedError, match=NO_EVALUATION_DATASET):
        freeze_sample(store, SampleRequest((), 1, 1))


def test_images_known_by_name_only_are_read_before_they_are_drawn(store, pictures) -> None:
    folder = pictures("names").fill(FISH, each=3)
    folder.add(f"{FISH}/twin.JPEG", picture=f"names/{FISH}/0.JPEG")
    folder.write(f"{FISH}/broken.JPEG", b"broken")
    names = sorted(f"{FISH}/{file.name}" for file in (folder.path / FISH).iterdir())
    with store.write() as study:
        role, root = DatasetRole.EVALUATION, str(folder.path)
        study.datasets.add(DatasetDefinition(name="names", role=role, root=root), complete=True)
        study.datasets.append("names", [NewImage(name=name, target=FISH) for name in names])

    report = freeze_sample(store, request("names", per_class=5), allow_shortage=True)

    assert report.unreadable == (
        (ImageKey("names", f"{FISH}/broken.JPEG"), UnreadableReason.NOT_AN_IMAGE),
    )
    assert len(report.draw.images) == 3
    assert len(report.draw.duplicates) == 1


def test_the_pool_never_takes_a_copy_that_no_one_has_read_yet(store, pictures, imported) -> None:
    val = pictures("val")
    val.add(f"{FISH}/secret.JPEG", picture="secret")
    imported(store, "val", val.path)
    freeze_sample(store, request())
    folder = pictures("names")
    folder.add(f"{FISH}/renamed.JPEG", picture="secret")
    with store.write() as study:
        role, root = DatasetRole.EVALUATION, str(folder.path)
        study.datasets.add(DatasetDefinition(name="names", role=role, root=root), complete=True)
        study.datasets.append("names", [NewImage(name=f"{FISH}/renamed.JPEG", target=FISH)])

    assert fill_training_pool(store, "names", per_class=5, seed=1) == 0


@pytest.mark.parametrize("role", [DatasetRole.TRAINING, DatasetRole.REFERENCE])
def test_a_picture_of_the_sample_is_refused_under_any_name_and_nothing_stays(
    store, pictures, role, imported, rows
) -> None:
    val = pictures("val")
    val.add(f"{FISH}/secret.JPEG", picture="secret")
    imported(store, "val", val.path)
    freeze_sample(store, SampleRequest(("val",), per_class=1, seed=1))
    folder = pictures("more").fill(FISH, each=3)
    folder.add(f"{FISH}/renamed.JPEG", picture="secret")
    before = rows(store)

    with pytest.raises(RefusedError) as refusal:
        imported(store, "more", folder.path, role=role)

    assert f"val: {FISH}/secret.JPEG" in str(refusal.value)
    assert f"more: {FISH}/renamed.JPEG" in str(refusal.value)
    assert rows(store) == before
    with store.read() as study:
        assert study.image_roles.training_pool_size() == 0
        assert study.image_roles.reference_counts() == {}


def test_after_the_picture_is_taken_out_the_same_import_succeeds(store, pictures, imported) -> None:
    val = pictures("val")
    val.add(f"{FISH}/secret.JPEG", picture="secret")
    imported(store, "val", val.path)
    freeze_sample(store, SampleRequest(("val",), per_class=1, seed=1))
    folder = pictures("more").fill(FISH, each=2)
    culprit = folder.add(f"{FISH}/renamed.JPEG", picture="secret")
    with pytest.raises(RefusedError):
        imported(store, "more", folder.path, role=DatasetRole.TRAINING)

    culprit.unlink()
    report = imported(store, "more", folder.path, role=DatasetRole.TRAINING)

    assert (report.dataset.images, report.resumed_at) == (2, 0)
