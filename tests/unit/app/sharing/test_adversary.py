"""Someone who knows the passphrase looks for what an image is, everywhere a labeler's files are."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.logs import log_debug_records, log_to_file, set_blindness
from labeler.images.metadata_removal import without_metadata
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.schema import (
    BundleTokenRow,
    DatasetRow,
    ImageRow,
    PackImageRow,
    ParticipantRow,
    SampleImageRow,
    SampleRow,
    StudyRow,
    TrialRow,
)
from labeler.store.sharing.bundle_file import read_header
from labeler.store.sharing.bundle_folder import bundle_folder
from labeler.store.sharing.sealing import unlock_with_secret
from tests.shared_packed_demo import PASSPHRASE, Lead
from tests.unit.app.sharing.conftest import Opener


def telltales(lead: Lead) -> set[str]:
    """Return what would link an evaluation image to its source: names, paths, hashes, ids."""
    with lead.store.read() as study:
        session = study.session
        sampled = select(SampleImageRow.image_id)
        query = (
            select(ImageRow.name, ImageRow.content_hash, DatasetRow.name, DatasetRow.root)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(ImageRow.id.in_(sampled))
        )
        found: set[str] = set()
        for name, hashed, dataset, root in session.execute(query):
            data = Path(root, name).read_bytes()
            found |= {name, Path(name).name, str(Path(root, name)), hashed.hex(), str(root)}
            found |= {hashlib.md5(data).hexdigest(), hashlib.sha1(data).hexdigest()}
            found.add(f'"{dataset}"')
        found |= set(session.scalars(select(TrialRow.id)))
        found |= {one.replace("-", "") for one in session.scalars(select(TrialRow.id))}
    return {one for one in found if one}


def everything_readable(folder: Path, key: bytes) -> str:
    """Return every cell of the opened database, and the bytes of every other file."""
    database = Database(sqlite_url(folder / "study.db"), key=key)
    with closing(database), database.engine.connect() as connection:
        names = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
        cells = [
            f'"{cell.hex() if isinstance(cell, bytes) else cell}"'
            for (name,) in names.fetchall()
            for row in connection.exec_driver_sql(f'SELECT * FROM "{name}"')
            for cell in row
        ]
    dump = "\n".join(cells)
    files = [f for f in folder.rglob("*") if f.is_file() and not f.name.startswith("study.db")]
    skipped = {".jpg", ".labelerpack"}
    texts = [f.read_bytes().decode("latin-1") for f in files if f.suffix not in skipped]
    return "\n".join((dump, *texts, *(str(f) for f in files)))


def test_nothing_links_an_image_to_its_class_dataset_file_source_or_seed(
    lead: Lead, opened: Opener, own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = telltales(lead)
    with log_to_file():
        log_debug_records()
        set_blindness(lambda: True)
        person = opened("A")
        person.answer(3)
        session = EvaluationSession(person.store, "A")
        start = session.begin()
        assert start.trial is not None
        assert session.picture(start.trial.trial_id).data
        session.end()
        person.store.close()
    set_blindness(lambda: False)
    folder = bundle_folder(read_header(person.file).bundle_id)
    key = unlock_with_secret(PASSPHRASE, folder.facts()["locked_key"])
    seen = everything_readable(folder.path, key)
    for file in person.home.rglob("*"):
        if file.is_file() and not file.is_relative_to(folder.path):
            seen += file.read_bytes().decode("latin-1")
    found = [secret for secret in secrets if secret in seen]
    assert found == []


def test_images_of_the_evaluation_have_no_target_hash_or_seed(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    with lead.store.read() as study:
        seeds = {
            study.session.scalar(select(StudyRow.seed)),
            study.session.scalar(select(SampleRow.seed)),
            *study.session.scalars(select(ParticipantRow.order_seed)),
        }
        originals = set(study.session.scalars(select(TrialRow.image_id)))
    with person.store.read() as study:
        session = study.session
        asked = session.scalars(
            select(ImageRow).where(ImageRow.id.in_(select(TrialRow.image_id)))
        ).all()
        assert asked
        for image in asked:
            facts = (image.target_id, image.content_hash, image.byte_count, image.path)
            assert facts == (None, None, None, None)
        assert not originals & {image.id for image in asked}
        assert not session.scalars(select(BundleTokenRow)).all()
        assert not session.scalars(select(PackImageRow)).all()
        own = {
            session.scalar(select(StudyRow.seed)),
            session.scalar(select(SampleRow.seed)),
            *session.scalars(select(ParticipantRow.order_seed)),
        }
    assert not own & (seeds - {0})


def test_a_bundle_on_disk_is_unreadable_without_its_key(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    person.answer(2)
    folder = bundle_folder(read_header(person.file).bundle_id)
    for file in folder.path.glob("study.db*"):
        data = file.read_bytes()
        assert b"SQLite format" not in data
        assert b"CREATE TABLE" not in data
        assert b"n01440764" not in data


def test_the_pack_has_tokens_and_no_names(lead: Lead) -> None:
    secrets = {one for one in telltales(lead) if "/" in one or one.endswith((".jpg", ".jpeg"))}
    with closing(sqlite3.connect(lead.pack)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM entry ORDER BY number")]
        manifests = connection.execute(
            "SELECT content FROM entry WHERE name LIKE 'sheets/%.json'"
        ).fetchall()
    tokens = [name for name in names if "/" not in name and "." not in name]
    assert all(len(token) == 24 for token in tokens)
    assert tokens == sorted(tokens)
    text = "\n".join(names) + "\n".join(content.decode() for (content,) in manifests)
    assert not [secret for secret in secrets if secret in text]
    assert "wnid" not in json.loads(manifests[0][0])


def test_the_pack_shows_the_same_pixels(lead: Lead) -> None:
    from labeler.images.decoder import decode
    from labeler.images.pack_file import read_packed

    with lead.store.read() as study:
        pack = study.packs.newest()
        images = study.packs.images(pack.pack_id)[::200]
    for image in images:
        assert image.file is not None
        packed = read_packed(lead.pack, image.token)
        assert packed is not None
        original = image.file.path.read_bytes()
        shown = decode(original, apply_exif=image.file.apply_exif)
        assert decode(packed, apply_exif=True).tobytes() == shown.tobytes()
        assert without_metadata(packed, apply_exif=True) == packed
