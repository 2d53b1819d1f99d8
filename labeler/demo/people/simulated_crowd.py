"""Simulated annotators, who answer a contains and a classify round of the demo."""

from dataclasses import dataclass
from random import Random

from labeler.app.crowd.aggregation import aggregate_crowd
from labeler.app.crowd.planning import RoundRequest, close_round, plan_round, store_plan
from labeler.app.progress import ProgressReporter
from labeler.core.crowd.blind_types import ClassifyTask, ContainsTask
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.crowd.grids import GridRules
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.datasets.image_file import ImageFile
from labeler.demo.identity import DEMO_SEED
from labeler.demo.people.simulated_people import PictureContents, PictureReader, seeded_random
from labeler.demo.people.simulated_work import SimulatedCalendar
from labeler.store.study_store import StudyStore, Transaction

_ANSWERS = 9
_NEAR = 3  # steps in the taxonomy, within which two classes are easily confused
_MISSED, _MISTAKEN, _CONFUSED, _OTHER_MAIN = 0.06, 0.01, 0.3, 0.15
_GRID_MS, _IMAGE_MS = 31_000, 9_000
_CARELESS_MS = 3_000


@dataclass(frozen=True, slots=True)
class SimulatedAnnotator:
    """An annotator; a careless one hardly looks at the images."""

    code: str
    careless: bool = False


_CARELESS = (4, 8)
SIMULATED_ANNOTATORS = tuple(
    SimulatedAnnotator(f"simulated-annotator-{number}", careless=number in _CARELESS)
    for number in range(1, _ANSWERS + 1)
)


@dataclass(frozen=True, slots=True)
class SimulatedCrowd:
    """Plans the rounds and answers them, without repeating what is done."""

    store: StudyStore
    calendar: SimulatedCalendar
    reader: PictureReader
    progress: ProgressReporter
    people: tuple[SimulatedAnnotator, ...] = SIMULATED_ANNOTATORS

    def run(self, *, model: str, day: int) -> None:
        """Run a contains round on the labels of one model, and a classify round the day after."""
        rules = GridRules(images=8, positive=3, negative=1)
        for task, labels, morning in (
            (CrowdTask.CONTAINS, LabelChoice.POTENTIAL, day),
            (CrowdTask.CLASSIFY, LabelChoice.CANDIDATE, day + 1),
        ):
            request = RoundRequest(
                task=task,
                labels=labels,
                seed=DEMO_SEED,
                datasets=("original",),
                sampled=True,
                answers=_ANSWERS,
                rules=rules,
                models=(model,),
            )
            self._run_round(request, morning)

    def _run_round(self, request: RoundRequest, day: int) -> None:
        with self.store.read() as study:
            rounds = [each.round for each in study.crowd_rounds.progress()]
        known = next((each for each in rounds if each.task is request.task), None)
        if known is not None and not known.is_open:
            return
        self.calendar.morning_of(day)
        opened = known or store_plan(self.store, plan_round(self.store, request))
        self.progress.start(f"Annotating ({request.task})", len(self.people))
        for person in self.people:
            self.calendar.morning_of(day)
            with self.store.write() as study:
                while self._answer_next(study, person, request.task):
                    pass
            self.progress.advance()
        close_round(self.store, opened.id)
        aggregate_crowd(self.store, quality=QualityRule.CONTROLS)

    def _answer_next(self, study: Transaction, person: SimulatedAnnotator, task: CrowdTask) -> bool:
        """Answer one task; return whether there was any."""
        work = study.crowd_assignments
        if task is CrowdTask.CONTAINS:
            grid = work.next_contains(person.code)
            if grid is not None:
                self._answer_grid(study, person, grid)
            return grid is not None
        image = work.next_classify(person.code)
        if image is not None:
            self._answer_image(study, person, image)
        return image is not None

    def _answer_grid(
        self, study: Transaction, person: SimulatedAnnotator, task: ContainsTask
    ) -> None:
        seen = self._seen(study.crowd_assignments.files(person.code, task.id))
        selected = [
            place for place, contents in seen.items() if self._selects(person, contents, task.label)
        ]
        spent = self._spend(person, _GRID_MS, task.label)
        study.crowd_assignments.submit_contains(
            person.code, task.id, selected, active_ms=spent, revise=False
        )

    def _answer_image(
        self, study: Transaction, person: SimulatedAnnotator, task: ClassifyTask
    ) -> None:
        (seen,) = self._seen(study.crowd_assignments.files(person.code, task.id)).values()
        rng = seeded_random(person.code, "classify", seen.key)
        ticked = {label for label in task.labels if self._ticks(rng, seen, label)}
        if person.careless or not ticked:
            ticked = {rng.choice(sorted(task.labels))}
        main = self._main_label(seen)
        if main not in ticked or rng.random() < _OTHER_MAIN:
            main = rng.choice(sorted(ticked))
        spent = self._spend(person, _IMAGE_MS, seen.key)
        study.crowd_assignments.submit_classify(
            person.code, task.id, ticked, main, active_ms=spent, revise=False
        )

    def _seen(self, files: dict[int, ImageFile]) -> dict[int, PictureContents]:
        return {place: self.reader.look_at(file.path) for place, file in files.items()}

    def _selects(self, person: SimulatedAnnotator, seen: PictureContents, label: str) -> bool:
        rng = seeded_random(person.code, "contains", seen.key, label)
        if person.careless:
            return rng.random() < 0.1
        if label in seen.truth:
            return rng.random() >= _MISSED
        return rng.random() < (_CONFUSED if self._near(seen, label) else _MISTAKEN)

    def _ticks(self, rng: Random, seen: PictureContents, label: str) -> bool:
        return rng.random() < (1 - _MISSED if label in seen.truth else _MISTAKEN)

    def _main_label(self, seen: PictureContents) -> str:
        """Return the label of the object that catches the eye, mostly the target."""
        rng = seeded_random("main", seen.key)
        return rng.choice([seen.target, seen.target, *seen.others])

    def _near(self, seen: PictureContents, label: str) -> bool:
        return self.store.taxonomy.distance(seen.target, label) <= _NEAR

    def _spend(self, person: SimulatedAnnotator, typical: int, about: str) -> int:
        rng = seeded_random(person.code, "pace", about)
        spent = round((_CARELESS_MS if person.careless else typical) * rng.uniform(0.6, 1.6))
        self.calendar.pass_ms(spent)
        return spent
