"""How much a study's file holds, asked of SQLite directly: a backup may be of an older program."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from labeler.core.study.phases import Phase, PhaseState


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyContents:
    """Counts of what people did and set up; an answer that was changed counts once.

    `sample` tells samples apart, and is empty without one.
    """

    answers: int
    trained: int
    verdicts: int
    people: int
    datasets: int
    sample: str
    sample_images: int
    states: Mapping[Phase, PhaseState]


def read_study_contents(file: Path) -> StudyContents | None:
    """What the file holds; None where that can't be read."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as found:
            return _contents(found)
    except (sqlite3.Error, ValueError):
        return None


def _contents(found: sqlite3.Connection) -> StudyContents:
    def count(rows: str) -> int:
        [number] = found.execute(f"SELECT count(*) FROM {rows}").fetchone()
        return int(number)

    current = "sample WHERE retired_at IS NULL"
    sample = found.execute(f"SELECT identity FROM {current}").fetchone()
    return StudyContents(
        answers=count("prediction WHERE task = 'evaluate' AND revision = 1"),
        trained=count("prediction WHERE task = 'train' AND revision = 1"),
        verdicts=count("review WHERE revision = 1"),
        people=count("participant WHERE kind = 'human'"),
        datasets=count("dataset"),
        sample="" if sample is None else str(sample[0]),
        sample_images=count(f"sample_image WHERE sample_id IN (SELECT id FROM {current})"),
        states={
            Phase(phase): PhaseState(state)
            for phase, state in found.execute("SELECT phase, state FROM phase")
        },
    )
