"""A machine that joins a study with its pack needs no folders, and no path tells a class."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from labeler.app.classes.reference_originals import OriginalReader
from labeler.app.datasets.contact_sheets import lacks_sheets, prepare_sheets
from labeler.app.datasets.sampling import freeze_sample
from labeler.app.sharing.local_pack import choose_pack
from labeler.app.sharing.packs import make_pack
from labeler.app.study.joining import JoinReport, JoinRequest, join_study
from labeler.app.study.people import add_person
from labeler.app.study.sign_in import sign_in
from labeler.app.study.studies import new_study
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey, Role
from labeler.images.decoder import decode
from labeler.images.file_reader import read_known_file
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.unit.store.throwaway_server import Server

FISH = "n01440764"
PEOPLE = {Role.LABELER: "A", Role.REVIEWER: "R", Role.ANNOTATOR: "W", Role.LEAD: "lead"}

WITH_PACK = (Role.LABELER, Role.REVIEWER, Role.ANNOTATOR)


@dataclass(frozen=True)
class PackedLab:
    """A study on a server whose lead has made a pack; no other machine has its images."""

    address: str
    lead: Path
    joined: Path
    pack: Path

    def join(self, clock, *, pack: Path | None) -> JoinReport:
        request = JoinRequest(address=self.address, folder=self.joined, pack=pack)
        return join_study(request, clock=clock)


@pytest.fixture
def lab(server: Server, tmp_path, pictures, imported, clock) -> PackedLab:
    address, folder = server.new_database(), tmp_path / "lead"
    pack = tmp_path / "study.labelerpack"
    with new_study(folder, clock=clock, name="Shared", server=address) as store:
        for name, role in {"refs": DatasetRole.REFERENCE, "val": DatasetRole.EVALUATION}.items():
            imported(store, name, pictures(name).fill(FISH, each=2).path, role=role)
        for role, code in PEOPLE.items():
            add_person(store, code, roles=[role])
        freeze_sample(store, SampleRequest(("val",), 2, 1))
        prepare_sheets(store)
        make_pack(store, pack)
    for name in ("refs", "val"):
        pictures(name).path.rename(tmp_path / f"{name}-elsewhere")
    return PackedLab(address, folder, tmp_path / "joined", pack)


def shown(store: StudyStore, *names: str):
    with store.read() as study:
        return list(study.crowd_qualifications.files(ImageKey("val", n) for n in names).values())


def names_of(store: StudyStore) -> list[str]:
    with store.read() as study:
        return [file.name for file in study.datasets.files_by_name("val")]


def test_every_picture_comes_from_the_pack(lab: PackedLab, tmp_path, clock) -> None:
    report = lab.join(clock, pack=lab.pack)

    assert (report.sheets.built, report.sheets.current, report.sentences) == (0, 1, ())
    with open_study(lab.joined, clock=clock) as store:
        assert not lacks_sheets(store)
        assert prepare_sheets(store).built == 0
        files = shown(store, *names_of(store))
        assert {file.path.parent for file in files} == {lab.pack}
        assert not any(FISH in str(file.path) for file in files)
        here = b"".join(file.read_bytes() for file in lab.joined.rglob("*") if file.is_file())
        assert not any(name.rpartition("/")[2].encode() in here for name in names_of(store))
        original = sorted((tmp_path / "val-elsewhere").rglob("*.*"))
        assert {decode(read_known_file(f)).tobytes() for f in files} == {
            decode(path.read_bytes()).tobytes() for path in original if path.is_file()
        }
        assert OriginalReader(store).read(FISH, 0) is not None
        with store.read() as study:
            references = study.image_roles.references(FISH)
        assert {one.path.parent for one in references} == {lab.pack}
        with pytest.raises(RefusedError, match="image folders are"):
            make_pack(store, tmp_path / "again.labelerpack")


def test_without_a_pack_only_the_lead_signs_in(lab: PackedLab, clock) -> None:
    lab.join(clock, pack=None)
    with open_study(lab.joined, clock=clock) as store:
        assert sign_in(store, "lead", Role.LEAD).role is Role.LEAD
        for role in WITH_PACK:
            with pytest.raises(RefusedError, match=f"^{role.value.capitalize()}s need the study"):
                sign_in(store, PEOPLE[role], role)
        choose_pack(store, lab.pack)
        assert all(sign_in(store, PEOPLE[role], role) for role in WITH_PACK)
        lab.pack.rename(lab.pack.with_name("moved.labelerpack"))
        with pytest.raises(EnvironmentFault, match="isn't at"):
            sign_in(store, "A", Role.LABELER)
        assert [one.name for one in prepare_sheets(store).missing] == ["refs"]
    with open_study(lab.lead, clock=clock) as store:
        assert all(sign_in(store, PEOPLE[role], role) for role in WITH_PACK)


def test_an_image_that_is_newer_than_the_pack_is_missing(
    lab: PackedLab, pictures, imported, clock
) -> None:
    with open_study(lab.lead, clock=clock) as store:
        imported(store, "new", pictures("new").fill(FISH, each=1).path)
        with store.read() as study:
            (name,) = (file.name for file in study.datasets.files_by_name("new"))
    lab.join(clock, pack=lab.pack)
    with open_study(lab.joined, clock=clock) as store, store.read() as study:
        (file,) = study.crowd_qualifications.files([ImageKey("new", name)]).values()
    assert file.path.parent == lab.pack
    assert FISH not in str(file.path)


def test_only_the_studys_complete_pack_is_accepted(
    lab: PackedLab, server: Server, tmp_path, clock
) -> None:
    with new_study(tmp_path / "other", clock=clock, name="Other") as other:
        make_pack(other, tmp_path / "other.labelerpack")
        with pytest.raises(RefusedError, match="isn't one that was joined"):
            choose_pack(other, lab.pack)
    with pytest.raises(RefusedError, match="of another study"):
        lab.join(clock, pack=tmp_path / "other.labelerpack")
    with pytest.raises(RefusedError, match="There is no file"):
        lab.join(clock, pack=tmp_path / "nothing.labelerpack")
    (tmp_path / "damaged.labelerpack").write_bytes(b"no pack")
    with pytest.raises(InputError, match="isn't a pack"):
        lab.join(clock, pack=tmp_path / "damaged.labelerpack")
    assert not lab.joined.exists()
