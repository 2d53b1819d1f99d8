"""The same repositories on a PostgreSQL server, which the tests start and stop themselves."""

import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from labeler.core.datasets.sampling import SampleRequest, draw_sample
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, Participant, ParticipantKind, Role, Stage
from labeler.core.study.phases import Phase, PhaseState, refusal_to_open
from labeler.store.datasets.datasets import OddFile
from labeler.store.datasets.samples import SampleVersions
from labeler.store.exchange.files import find_in_folder
from labeler.store.exchange.importer import import_exchange
from labeler.store.exchange.preview import preview_files
from labeler.store.schema import Base
from labeler.store.study_opening import back_up_if_changed, open_study

FISH, DOG = "n01440764", "n02085620"


@pytest.fixture
def path(study_on_server: Path) -> Path:
    return study_on_server


def test_a_shared_study_is_found_again_and_its_folder_holds_no_database(path, clock) -> None:
    with open_study(path, clock=clock) as store:
        assert store.identity.name == "Fish and dogs"
        assert len(store.taxonomy.class_wnids) == 1000

    assert not list(path.glob("*.db*"))
    assert (path / "server.toml").is_file()


def test_the_migrations_lead_to_the_schema_there_too(store) -> None:
    with store.read() as study:
        context = MigrationContext.configure(
            study.session.connection(), opts={"compare_type": True}
        )
        assert compare_metadata(context, Base.metadata) == []


def test_a_database_with_a_study_in_it_is_refused_and_left_alone(
    tmp_path, server, make, clock
) -> None:
    address = server.new_database()
    make(tmp_path / "first", server=address).close()

    with pytest.raises(RefusedError, match="a study in that database already"):
        make(tmp_path / "second", server=address, name="Another")

    assert not (tmp_path / "second").exists()
    with open_study(tmp_path / "first", clock=clock) as store:
        assert store.identity.name == "Fish and dogs"


def test_a_study_that_can_not_be_made_leaves_the_servers_database_empty(
    tmp_path, server, make
) -> None:
    address = server.new_database()
    with pytest.raises(Exception, match="null value"):
        make(tmp_path / "study", server=address, name=None)

    make(tmp_path / "study", server=address).close()


def test_datasets_people_sample_and_phases_work_as_in_sqlite(store, lead) -> None:
    images = [lead.image(f"{wnid}/{n}", wnid) for wnid in (FISH, DOG) for n in range(4)]
    lead.add("val", *images, root="/pictures")
    lead.add("refs", lead.image("r"), role=DatasetRole.REFERENCE)
    with store.write() as study:
        study.datasets.add_odd_files("val", [OddFile("odd", "empty", False)])
        study.image_roles.put_in_training_pool("val", [f"{FISH}/0"])
        study.image_roles.set_references("refs", {FISH: ["r"]})
        people = (("A", Role.LABELER), ("R", Role.REVIEWER))
        for code, role in people:
            person = Participant(code, ParticipantKind.HUMAN, "", frozenset({role}), 2**63 - 1)
            study.participants.add(person, name=f"Name of {code}")
        request = SampleRequest(("val",), per_class=2, seed=2**62)
        draw = draw_sample(study.image_roles.candidates(["val"]), request)
        versions = SampleVersions(taxonomy="t", guide="g", program="p")
        study.samples.freeze(request, draw.images, versions)
        assert refusal_to_open(Phase.EVALUATE, study.phases.facts()) is None
        study.phases.open(Phase.EVALUATE)
        study.audit.record("phase opened", phase=Phase.EVALUATE)

    with store.read() as study:
        assert len(draw.images) == 4
        assert study.samples.images() == list(draw.images)
        assert [c.content_hash for c in study.samples.candidates()] == [
            lead.image(key.image).content_hash for key in draw.images
        ]
        assert study.datasets.odd_files("val") == [OddFile("odd", "empty", False)]
        assert [r.key.image for r in study.image_roles.references(FISH)] == ["r"]
        assert set(study.image_roles.seen_before_evaluation()) == {
            lead.image(f"{FISH}/0").content_hash,
            lead.image("r").content_hash,
        }
        found = study.participants.find("A")
        assert found is not None
        assert (found.roles, found.order_seed) == ({Role.LABELER}, 2**63 - 1)
        assert study.participants.name_of("A") == "Name of A"
        assert study.phases.states()[Phase.EVALUATE] is PhaseState.OPEN
        assert [entry.action for entry in study.audit.entries()] == ["phase opened"]


