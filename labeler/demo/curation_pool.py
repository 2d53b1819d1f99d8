"""The demo's candidate pool: composed search results, and simulated annotators who judged them."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from io import StringIO
from pathlib import Path

from PIL import Image, ImageEnhance

from labeler.app.crowd.aggregation import aggregate_crowd
from labeler.app.crowd.planning import RoundRequest, close_round, plan_round, store_plan
from labeler.app.curation.duplicate_limits import set_study_limits
from labeler.app.curation.pool_import import PoolRequest, import_candidates
from labeler.app.progress import ProgressReporter
from labeler.app.study.people import add_person
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.study.entities import Role
from labeler.demo.composer.batch import ComposeJob, compose_many
from labeler.demo.composer.cutouts import load_cutouts
from labeler.demo.composer.recipes import RECIPES, Difficulty
from labeler.demo.identity import DEMO_SEED
from labeler.demo.people.simulated_people import seeded_random
from labeler.demo.pictures import CUTOUTS_FOLDER, demo_picture_folder
from labeler.store.study_store import StudyStore, Transaction

POOL = "web-search"
RESULTS_FILE = "search-results.csv"
POOL_CLASSES = 20
_ANNOTATORS = 10
# The composed scenes share their backgrounds, so that other pictures are near each other, too.
DUPLICATE_LIMITS = {DuplicateMetric.L2: 5e7, DuplicateMetric.DSSIM: 0.12}
_FIRST_DAY = date(2012, 7, 11)
_ANSWER_MS = 28_000


@dataclass(frozen=True, slots=True)
class _Part:
    """Some candidates of every class, and how many annotators select one of them."""

    name: str
    difficulty: Difficulty
    count: int
    least: float
    most: float
    copied: bool = False  # whether every second one is a near-duplicate of the one before
    of_reference: bool = False  # whether they are near-duplicates of reference images
    foreign: bool = False  # whether they show another class


_PARTS = (
    _Part("plain", Difficulty.REFERENCE, 8, 0.85, 1.0),
    _Part("copies", Difficulty.REFERENCE, 4, 0.8, 1.0, copied=True),
    _Part("known", Difficulty.REFERENCE, 1, 0.8, 1.0, of_reference=True),
    _Part("usual", Difficulty.ORIGINAL, 9, 0.45, 0.95),
    _Part("hard", Difficulty.NEW, 6, 0.15, 0.7),
    _Part("wrong", Difficulty.ORIGINAL, 2, 0.0, 0.15, foreign=True),
)
_BY_NAME = {part.name: part for part in _PARTS}


def add_curation_pool(store: StudyStore, progress: ProgressReporter) -> None:
    """Compose the candidates, add them as a pool, and let simulated annotators answer."""
    results = _compose(store, progress)
    import_candidates(store, PoolRequest(pool=POOL, path=results), progress=progress)
    with store.write() as study:
        set_study_limits(study, DUPLICATE_LIMITS)
    _SimulatedAnswers(store, progress).run()


def pool_classes_shown() -> list[str]:
    """Return the classes of the pool."""
    return sorted({cutout.wnid for cutout in load_cutouts(CUTOUTS_FOLDER)})[:POOL_CLASSES]


def _compose(store: StudyStore, progress: ProgressReporter) -> Path:
    folder = demo_picture_folder(store) / POOL
    jobs, copies = list(_jobs(folder)), _copies(folder)
    missing = [job for job in jobs if not job.path.exists() and job.path not in copies]
    progress.start("Composing candidates", len(missing))
    for _made in compose_many(missing, CUTOUTS_FOLDER):
        progress.advance()
    for path, source in copies.items():
        if not path.exists():
            save_near_copy(source, path)
    results = folder / RESULTS_FILE
    results.write_text(_search_results(store, jobs), encoding="utf-8")
    return results


def _copies(folder: Path) -> dict[Path, Path]:
    """Return the near-duplicates, each with the image that it copies."""
    found = {}
    for wnid in pool_classes_shown():
        for part in _PARTS:
            for number in range(1, part.count + 1):
                path = _candidate_path(folder, part, wnid, number)
                if part.copied and number % 2 == 0:
                    found[path] = _candidate_path(folder, part, wnid, number - 1)
                if part.of_reference:
                    name = f"references_{number:03d}.jpg"
                    found[path] = folder.parent / "references" / wnid / name
    return found


def _candidate_path(folder: Path, part: _Part, wnid: str, number: int) -> Path:
    return folder / wnid / f"{part.name}-{wnid}-{number:02d}.jpg"


def save_near_copy(source: Path, path: Path) -> None:
    """Write a picture that another person could have made of the same photograph."""
    with Image.open(source) as opened:
        picture = opened.convert("RGB")
    wide, high = picture.size
    inside = picture.crop((wide // 60, high // 60, wide - wide // 50, high - high // 80))
    smaller = inside.resize((wide * 3 // 4, high * 3 // 4), Image.Resampling.LANCZOS)
    warmer = ImageEnhance.Color(ImageEnhance.Brightness(smaller).enhance(1.03)).enhance(1.1)
    path.parent.mkdir(parents=True, exist_ok=True)
    warmer.save(path, "JPEG", quality=85)


def _jobs(folder: Path) -> Iterator[ComposeJob]:
    classes = pool_classes_shown()
    for place, wnid in enumerate(classes):
        for part in _PARTS:
            shown = classes[(place + 7) % len(classes)] if part.foreign else wnid
            for number in range(part.count):
                yield ComposeJob(
                    path=_candidate_path(folder, part, wnid, number + 1),
                    key=f"pool/{part.name}/{wnid}/{number}",
                    target=shown,
                    recipe=RECIPES[part.difficulty],
                    seed=DEMO_SEED,
                )


def _search_results(store: StudyStore, jobs: list[ComposeJob]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("id", "class", "address", "query", "taken", "uploaded"))
    for job in jobs:
        wnid, name = job.path.parent.name, job.path.stem
        rng = seeded_random("search result", name)
        taken = _FIRST_DAY + timedelta(days=rng.randrange(365))
        uploaded = taken + timedelta(days=rng.randrange(30))
        query = rng.choice(store.taxonomy[wnid].lemmas)
        address = f"https://example.org/photo/{name}"
        writer.writerow((name, wnid, address, query, taken, uploaded))
    return text.getvalue()


class _SimulatedAnswers:
    """Ten annotators who answer the pool's round, once."""

    def __init__(self, store: StudyStore, progress: ProgressReporter) -> None:
        self._store, self._progress = store, progress

    def run(self) -> None:
        with self._store.read() as study:
            if study.crowd_rounds.images_in_grids(POOL):
                return
            known = {person.code for person in study.participants.all()}
        codes = [f"simulated-annotator-{number}" for number in range(1, _ANNOTATORS + 1)]
        for code in codes:
            if code not in known:
                add_person(self._store, code, roles=[Role.ANNOTATOR])
        request = RoundRequest(
            task=CrowdTask.CONTAINS,
            labels=LabelChoice.TARGET,
            seed=DEMO_SEED,
            datasets=(POOL,),
            answers=_ANNOTATORS,
            reference="references",
            qualification=0,
        )
        planned = store_plan(self._store, plan_round(self._store, request))
        self._progress.start("Annotating candidates", len(codes))
        for code in codes:
            with self._store.write() as study:
                while self._answer(study, code):
                    pass
            self._progress.advance()
        close_round(self._store, planned.id)
        aggregate_crowd(self._store, quality=QualityRule.NONE)

    def _answer(self, study: Transaction, code: str) -> bool:
        work = study.crowd_assignments
        task = work.next_contains(code)
        if task is None:
            return False
        selected = [
            place
            for place, file in work.files(code, task.id).items()
            if _selects(code, file.path, task.label)
        ]
        work.submit_contains(code, task.id, selected, active_ms=_ANSWER_MS, revise=False)
        return True


def _selects(code: str, path: Path, label: str) -> bool:
    """Return whether an annotator selects an image; each image has a frequency of its own."""
    part = _BY_NAME.get(path.stem.partition("-")[0])
    if path.parent.name != label:
        share = 0.03
    elif part is None:
        share = seeded_random("original", path.name, label).betavariate(4, 1.6)
    else:
        share = seeded_random("candidate", path.name).uniform(part.least, part.most)
    return seeded_random(code, path.as_posix()[-60:], label).random() < share
