"""Two machines share a study on a PostgreSQL server, each with image folders of its own."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from labeler.app.datasets.contact_sheets import lacks_sheets, prepare_sheets
from labeler.app.datasets.relocation import relocate_dataset
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.study.joining import JoinReport, JoinRequest, join_study
from labeler.app.study.studies import new_study
from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.images.sheet_manifest import load_manifest
from labeler.store.study.backups import BackupReason
from labeler.store.study.server_dumps import dump_database, server_dumps
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.unit.store.throwaway_server import Server, program

FISH, SHARK = "n01440764", "n01491361"


@dataclass(frozen=True)
class Lab:
    """The lead's machine, a second one with a copy of the images, and the study's address."""

    address: str
    lead: Path
    second: Path

    @property
    def study(self) -> Path:
        return self.lead / "study"

    @property
    def joined(self) -> Path:
        return self.second / "study"

    def join(self, clock, **images: Path) -> JoinReport:
        request = JoinRequest(address=self.address, folder=self.joined, images=images)
        return join_study(request, clock=clock)


@pytest.fixture
def lab(server: Server, tmp_path, pictures, imported, clock) -> Lab:
    lead, second = tmp_path / "lead", tmp_path / "second"
    for name, wnids in {"references": (FISH, SHARK), "val": (FISH,)}.items():
        made = pictures(name).fill(*wnids, each=2).path
        shutil.copytree(made, second / name)
        shutil.copytree(made, lead / name)
    address = server.new_database()
    with new_study(lead / "study", clock=clock, name="Shared", server=address) as store:
        imported(store, "refs", lead / "references", role=DatasetRole.REFERENCE)
        imported(store, "val", lead / "val")
        prepare_sheets(store)
    return Lab(address, lead, second)


def illustrated(store: StudyStore) -> set[str]:
    return {wnid for wnid in (FISH, SHARK) if load_manifest(store.folder.thumbnails, wnid)}


def paths(store: StudyStore) -> set[Path]:
    with store.read() as study:
        references = [r.path for wnid in (FISH, SHARK) for r in study.image_roles.references(wnid)]
        return {*references, *(file.path for file in study.datasets.files("val"))}


def roots(store: StudyStore) -> list[str | None]:
    with store.read() as study:
        return [dataset.root for dataset in study.datasets.all()]


def test_a_second_machine_has_its_own_folders_sheets_and_the_guide(lab: Lab, clock) -> None:
    (lab.lead / "references").rename(lab.lead / "elsewhere")

    report = lab.join(clock, refs=lab.second / "references", val=lab.second / "val")

    assert (report.study.name, report.study.missing) == ("Shared", ())
    assert (report.sheets.built, report.sentences) == (2, ())
    with open_study(lab.joined, clock=clock) as joined, open_study(lab.study, clock=clock) as lead:
        assert illustrated(joined) == {FISH, SHARK}
        assert all(path.is_relative_to(lab.second) and path.is_file() for path in paths(joined))
        assert all(path.is_relative_to(lab.lead) for path in paths(lead))
        assert StudyGuide(joined).current().version == StudyGuide(lead).current().version
        with joined.write() as study:
            study.audit.record("from the second machine")
        with lead.read() as study:
            assert study.audit.entries()[-1].action == "from the second machine"
    assert any((lab.joined / "guide").glob("**/*.md"))


def test_folders_at_the_same_place_need_no_option(lab: Lab, clock) -> None:
    report = lab.join(clock)

    assert report.study.missing == ()
    with open_study(lab.joined, clock=clock) as joined:
        assert illustrated(joined) == {FISH, SHARK}
        assert not lacks_sheets(joined)


def test_only_the_owner_can_read_the_folder_and_no_password_is_in_it(lab: Lab, clock) -> None:
    lab.join(clock)
    assert lab.joined.stat().st_mode & 0o077 == 0
    secret = lab.address.replace("lead@", "lead:secret@")
    request = JoinRequest(address=secret, folder=lab.second / "other")
    with pytest.raises(RefusedError, match="Leave the password out"):
        join_study(request, clock=clock)
    assert not (lab.second / "other").exists()


def test_missing_folders_are_named_and_no_sheet_is_built_without_its_images(
    lab: Lab, clock
) -> None:
    (lab.lead / "references").rename(lab.lead / "elsewhere")
    (lab.lead / "val").rename(lab.lead / "other")

    report = lab.join(clock)

    assert [dataset.name for dataset in report.study.missing] == ["refs", "val"]
    assert report.sentences == (
        f"val: this computer has no folder {lab.lead / 'val'} with its 2 images.",
    )
    with open_study(lab.joined, clock=clock) as joined:
        assert illustrated(joined) == set()
        assert lacks_sheets(joined)
        with joined.read() as study:
            assert study.image_roles.has_references(FISH)
            assert not study.image_roles.has_references("n02085620")
        relocate_dataset(joined, "refs", lab.second / "references")
        assert prepare_sheets(joined).built == 2
        assert not lacks_sheets(joined)


def test_sheets_stay_when_the_folder_of_their_images_disappears(lab: Lab, clock) -> None:
    (lab.lead / "references").rename(lab.lead / "elsewhere")
    with open_study(lab.study, clock=clock) as store:
        report = prepare_sheets(store)
        assert (report.built, report.current) == (0, 0)
        assert [dataset.name for dataset in report.missing] == ["refs"]
        assert illustrated(store) == {FISH, SHARK}


def test_references_added_on_one_machine_are_noticed_on_the_other(
    lab: Lab, clock, pictures, imported
) -> None:
    lab.join(clock)
    more = pictures("more").fill("n02085620", each=1)
    with open_study(lab.study, clock=clock) as lead:
        imported(lead, "more", more.path, role=DatasetRole.REFERENCE)
    with open_study(lab.joined, clock=clock) as joined:
        assert lacks_sheets(joined)
        assert prepare_sheets(joined).built == 1


def test_relocating_on_one_machine_changes_nothing_on_the_other(lab: Lab, clock) -> None:
    lab.join(clock)
    with open_study(lab.study, clock=clock) as lead, open_study(lab.joined, clock=clock) as joined:
        with lead.read() as study:
            before = len(study.audit.entries())
        relocate_dataset(joined, "val", lab.second / "val")
        with joined.hurried() as window:
            assert roots(window)[1] == str(lab.second / "val")
        assert roots(joined) == [str(lab.lead / "references"), str(lab.second / "val")]
        assert roots(lead) == [str(lab.lead / "references"), str(lab.lead / "val")]
        with lead.read() as study:
            assert len(study.audit.entries()) == before


def test_a_wrong_folder_of_images_creates_nothing(lab: Lab, clock) -> None:
    with pytest.raises(RefusedError, match="No file of val"):
        lab.join(clock, val=lab.second / "references")
    with pytest.raises(RefusedError, match="no dataset 'vla'"):
        lab.join(clock, vla=lab.second / "val")
    assert sorted(path.name for path in lab.second.iterdir()) == ["references", "val"]


def test_an_empty_database_and_a_silent_server_are_refused(
    server: Server, lab: Lab, clock, tmp_path
) -> None:
    wrong = {
        server.new_database(): (RefusedError, "There is no study"),
        f"{lab.address}_too": (EnvironmentFault, "no such user or database"),
        "postgresql://lead@127.0.0.1:1/study": (EnvironmentFault, "can't be reached"),
        "mysql://lead@host/study": (RefusedError, "PostgreSQL"),
    }
    for address, (kind, text) in wrong.items():
        request = JoinRequest(address=address, folder=tmp_path / "new")
        with pytest.raises(kind, match=text):
            join_study(request, clock=clock)
    assert not (tmp_path / "new").exists()


def test_a_folder_with_files_is_not_joined_over(lab: Lab, clock) -> None:
    request = JoinRequest(address=lab.address, folder=lab.study)
    with pytest.raises(RefusedError, match="already contains a study"):
        join_study(request, clock=clock)


@pytest.mark.parametrize("text", ["{", "[]", '{"val": 1}'])
def test_a_broken_file_of_folders_is_reported_with_its_place(lab: Lab, clock, text: str) -> None:
    with open_study(lab.study, clock=clock) as store:
        store.folder.image_folders.write_text(text)
        with pytest.raises(InputError, match=r"image-folders\.json"):
            roots(store)


def test_a_backup_is_a_dump_of_the_server_that_can_be_restored(
    lab: Lab, clock, server: Server, monkeypatch
) -> None:
    dumper = program("pg_dump")
    if dumper is None:
        pytest.skip("pg_dump isn't installed")
    monkeypatch.setenv("PATH", str(Path(dumper).parent), prepend=os.pathsep)
    with open_study(lab.study, clock=clock) as store:
        made = dump_database(
            store.folder, store.database, now=clock.utc(), reason=BackupReason.BY_HAND
        )
        assert server_dumps(store.folder) == [made]
        assert made.path.read_bytes()[:5] == b"PGDMP"
    copy = server.new_database()
    server.restore(made.path, copy)
    join_study(JoinRequest(address=copy, folder=lab.second / "restored"), clock=clock)
    with open_study(lab.second / "restored", clock=clock) as restored:
        assert restored.identity.name == "Shared"
        assert roots(restored) == [str(lab.lead / "references"), str(lab.lead / "val")]


def test_without_pg_dump_or_server_no_backup_is_claimed(
    lab: Lab, clock, monkeypatch, tmp_path
) -> None:
    with open_study(lab.study, clock=clock) as store:

        def dump() -> None:
            dump_database(
                store.folder, store.database, now=clock.utc(), reason=BackupReason.BY_HAND
            )

        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(EnvironmentFault, match="isn't installed on this computer"):
            dump()
        failing = tmp_path / "pg_dump"
        failing.write_text(
            "#!/bin/sh\necho 'pg_dump: error: server version mismatch' >&2\nexit 1\n"
        )
        failing.chmod(0o755)
        with pytest.raises(EnvironmentFault, match="server version mismatch"):
            dump()
        assert server_dumps(store.folder) == []
