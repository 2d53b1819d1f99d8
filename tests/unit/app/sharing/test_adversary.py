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
from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.study.phases import open_phase
from labeler.core.datasets.sampling import labeler_order
from labeler.core.hash_order import derived_seed
from labeler.core.review.blinding import review_visit
from labeler.core.study.entities import ImageKey, Stage
from labeler.core.study.phases import Phase
from labeler.images.metadata_removal import without_metadata
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.schema import (
    BundleTokenRow,
    DatasetRow,
    ImageRow,
    PackImageRow,
    ParticipantRow,
    ReviewPlanRow,
    SampleImageRow,
    SampleRow,
    StudyRow,
    TrialRow,
)
from labeler.store.sharing.bundle_file import read_header
from labeler.store.sharing.bundle_folder import bundle_folder
from labeler.store.sharing.sealing import unlock_with_secret
from tests.shared_packed_demo import PASSPHRASE, Lead, Person
from tests.unit.app.sharing.conftest import Opener
from tests.unit.app.sharing.test_other_roles import judge


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
    set_blindness(lambda: False)
    seen = everything_of(person)
    found = [secret for secret in secrets if secret in seen]
    assert found == []


def everything_of(person: Person) -> str:
    """Close the bundle and return all that its person can read, knowing the passphrase."""
    person.store.close()
    folder = bundle_folder(read_header(person.file).bundle_id)
    key = unlock_with_secret(PASSPHRASE, folder.facts()["locked_key"])
    seen = everything_readable(folder.path, key)
    for file in person.home.rglob("*"):
        if file.is_file() and not file.is_relative_to(folder.path):
            seen += file.read_bytes().decode("latin-1")
    return seen


def computed_from_public_facts(lead: Lead, reviewer: str) -> set[str]:
    """Return ids and places of visits, as anyone can compute them who guesses the seed.

    The default seed of a study follows from its name, and names of public images are known.
    """
    with lead.store.read() as study:
        seeds = {lead.store.identity.seed, *study.session.scalars(select(ReviewPlanRow.seed))}
        images = study.samples.images()
    visits = [
        review_visit(seed, stage=stage, reviewer=reviewer, image=image)
        for seed in seeds
        for stage in Stage
        for image in images
    ]
    found = {f'"{one.place}"' for one in visits} | {one.visit_id for one in visits}
    return found | {one.visit_id.replace("-", "") for one in visits}


def test_nothing_in_a_reviewers_bundle_links_an_image_to_its_source(
    lead: Lead, opened: Opener
) -> None:
    plan_review(lead.store, PlanSettings(stage=Stage.INITIAL, overlap=1, sample_only=True))
    open_phase(lead.store, Phase.ANNOTATE)
    person = opened("R")
    judge(person, 3)
    secrets = telltales(lead) | computed_from_public_facts(lead, "R")
    seen = everything_of(person)
    assert [secret for secret in secrets if secret in seen] == []


def test_the_order_of_a_labeler_cannot_be_computed(lead: Lead, opened: Opener) -> None:
    with lead.store.read() as study:
        sample = study.samples.images()
    guessed = derived_seed(lead.store.identity.seed, "order", "A")
    opened("A")
    with lead.store.read() as study:
        session = study.session
        (seed,) = session.scalars(select(ParticipantRow.order_seed).filter_by(code="A")).all()
        trials = (
            select(DatasetRow.name, ImageRow.name)
            .select_from(TrialRow)
            .join(ImageRow, ImageRow.id == TrialRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .order_by(TrialRow.position)
        )
        order = [ImageKey(*row) for row in session.execute(trials)]
    assert seed != guessed
    assert set(order) == set(sample)
    assert order != list(labeler_order(sample, order_seed=guessed))


def test_another_bundle_keeps_the_order(lead: Lead, opened: Opener) -> None:
    opened("A")
    query = select(ParticipantRow.order_seed).filter_by(code="A")
    with lead.store.read() as study:
        first = study.session.scalar(query)
    opened("A", computer="second")
    with lead.store.read() as study:
        assert study.session.scalar(query) == first


def test_no_trace_of_an_answer_is_left_after_the_lock(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    person.answer(1000, lambda n: 400 + n)
    session = EvaluationSession(person.store, "A")
    session.begin()
    session.lock()
    log = person.store.folder.database.with_name("study.db-wal")
    assert not log.exists() or log.stat().st_size == 0
    session.end()
    seen = everything_of(person)
    with lead.store.read() as study:
        total = study.labeling.progress("A").total
    assert total
    assert "active_ms" not in seen
    assert not [n for n in range(400, 400 + total) if f'"class_id":{n},' in seen]


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
