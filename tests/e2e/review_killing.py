"""Lets a hasty reviewer work in the real program, kills it, and accounts for every verdict."""

import csv
import json
import random
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

from labeler.app.review.session import IN_JOURNAL
from labeler.cli import main
from labeler.core.labeling.active_time import IDLE_AFTER_MS, AttentionInterval, active_ms
from labeler.core.study.entities import AttentionPlace
from labeler.core.study.exchange_format import PARTICIPANTS, PREDICTIONS
from labeler.store.labeling.trial_time import unpack_inputs
from labeler.store.study.folder import StudyFolder
from tests.e2e.conftest import WNIDS, make_images
from tests.e2e.driven_process import DrivenProcess, Event
from tests.e2e.killing import written_by_another

REVIEWER = "R"
# More than a hasty reviewer judges in a round.
_IMAGES_PER_ROUND = 40

# Visit and label, and what was said of it; None takes back what was said before.
Act = list[tuple[str, str, str | None]]
Said = dict[tuple[str, str], list[str | None]]


def study_to_review(root: Path, *, rounds: int) -> Path:
    """A study whose first review is open: two labels an image, some of them asked twice."""
    study, given = root / "study", root / "given"
    make_images(root / "val", per_class=(rounds + 1) * _IMAGES_PER_ROUND // len(WNIDS), seed=1)
    _run("new", study, "--name", "To be killed")
    _run("add-dataset", study, "original", root / "val")
    _run("participants", study, "add", REVIEWER, "--role", "reviewer")
    given.mkdir()
    # A model that takes each class for the next one.
    wrong = dict(zip(WNIDS, (*WNIDS[1:], WNIDS[0]), strict=True))
    images = sorted((root / "val").glob("*/*"))
    rows = [
        ("m", "original", f"{file.parent.name}/{file.name}", 1, wrong[file.parent.name])
        for file in images
    ]
    _write(given / PARTICIPANTS.name, PARTICIPANTS.columns, [("m", "model", "")])
    _write(given / PREDICTIONS.name, PREDICTIONS.columns, [(*r, *[""] * 4, 0, "") for r in rows])
    _run("import", study, given)
    _run("review-plan", study, "--stage", "initial", "--repeats", "0.2")
    _run("phase", study, "open", "annotate")
    return study


@dataclass
class ReviewTally:
    """What a run came to."""

    kills: int = 0
    acknowledged: int = 0
    stored: int = 0
    delayed: int = 0


@dataclass
class ReviewAccount:
    """Hears what the reviewer did, and compares it with what is on disk after each kill."""

    tally: ReviewTally = field(default_factory=ReviewTally)
    _kept: list[Act] = field(default_factory=list)
    _acts: list[Act] = field(default_factory=list)
    _acknowledged: int = 0

    def hear(self, event: Event) -> None:
        kind = event["event"]
        assert kind != "finished", "the study has too few images for the test"
        if kind == "judging":
            self._acts.append([(visit, wnid, what) for visit, wnid, what in event["given"]])
        elif kind == "acknowledged":
            self._acknowledged = len(self._acts)
        elif kind == "seated":
            said = _after(self._kept)
            assert event["done"] == sum(whats[-1] is not None for whats in said.values())
        else:
            self.tally.delayed += 1

    def killed(self, study: Path) -> None:
        """The program is dead: whole acts are there, in their order, and all acknowledged ones."""
        self.tally.kills += 1
        self.tally.acknowledged += self._acknowledged
        found = read_verdicts(study)
        possible = range(self._acknowledged, len(self._acts) + 1)
        whole = [n for n in possible if _after([*self._kept, *self._acts[:n]]) == found]
        assert whole, self._difference(found)
        self._kept += self._acts[: whole[0]]
        self._acts, self._acknowledged = [], 0
        self.tally.stored = len(self._kept)

    def _difference(self, found: Said) -> str:
        expected = _after([*self._kept, *self._acts])
        labels = [key for key in {**expected, **found} if expected.get(key) != found.get(key)]
        return (
            f"{self._acknowledged} of {len(self._acts)} acts were acknowledged; "
            f"said: {[(key, expected.get(key)) for key in labels]}, "
            f"found: {[(key, found.get(key)) for key in labels]}"
        )


class ReviewKilling:
    """Kills one reviewer's program again and again, on one study."""

    def __init__(self, study: Path, home: Path, *, seed: int) -> None:
        self._study, self._home = study, home
        self._draw = random.Random(seed)
        self._account = ReviewAccount()

    def run(self, busy: list[bool], report: Callable[[str], None] = print) -> ReviewTally:
        """Kill the program once for each, `busy` while another program writes into the study."""
        for number, is_busy in enumerate(busy, start=1):
            report(f"review, round {number}{', the study busy' if is_busy else ''}")
            self._round(is_busy=is_busy)
        return self._account.tally

    def _round(self, *, is_busy: bool) -> None:
        module, seed = "tests.e2e.driven_reviewer", self._draw.randrange(1_000_000)
        reviewer = DrivenProcess(
            self._home, self._account.hear, module, self._study, REVIEWER, seed
        )
        with closing(reviewer):
            reviewer.hear("seated")
            for _act in range(self._draw.randint(1, 8)):
                reviewer.hear("acknowledged")
            with written_by_another(self._study) if is_busy else nullcontext():
                if is_busy:
                    assert IN_JOURNAL in reviewer.hear("delayed")["sentence"]
                time.sleep(self._draw.uniform(0, 0.1))
                reviewer.kill()
        self._account.killed(self._study)
        check_times(self._study)


def read_verdicts(study: Path) -> Said:
    """Every revision of every verdict by visit and label, those that wait in a journal last.

    A power cut can bring back a journal whose verdicts are stored; the program skips them too.
    """
    said: Said = defaultdict(list)
    stored = set()
    for visit, wnid, verdict, withdrawn, at, session in _read(
        study,
        "SELECT v.id, wnid, verdict, withdrawn, r.at, session_id, revision FROM review r"
        " JOIN review_visit v USING (image_id, stage, participant_id)"
        " JOIN class ON class.id = class_id"
        " UNION ALL"
        " SELECT p.id, wnid, verdict, withdrawn, r.at, session_id, revision FROM repeated_review r"
        " JOIN review_repeat p ON p.id = repeat_id JOIN class ON class.id = class_id"
        " ORDER BY revision",
    ):
        what = None if withdrawn else verdict
        said[str(UUID(visit)), wnid].append(what)
        stored.add((str(UUID(visit)), wnid, what, at, str(UUID(session))))
    for file in sorted((StudyFolder(study).journal / "review").glob("*.jsonl")):
        for line in file.read_text(errors="replace").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:  # torn by a power cut: the program skips it too
                continue
            own, label = entry["own"], (entry["visit_id"], entry["label"])
            what = own and own["verdict"]
            if (*label, what, entry["at"], str(UUID(entry["session_id"]))) not in stored:
                said[label].append(what)
    return dict(said)


def check_times(study: Path) -> None:
    """The time of every verdict is what its lap's raw intervals add up to, in equal parts."""
    laps: dict[tuple[str, int], list[AttentionInterval]] = defaultdict(list)
    for session, lap, place, start, end, inputs in _read(
        study,
        "SELECT session_id, lap, place, started_ms, ended_ms, inputs, number FROM lap_interval"
        " ORDER BY session_id, lap, number",
    ):
        interval = AttentionInterval(AttentionPlace(place), start, end, unpack_inputs(inputs))
        laps[session, lap].append(interval)
    of_lap: dict[tuple[str, int], list[int]] = defaultdict(list)
    for session, lap, time_ms in _read(
        study,
        "SELECT session_id, lap, active_ms, 0 FROM review"
        " UNION ALL SELECT session_id, lap, active_ms, 0 FROM repeated_review",
    ):
        of_lap[session, lap].append(time_ms)
    for key, times in of_lap.items():
        whole = active_ms(laps[key], idle_after_ms=IDLE_AFTER_MS)
        assert times == [whole // len(times)] * len(times)


def _after(acts: list[Act]) -> Said:
    said: Said = defaultdict(list)
    for act in acts:
        for visit, wnid, what in act:
            said[visit, wnid].append(what)
    return dict(said)


def _read(study: Path, query: str) -> list[tuple[Any, ...]]:
    """The rows without their last column, by which they are ordered."""
    with closing(sqlite3.connect(StudyFolder(study).database)) as database:
        assert database.execute("PRAGMA quick_check").fetchone() == ("ok",)
        return [row[:-1] for row in database.execute(query)]


def _run(*arguments: object) -> None:
    with redirect_stdout(StringIO()):
        assert main([str(argument) for argument in arguments]) == 0


def _write(file: Path, columns: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
