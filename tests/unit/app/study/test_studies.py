"""A study is made with a seed of its own, and backed up when it is opened for work."""

from datetime import timedelta

import pytest

from labeler.app.study.studies import new_study, open_for_work
from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import RefusedError
from labeler.store.study.backups import backups
from labeler.store.study.folder import StudyFolder


def test_a_study_is_named_after_its_folder_by_default(tmp_path, clock) -> None:
    with new_study(tmp_path / "birds", clock=clock) as unnamed:
        assert unnamed.identity.name == "birds"
    with new_study(tmp_path / "x", clock=clock, name="Birds of a feather") as named:
        assert named.identity.name == "Birds of a feather"
        assert named.taxonomy.version == load_default().version


def test_the_seed_comes_from_the_name_unless_it_is_given(tmp_path, clock) -> None:
    seeds = []
    for folder, name in (("a", "one"), ("b", "one"), ("c", "two")):
        with new_study(tmp_path / folder, clock=clock, name=name) as store:
            seeds.append(store.identity.seed)
    assert seeds[0] == seeds[1] != seeds[2]

    with new_study(tmp_path / "d", clock=clock, seed=7) as store:
        assert store.identity.seed == 7


def test_a_seed_that_cannot_be_stored_is_refused(tmp_path, clock) -> None:
    with pytest.raises(RefusedError, match="not a valid seed"):
        new_study(tmp_path / "study", clock=clock, seed=2**40)

    assert not (tmp_path / "study").exists()


def test_creating_a_study_is_audited(store) -> None:
    with store.read() as study:
        [entry] = study.audit.entries()
    assert (entry.action, entry.detail["name"]) == ("study made", "Fish and dogs")


def test_opening_for_work_backs_up_what_changed_and_only_that(path, clock) -> None:
    folder = StudyFolder(path)
    for _ in range(3):
        open_for_work(path, clock=clock).close()
        clock.go_on(hours=1)
    assert len(backups(folder)) == 1

    with open_for_work(path, clock=clock) as store, store.write() as study:
        study.audit.record("work")
    clock.go_on(hours=1)
    open_for_work(path, clock=clock).close()

    assert len(backups(folder)) == 2


def test_backups_can_have_a_minimum_interval(path, clock) -> None:
    for _ in range(3):
        store = open_for_work(path, clock=clock, backups_apart=timedelta(minutes=30))
        with store, store.write() as study:
            study.audit.record("work")
        clock.go_on(minutes=5)

    assert len(backups(StudyFolder(path))) == 1
