"""The operations of Set up: what each changes, which message it returns, what it refuses."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from labeler.app.datasets import folder_preview
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportInterrupted
from labeler.app.datasets.removal import DATASET_USES, dataset_in_use_text
from labeler.app.datasets.sample_preview import ALSO_USED, TOO_FEW
from labeler.app.datasets.sampling import ADD_TRAINING_FOLDER, REMOVE_OR_SKIP
from labeler.app.progress import NoProgress
from labeler.app.review.plan import PlanSettings
from labeler.app.study.check import StudyProblem
from labeler.app.study.lead_home import EVALUATION_LOCKED
from labeler.app.study.people import PERSON_USES, add_person, person_in_use_text
from labeler.app.study.phases import open_phase
from labeler.app.study.settings import check_lead_passphrase, compared_datasets, study_settings
from labeler.app.study.setup.confirmations import FILES_STAY
from labeler.app.study.setup.study_setup import (
    OWN_LEAD_ROLE,
    OWN_REMOVAL,
    StudySetup,
    how_to_start_text,
    person_added_text,
    phase_open_text,
    review_closed_text,
)
from labeler.core.clock import stamp
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import DatasetRole, ExposureOccasion, Role, SessionTask, Stage
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.schema import ExposureRow
from labeler.store.schema.row_ids import image_ids
from labeler.store.study.backups import BackupReason, backups
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.proposals import propose
from tests.unit.app.conftest import DOG, FISH, PictureFolder

WATCH = NoProgress()


@pytest.fixture
def ready(healthy: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    with open_study(healthy, clock=clock) as store:
        yield store


@pytest.fixture
def setup(ready: StudyStore) -> StudySetup:
    add_person(ready, "L", roles=[Role.LEAD])
    return StudySetup(ready, "L")


def preview(setup: StudySetup, *, per_class: int = 2, skip_seen: bool = False):
    request = SampleRequest(("val",), per_class, 1)
    return setup.preview_sample(request, skip_seen=skip_seen, progress=WATCH)


# Images.


def test_a_folder_is_previewed_without_being_added(
    store: StudyStore, pictures: Callable[[str], PictureFolder]
) -> None:
    folder = pictures("val").fill(FISH, DOG, each=2)
    folder.write(f"{FISH}/broken.JPEG", b"no picture")
    seen = StudySetup(store, "L").see_folder(DatasetRequest(name="val", path=folder.path), WATCH)
    assert seen.sentence.startswith("5 images recognised by name: 2 folders named by wnid")
    assert [target for target, _jpeg in seen.pictures] == ["tench", "Chihuahua"]
    assert all(jpeg.startswith(b"\xff\xd8") for _target, jpeg in seen.pictures)
    assert StudySetup(store, "L").facts().datasets == ()


def test_a_preview_shows_readable_images_and_reports_empty_folders(
    store: StudyStore, pictures: Callable[[str], PictureFolder]
) -> None:
    folder = pictures("val").fill(FISH, DOG, each=4)
    folder.write(f"{FISH}/-broken.JPEG", b"no picture")
    (folder.path / "n01484850").mkdir()
    seen = StudySetup(store, "L").see_folder(DatasetRequest(name="val", path=folder.path), WATCH)
    assert f"for example {DOG}/0.JPEG" in seen.sentence
    assert seen.sentence.endswith("1 folder has no images: n01484850.")
    assert seen.summary(None) == seen.summary(5) == seen.sentence
    assert seen.summary(3) == f"{seen.sentence} 6 of them would be drawn."


def test_a_folder_of_classes_without_a_picture_is_refused(
    store: StudyStore, pictures: Callable[[str], PictureFolder]
) -> None:
    (pictures("val").path / FISH).mkdir()
    with pytest.raises(RefusedError, match="no image in them"):
        StudySetup(store, "L").see_folder(
            DatasetRequest(name="val", path=pictures("val").path), WATCH
        )


def test_counting_stops_at_a_limit(
    store: StudyStore,
    pictures: Callable[[str], PictureFolder],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(folder_preview, "_COUNTED", 3)
    folder = pictures("val").fill(FISH, DOG, each=2)
    seen = StudySetup(store, "L").see_folder(DatasetRequest(name="val", path=folder.path), WATCH)
    assert seen.sentence.startswith("More than 3 images recognised by name: ")


def test_an_import_resumes_with_its_original_options(
    store: StudyStore, pictures: Callable[[str], PictureFolder]
) -> None:
    folder = pictures("val").fill(FISH, DOG, each=3)
    request = DatasetRequest(name="val", path=folder.path, per_class=2, seed=9, apply_exif=True)
    assert isinstance(import_dataset(store, request, cancelled=lambda: True), ImportInterrupted)
    setup = StudySetup(store, "L")
    said = setup.resume_import("val", listed_by=None, progress=WATCH)
    assert said[0].startswith("Added 4 images as evaluation dataset")
    (found,) = setup.facts().datasets
    assert (found.complete, found.apply_exif) == (True, True)


def test_references_come_with_their_thumbnails(
    store: StudyStore, pictures: Callable[[str], PictureFolder]
) -> None:
    folder = pictures("references").fill(FISH, each=2)
    request = DatasetRequest(name="references", path=folder.path, role=DatasetRole.REFERENCE)
    said = StudySetup(store, "L").add_dataset(request, WATCH)
    assert any("Reference images: 1 class prepared" in line for line in said)


def test_a_folder_that_moved_is_found_again(setup: StudySetup, tmp_path: Path) -> None:
    val = tmp_path / "pictures" / "val"
    shutil.move(val, tmp_path / "elsewhere")
    (found,) = setup.check(WATCH)
    assert found.problem is StudyProblem.MISSING
    assert found.sentence.startswith(f"val: the folder {val} with its 6 images is missing")
    (said,) = setup.relocate("val", tmp_path / "elsewhere", partly=False, progress=WATCH)
    assert "val is now at " in said
    assert setup.check(WATCH) == []


def test_a_removal_that_is_refused_makes_no_backup(setup: StudySetup, ready: StudyStore) -> None:
    before = len(backups(ready.folder))
    for refused in (setup.require_removable, setup.remove_dataset):
        uses = [DATASET_USES["sample_dataset"]]
        with pytest.raises(RefusedError, match=dataset_in_use_text("val", uses)):
            refused("val")
    assert len(backups(ready.folder)) == before


def test_removing_references_makes_a_backup_and_reports_the_effect(
    setup: StudySetup, ready: StudyStore
) -> None:
    before = len(backups(ready.folder))
    gone, bare = setup.remove_dataset("references")
    assert gone == f"Removed references with 8 images. {FILES_STAY}"
    assert bare == "2 classes have no reference images now."
    assert len(backups(ready.folder)) == before + 1
    assert setup.check(WATCH) == []


def test_thumbnails_are_rebuilt(setup: StudySetup, ready: StudyStore) -> None:
    for sheet in ready.folder.thumbnails.glob(f"{FISH}*"):
        sheet.unlink()
    assert StudyProblem.STALE_SHEET in {found.problem for found in setup.check(WATCH)}
    assert "1 class prepared" in setup.build_sheets(WATCH)[0]
    assert setup.check(WATCH) == []


def test_training_images_are_drawn_so_that_every_class_can_still_be_sampled(
    store: StudyStore, pictures: Callable[[str], PictureFolder]
) -> None:
    setup = StudySetup(store, "L")
    setup.add_dataset(
        DatasetRequest(name="val", path=pictures("val").fill(FISH, DOG, each=3).path), WATCH
    )
    with pytest.raises(RefusedError, match=r"none would be left to evaluate\. Draw at most 2\."):
        setup.fill_pool("val", per_class=3, progress=WATCH)
    assert setup.facts().study.training_images == 0
    assert not backups(store.folder), "nothing was changed"
    assert setup.fill_pool("val", per_class=2, progress=WATCH) == (
        "Moved 4 images of val to the training pool.",
    )
    assert backups(store.folder), "it can't be taken back otherwise"
    with pytest.raises(RefusedError, match=ADD_TRAINING_FOLDER):
        setup.fill_pool("val", per_class=1, progress=WATCH)


# People.


def test_a_person_needs_an_unused_code(setup: StudySetup) -> None:
    (said,) = setup.add_person("B", roles=[Role.LABELER], name="Bea", description="")
    assert said == person_added_text("B")
    with pytest.raises(RefusedError):
        setup.add_person("B", roles=[Role.LABELER], name="", description="")
    assert [person.code for person in setup.facts().people].count("B") == 1


def test_a_lead_cannot_drop_the_role_but_changes_others(setup: StudySetup) -> None:
    with pytest.raises(RefusedError, match=OWN_LEAD_ROLE):
        setup.change_person("L", roles=[Role.LABELER])
    said = setup.change_person("R", roles=[Role.LABELER, Role.REVIEWER])
    assert said == ("R is now labeler, reviewer.",)


def test_a_name_and_a_description_are_corrected(setup: StudySetup) -> None:
    said = setup.change_person("R", roles=[Role.REVIEWER], description="second", name="Rea")
    assert said[1:] == ("The description and name of R changed.",)
    facts = setup.facts()
    assert facts.names["R"] == "Rea"
    assert {one.code: one.description for one in facts.people}["R"] == "second"
    setup.change_person("R", roles=[Role.REVIEWER])
    assert setup.facts().names["R"] == "Rea", "what isn't given stays"


def test_a_lead_removes_others_and_a_backup_is_made_first(
    setup: StudySetup, ready: StudyStore
) -> None:
    with pytest.raises(RefusedError, match=OWN_REMOVAL):
        setup.remove_person("L")
    with ready.write() as study:
        study.sessions.begin("A", role=Role.LABELER, task=SessionTask.EVALUATE, program_version="0")
    with pytest.raises(RefusedError, match=person_in_use_text("A", [PERSON_USES["session"]])):
        setup.remove_person("A")
    assert not any(one.reason is BackupReason.BEFORE_REMOVING for one in backups(ready.folder))
    assert setup.remove_person("R") == ("Removed R.",)
    assert "R" not in {one.code for one in setup.facts().people}
    assert backups(ready.folder)[0].reason is BackupReason.BEFORE_REMOVING


# Settings.


def test_settings_are_changed_as_the_command_changes_them(
    setup: StudySetup, ready: StudyStore
) -> None:
    setup.change_settings(asks_confidence=True, idle_seconds=90, washout_days=14)
    held = study_settings(ready)
    assert (held.asks_confidence, held.idle_seconds, held.washout_days) == (True, 90, 14)
    assert setup.facts().settings == held


def test_the_passphrase_can_be_set_and_removed(setup: StudySetup, ready: StudyStore) -> None:
    setup.set_passphrase("heron")
    assert setup.facts().settings.has_lead_passphrase
    assert not check_lead_passphrase(ready, "stork")
    setup.remove_passphrase()
    assert check_lead_passphrase(ready, "anything")


def test_comparing_needs_two_datasets(setup: StudySetup, ready: StudyStore) -> None:
    with pytest.raises(RefusedError, match="can't be compared with itself"):
        setup.compare(original="val", new="val")
    assert compared_datasets(ready) is None


# The sample.


def test_a_sample_preview_changes_nothing(setup: StudySetup) -> None:
    result = preview(setup, per_class=3)
    assert result.drawn[0] == "The sample would have 6 images of 2 classes."
    assert (result.refused, result.shortage, result.passed_over) == ((), "", ())
    sample = setup.facts().sample
    assert sample is not None
    assert sample.request.per_class == 2, "the one that was there"


def test_a_preview_names_the_classes_that_are_short(setup: StudySetup) -> None:
    result = preview(setup, per_class=4)
    assert "2 classes have too few images" in result.shortage
    assert {(each.why, each.what) for each in result.passed_over} == {
        (TOO_FEW, f"tench ({FISH}): 3 of 4"),
        (TOO_FEW, f"Chihuahua ({DOG}): 3 of 4"),
    }


def test_a_preview_lists_images_used_elsewhere_instead_of_failing(
    store: StudyStore, pictures: Callable[[str], PictureFolder]
) -> None:
    setup = StudySetup(store, "L")
    train = pictures("train")
    for number in range(3):
        train.add(f"{FISH}/{number}.JPEG", picture=f"val/{FISH}/{number}.JPEG")
    val = pictures("val").fill(FISH, DOG, each=3)
    setup.add_dataset(DatasetRequest(name="val", path=val.path), WATCH)
    setup.add_dataset(
        DatasetRequest(name="train", path=train.path, role=DatasetRole.TRAINING), WATCH
    )
    result = preview(setup)
    assert "2 images of the sample would also be in the training pool" in result.refused[0]
    assert [each.why for each in result.passed_over] == [ALSO_USED] * 2
    with pytest.raises(RefusedError, match=REMOVE_OR_SKIP):
        setup.freeze_sample(
            SampleRequest(("val",), 2, 1), skip_seen=False, allow_shortage=True, progress=WATCH
        )
    assert not backups(store.folder), "nothing was changed"
    skipped = preview(setup, skip_seen=True)
    assert skipped.refused == ()
    assert TOO_FEW in skipped.shortage


@pytest.mark.parametrize("copied", [False, True])
def test_a_preview_warns_about_exposures_and_the_washout(
    setup: StudySetup, ready: StudyStore, tmp_path: Path, copied: bool
) -> None:
    setup.change_person("R", roles=[Role.LABELER, Role.REVIEWER])
    dataset, image = "val", f"{FISH}/0.JPEG"
    if copied:
        twin = PictureFolder(tmp_path / "pictures" / "twin")
        twin.add(image, picture=f"val/{image}")
        setup.add_dataset(DatasetRequest(name="twin", path=twin.path), WATCH)
        dataset = "twin"
    with ready.write() as study:
        study.session.add(
            ExposureRow(
                participant_id=2,
                image_id=image_ids(study.session, dataset)[image],
                occasion=ExposureOccasion.REVIEW,
                at=stamp(ready.clock.utc()),
            )
        )
    (warning,) = preview(setup, per_class=3).warnings
    assert f"R (val: {image}) saw sampled images" in warning
    setup.change_settings(asks_confidence=False, idle_seconds=120, washout_days=30)
    (washout,) = preview(setup, per_class=3).warnings
    assert f"The washout of 30 days isn't over: R (val: {image})" in washout


def test_a_preview_names_datasets_in_the_order_in_which_they_were_asked_for(
    setup: StudySetup, pictures: Callable[[str], PictureFolder]
) -> None:
    more = pictures("more").fill(FISH, DOG, each=3)
    setup.add_dataset(DatasetRequest(name="more", path=more.path), WATCH)
    for seed in range(6):
        request = SampleRequest(("val", "more"), 2, seed)
        result = setup.preview_sample(request, skip_seen=False, progress=WATCH)
        assert result.drawn[1] == "val: 4, more: 4."


def test_replacing_a_sample_makes_a_backup_first(setup: StudySetup, ready: StudyStore) -> None:
    before = len(backups(ready.folder))
    (said,) = setup.freeze_sample(
        SampleRequest(("val",), 1, 7), skip_seen=False, allow_shortage=False, progress=WATCH
    )
    assert said == "Drew 2 images from val (seed 7)."
    assert len(backups(ready.folder)) == before + 1


# Reviews.


@pytest.fixture
def proposed(store: StudyStore, tmp_path: Path) -> StudySetup:
    propose(store, tmp_path / "exchange")
    return StudySetup(store, "L")


def test_a_plan_is_previewed_as_it_will_be_made(proposed: StudySetup) -> None:
    wish = PlanSettings(stage=Stage.INITIAL, overlap=2)
    seen = proposed.preview_plan(wish)
    assert seen[0].startswith("This would plan the initial review")
    assert proposed.facts().plans == {}
    made = proposed.plan_review(wish)
    assert made[0] == seen[0].replace("This would plan", "Planned")
    assert made[1:3] == seen[1:3]
    assert made[-1] == review_closed_text(Phase.ANNOTATE)
    planned = proposed.facts().plans[Stage.INITIAL]
    assert (planned.pairs, planned.images, planned.reviewers) == (5, 3, 2)


def test_an_existing_plan_is_extended(proposed: StudySetup, store: StudyStore) -> None:
    proposed.plan_review(PlanSettings(stage=Stage.INITIAL))
    (nothing,) = proposed.preview_plan(PlanSettings(stage=Stage.INITIAL))
    assert "Nothing to add" in nothing
    wider = PlanSettings(stage=Stage.INITIAL, overlap=2)
    assert proposed.preview_plan(wider)[0].startswith("This would extend the initial review")
    open_phase(store, Phase.ANNOTATE)
    assert "Extended the initial review" in proposed.plan_review(wider)[0]
    assert review_closed_text(Phase.ANNOTATE) not in proposed.preview_plan(wider)


def test_reviewers_progress_is_counted(proposed: StudySetup) -> None:
    proposed.plan_review(PlanSettings(stage=Stage.INITIAL))
    found = proposed.facts().reviewers
    assert {one.code for one in found} == {"R", "S"}
    assert sum(one.total for one in found) == 5
    assert all(one.done == 0 for one in found)


# Phases.


def test_opening_the_evaluation_makes_a_backup_and_says_how_to_start(
    setup: StudySetup, ready: StudyStore
) -> None:
    before = len(backups(ready.folder))
    opened, how = setup.open_phase(Phase.EVALUATE)
    assert opened == phase_open_text(Phase.EVALUATE)
    assert how == how_to_start_text(["A"], ready.folder.path)
    assert len(backups(ready.folder)) == before + 1


def test_locking_makes_a_backup_even_if_labelers_are_unfinished(
    setup: StudySetup, ready: StudyStore, clock: AdjustableClock
) -> None:
    setup.open_phase(Phase.EVALUATE)
    clock.go_on(seconds=1)
    before = len(backups(ready.folder))
    assert setup.lock_phase(Phase.EVALUATE) == (EVALUATION_LOCKED,)
    assert len(backups(ready.folder)) == before + 1
    assert setup.facts().study.states[Phase.EVALUATE] is PhaseState.LOCKED
    with pytest.raises(RefusedError, match="can't be opened again"):
        setup.open_phase(Phase.EVALUATE)


def test_facts_include_how_the_study_was_created(setup: StudySetup, ready: StudyStore) -> None:
    made = setup.facts().made
    assert (made.name, made.seed, made.classes) == ("Fish and dogs", 2020, 1000)
    assert made.folder == ready.folder.path
    assert made.taxonomy == "WordNet 3.0"


def test_a_check_of_an_intact_study_finds_nothing(setup: StudySetup) -> None:
    assert setup.check(WATCH) == []


def test_a_study_that_was_moved_is_reported_by_every_operation(
    setup: StudySetup, ready: StudyStore, clock: AdjustableClock
) -> None:
    ready.folder.path.rename(ready.folder.path.with_name("moved"))
    for asked in (setup.facts, lambda: setup.back_up(clock.utc()), lambda: setup.check(WATCH)):
        with pytest.raises(EnvironmentFault, match="no longer exists") as result:
            asked()
        assert str(ready.folder.path) in str(result.value)
    ready.folder.path.with_name("moved").rename(ready.folder.path)
