"""A small evaluation of two labelers, with names that would tell if anything told them."""

import uuid
from collections.abc import Callable

from sqlalchemy import select

from labeler.core.datasets.sampling import SampleRequest
from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.labeling.answers import CommittedAnswer, TrialFlag
from labeler.core.study.entities import (
    AttentionPlace,
    ImageKey,
    Participant,
    ParticipantKind,
    Role,
    SessionTask,
)
from labeler.core.study.phases import Phase
from labeler.store.datasets.samples import SampleVersions
from labeler.store.labeling.trial_flags import FlaggedTrial
from labeler.store.schema import (
    DatasetRow,
    ImageRow,
    TrialRow,
)

FISH, DOG, CAT = "n01440764", "n02085620", "n02123045"
IMAGES = [ImageKey("secret-val", f"{FISH}/telltale{n}.JPEG") for n in range(4)] + [
    ImageKey("secret-new", f"{FISH}/giveaway{n}.JPEG") for n in range(2)
]
TELL_TALES = ("secret", "telltale", "giveaway", FISH, "JPEG", "/pictures", "resnet")


class Evaluation:
    """An evaluation of the labelers A and B, with a session of each."""

    def __init__(self, store, clock) -> None:
        self.store = store
        self._clock = clock
        self.sessions: dict[str, str] = {}

    def prepare(self, code: str) -> int:
        with self.store.write() as study:
            self.sessions[code] = study.sessions.begin(
                code, role=Role.LABELER, task=SessionTask.EVALUATE, program_version="0.1"
            )
            return study.labeling.prepare_trials(code)

    def trial(self, position: int = 1, code: str = "A") -> str:
        return self.ask(lambda labeling: labeling.trials(code))[position - 1].trial_id

    def answer(self, position: int = 1, *, code: str = "A", **changes) -> CommittedAnswer:
        now = self._clock.utc().strftime("%Y-%m-%dT%H:%M:%S.000Z")
        fields = {
            "answer_id": str(uuid.uuid4()),
            "trial_id": self.trial(position, code),
            "session_id": self.sessions[code],
            "label": DOG,
            "shown_at": now,
            "submitted_at": now,
            "active_ms": 900,
            "wall_ms": 1000,
            "visits": (
                TrialVisit(
                    self.sessions[code],
                    (
                        AttentionInterval(AttentionPlace.IMAGE, 0, 400, (5, 6)),
                        AttentionInterval(AttentionPlace.SEARCH, 400, 900),
                    ),
                ),
            ),
        }
        return CommittedAnswer(**{**fields, **changes})

    def commit(self, answer: CommittedAnswer) -> int:
        with self.store.write() as study:
            return study.answers.commit(answer)

    def aside(self, flag: TrialFlag = TrialFlag.INAPPROPRIATE, **changes) -> FlaggedTrial:
        fields = {
            "note": "",
            "spent": TimeSpent(),
            "shown_at": None,
            "session_id": self.sessions["A"],
        }
        return FlaggedTrial(flag=flag, **{**fields, **changes})

    def set_aside(self, position: int = 1) -> None:
        trial_id = self.trial(position)
        self.do(lambda labeling: labeling.set_aside(trial_id, self.aside()))

    def answer_all(self, code: str = "A") -> None:
        for position in range(1, len(IMAGES) + 1):
            self.commit(self.answer(position, code=code))

    def do(self, operation: Callable):
        with self.store.write() as study:
            return operation(study.labeling)

    def ask(self, question: Callable):
        with self.store.read() as study:
            return question(study.labeling)

    def rows(self, kind, *order) -> list:
        with self.store.read() as study:
            return list(study.session.scalars(select(kind).order_by(*order)))

    def phase(self, operation: str) -> None:
        with self.store.write() as study:
            getattr(study.phases, operation)(Phase.EVALUATE)


def closed_evaluation(store, lead, clock) -> Evaluation:
    """A sample is drawn, the evaluation isn't open yet."""
    for dataset in ("secret-val", "secret-new"):
        names = [key.image for key in IMAGES if key.dataset == dataset]
        lead.add(dataset, *map(lead.image, names), root="/pictures")
    with store.write() as study:
        for seed, code in enumerate("AB"):
            roles = frozenset({Role.LABELER})
            study.participants.add(Participant(code, ParticipantKind.HUMAN, "", roles, seed))
        study.participants.add(
            Participant("R", ParticipantKind.HUMAN, "", frozenset({Role.REVIEWER}))
        )
        study.participants.add(Participant("resnet50", ParticipantKind.MODEL))
        request = SampleRequest(("secret-val", "secret-new"), per_class=1, seed=1)
        study.samples.freeze(request, IMAGES, SampleVersions(taxonomy="t", guide="g", program="p"))
    return Evaluation(store, clock)


def open_evaluation(store, lead, clock) -> Evaluation:
    """The evaluation is open, and both labelers have their trials."""
    evaluation = closed_evaluation(store, lead, clock)
    evaluation.phase("open")
    for code in "AB":
        evaluation.prepare(code)
    return evaluation


def order_of(evaluation, code: str) -> list[ImageKey]:
    with evaluation.store.read() as study:
        query = (
            select(DatasetRow.name, ImageRow.name)
            .join(ImageRow, ImageRow.dataset_id == DatasetRow.id)
            .join(TrialRow, TrialRow.image_id == ImageRow.id)
        )
        ids = [trial.trial_id for trial in study.labeling.trials(code)]
        return [
            ImageKey(*study.session.execute(query.where(TrialRow.id == id_)).one()) for id_ in ids
        ]