def test_the_draw_is_the_same_as_in_sqlite(store, lead) -> None:
    images = [lead.image(f"{wnid}/{n}", wnid) for wnid in (FISH, DOG) for n in range(4)]
    lead.add("val", *images)
    request = SampleRequest(("val",), per_class=2, seed=2020)

    with store.read() as study:
        draw = draw_sample(study.image_roles.candidates(["val"]), request)

    assert [key.image for key in draw.images] == [f"{DOG}/3", f"{FISH}/2", f"{FISH}/0", f"{DOG}/2"]


def test_a_reader_keeps_its_view_while_a_writer_commits(store, path, clock) -> None:
    with open_study(path, clock=clock) as other, store.read() as before:
        assert before.audit.entries() == []
        with other.write() as study:
            study.audit.record("meanwhile")

        assert before.audit.entries() == []
    with store.read() as after:
        assert len(after.audit.entries()) == 1


def test_writers_take_turns_and_nothing_is_lost(store, path, clock) -> None:
    """Each finds out what is there and adds the next number: two at once would find the same."""

    def count_up() -> None:
        with open_study(path, clock=clock) as mine:
            for _ in range(15):
                with mine.write() as study:
                    study.audit.record(str(len(study.audit.entries())))

    writers = [threading.Thread(target=count_up) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    with store.read() as study:
        assert [entry.action for entry in study.audit.entries()] == [str(n) for n in range(45)]


def test_a_newer_study_is_refused_there_too(store, path, clock) -> None:
    with store.write() as study:
        study.session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(RefusedError, match="newer labeler"):
        open_study(path, clock=clock)


def test_the_server_makes_its_own_backups(store) -> None:
    assert not back_up_if_changed(store)
    assert not store.folder.backups.exists()


def test_a_report_reads_its_answers_there_too(store, lead) -> None:
    images = [lead.image(f"{wnid}/{n}", wnid) for wnid in (FISH, DOG) for n in range(2)]
    lead.add("val", *images, root="/pictures")
    with store.write() as study:
        study.session.execute(
            text(
                "INSERT INTO multilabel (image_id, class_id, state, rule) "
                "SELECT id, target_id, 'correct', 'imported' FROM image WHERE ordinal < 3"
            )
        )
    with store.read() as study:
        (dataset,) = study.report_answers.read().datasets
    assert dataset.targets.tolist() == [0, 0, 151, 151]
    assert len(dataset.images) == 4
    judged = dataset.judged
    rows = zip(judged.images.tolist(), judged.classes.tolist(), judged.states.tolist(), strict=True)
    assert sorted(rows) == [(0, 0, 2), (1, 0, 2), (2, 151, 2)]


def test_files_are_looked_at_and_imported_there_too(store, path, clock, tmp_path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "datasets.csv").write_text(
        f"dataset,image,target,path,problematic\nval,a,{FISH},,\nval,b,{DOG},,\n"
    )
    (folder / "participants.csv").write_text("participant,kind,description\nR,human,\n")
    reviews = folder / "reviews.csv"
    rows = [f"R,val,{image},{FISH},correct,,initial," for image in ("b", "a")]
    header = "reviewer,dataset,image,label,verdict,kind,stage,at"
    reviews.write_text("\n".join([header, *rows, ""]))
    with open_study(path, clock=clock) as opened, opened.hurried() as labelers:

        def commit(_file: str, _done: int, _total: int) -> None:
            with labelers.write() as study:
                study.audit.record("meanwhile")

        seen = preview_files(store, find_in_folder(folder), progress=commit)
    assert seen.added == 5
    assert import_exchange(store, folder).files[2].added == 2
    assert import_exchange(store, folder).files[2].skipped == 2
    reviews.write_text("\n".join([header, rows[0], rows[1].replace("correct", "wrong"), ""]))
    updated = [import_exchange(store, folder, updates=True).files[2] for _ in range(2)]
    assert [(file.updated, file.skipped) for file in updated] == [(1, 1), (0, 2)]
    reviews.write_text("\n".join([header, *rows, rows[0], ""]))
    with pytest.raises(RefusedError, match=r"line 4, column stage: .* as on line 2"):
        import_exchange(store, folder)


def test_a_review_is_planned_from_the_answers_there_too(store) -> None:
    with store.read() as study:
        sources = study.review.sources
        assert sources.human_answers() == sources.judged(*Stage) == frozenset()
