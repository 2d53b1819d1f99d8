"""Every changed byte of a stored value is found, and named by table and column."""

import hashlib
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from labeler.app.study.check import StudyProblem, check_study
from labeler.core.clock import SystemClock
from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.review.blind_types import Lap
from labeler.core.study.entities import AttentionPlace
from labeler.store.engine.checksums import DamagedContents
from labeler.store.schema import SessionRow
from labeler.store.study.contents_check import find_damage
from labeler.store.study.text_check import Place, text_problem
from labeler.store.study_opening import open_study
from tests.shared_finished_demo import shared_finished_demo

BLOBS = (
    ("study", "taxonomy"),
    ("attention_interval", "inputs"),
    ("lap_interval", "inputs"),
    ("model_predictions", "labels"),
    ("model_predictions", "scores"),
    ("guide_picture", "content"),
)
JSON = (("study", "settings"), ("audit", "detail"), ("model_predictions", "provenance"))
FLIPS = 5


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished study, with a picture in its guide and measured time of a reviewer."""
    folder = Path(shutil.copytree(shared_finished_demo(), tmp_path / "study"))
    content = b"a picture"
    with open_study(folder, clock=SystemClock()) as store, store.write() as study:
        study.guide.store_picture(hashlib.sha256(content).hexdigest(), content)
        session = study.session.scalars(select(SessionRow.id).limit(1)).one()
        interval = AttentionInterval(AttentionPlace.IMAGE, 0, 9, (1, 2))
        study.review.reviewing.keep_lap(session, Lap(99, (interval,)))
    return folder


def change_a_byte(database: Path, table: str, column: str, chance: random.Random) -> None:
    """Change a byte of a value at random, as a failing disk does."""
    with closing(sqlite3.connect(database)) as connection, connection:
        query = f"SELECT CAST({column} AS BLOB) FROM {table} WHERE length({column}) > 0"
        values = [value for (value,) in connection.execute(query)]
        assert values, f"the study has {table}.{column}"
        value = chance.choice(values)
        at = chance.randrange(len(value))
        changed = bytes((*value[:at], value[at] ^ (1 << chance.randrange(8)), *value[at + 1 :]))
        # One row only: others may have the same value.
        keys = [
            name
            for _n, name, *_others, key in connection.execute(f"PRAGMA table_info({table})")
            if key
        ]
        [*key] = connection.execute(
            f"SELECT {', '.join(keys)} FROM {table} WHERE CAST({column} AS BLOB) = ? LIMIT 1",
            (value,),
        ).fetchone()
        where = " AND ".join(f"{name} IS ?" for name in keys)
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (changed, *key))


def test_a_sound_study_has_no_damage(folder: Path) -> None:
    assert find_damage(folder / "study.db") == []


@pytest.mark.parametrize(("table", "column"), BLOBS)
def test_a_changed_byte_is_reported_with_its_place(folder: Path, table: str, column: str) -> None:
    sound = (folder / "study.db").read_bytes()
    for seed in range(FLIPS):
        (folder / "study.db").write_bytes(sound)
        change_a_byte(folder / "study.db", table, column, random.Random(seed))
        findings = check_study(folder, clock=SystemClock(), contents=False)
        assert [finding.problem for finding in findings] == [StudyProblem.DAMAGED]
        assert f"The table {table} is damaged: {column} in the row" in findings[0].sentence


@pytest.mark.parametrize(("table", "column"), JSON)
def test_json_that_cannot_be_read_is_reported(folder: Path, table: str, column: str) -> None:
    with closing(sqlite3.connect(folder / "study.db")) as connection, connection:
        connection.execute(f"UPDATE {table} SET {column} = '{{\"half' WHERE rowid = 1")
    [finding] = check_study(folder, clock=SystemClock(), contents=False)
    assert f"{column} in the row" in finding.sentence


@pytest.mark.parametrize(
    ("place", "text", "problem"),
    [
        (("crowd_round", "parameters"), '{"datasets": ["ori', "isn't valid JSON"),
        (("crowd_assignment", "draft"), '{"answer": ', "isn't valid JSON"),
        (("crowd_assignment", "draft"), "", ""),
        (("contains_answer", "selected"), "1|2}", "isn't a list of numbers"),
        (("contains_answer", "selected"), "", ""),
        (("contains_answer", "submitted_at"), "2025-03-18T1!:11:26.356Z", "isn't a time"),
        (("classify_answer", "submitted_at"), "2025-03-18T11:11:26+02:00", ""),
        (("image_summary", "ties"), "main_label|main_objecu", "has an unknown entry"),
        (("dataset", "name"), "anything", ""),
    ],
)
def test_text_that_is_taken_apart_has_a_form(place: Place, text: str, problem: str) -> None:
    assert text_problem(place, text) == problem


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE session SET started_at = '2025-13-18T11:11:26.356Z'", "isn't a time"),
        ("UPDATE flag_answer SET reasons = 'edited|drawinf'", "has an unknown entry"),
        ("UPDATE class SET wnid = 'n01440765' WHERE wnid = 'n01440764'", "no n01440765"),
        (
            "INSERT INTO classify_answer VALUES (1, 1, 1, 'n01440764|n0238', 'n01440764', 1, '')",
            "labels has no class 'n0238'",
        ),
    ],
)
def test_text_that_the_program_cannot_take_apart_is_reported(
    folder: Path, change: str, problem: str
) -> None:
    with closing(sqlite3.connect(folder / "study.db")) as connection, connection:
        assert connection.execute(change).rowcount
    assert any(problem in fault.sentence for fault in find_damage(folder / "study.db"))


def test_text_that_is_no_text_is_reported(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "study.db")) as connection, connection:
        connection.execute("UPDATE study SET name = CAST(x'ff41' AS TEXT)")
    findings = check_study(folder, clock=SystemClock(), contents=False)
    assert any("name in the row 1 isn't valid text" in finding.sentence for finding in findings)


def test_a_damaged_taxonomy_is_refused_with_a_sentence_that_names_it(folder: Path) -> None:
    change_a_byte(folder / "study.db", "study", "taxonomy", random.Random(1))
    with (
        open_study(folder, clock=SystemClock()) as store,
        pytest.raises(DamagedContents, match=r"study\.taxonomy"),
    ):
        _ = store.taxonomy


def test_damaged_predictions_are_refused_when_they_are_read(folder: Path) -> None:
    change_a_byte(folder / "study.db", "model_predictions", "labels", random.Random(1))
    with (
        open_study(folder, clock=SystemClock()) as store,
        store.read() as study,
        pytest.raises(DamagedContents, match=r"model_predictions\.labels"),
    ):
        study.model_predictions.all()
