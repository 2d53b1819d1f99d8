"""Write files of the model-vs-human toolbox: a table of trials per subject and session."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from urllib.parse import quote

MODEL_VS_HUMAN_COLUMNS = (
    "subj",
    "session",
    "trial",
    "rt",
    "object_response",
    "category",
    "condition",
    "imagename",
)
# Models have no time; the toolbox writes it this way.
_NO_TIME = "NaN"


@dataclass(frozen=True, slots=True)
class ModelVsHumanTrial:
    """One answer to one image; `seconds` and `shown_at` are None if they weren't measured."""

    participant: str
    dataset: str
    image: str
    label: str
    target: str
    seconds: str
    shown_at: str


def model_vs_human_files(
    trials: Iterable[ModelVsHumanTrial],
) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    """Yield file names and their rows, for trials that are sorted by participant.

    A session is a day; trials are in the order in which they were seen.
    """
    for participant, given in groupby(trials, key=attrgetter("participant")):
        by_dataset: dict[str, list[ModelVsHumanTrial]] = defaultdict(list)
        for trial in given:
            by_dataset[trial.dataset].append(trial)
        for dataset, answered in by_dataset.items():
            answered.sort(key=attrgetter("shown_at"))
            for session, day in enumerate(_days(answered).values(), start=1):
                rows = [_row(trial, session, number) for number, trial in enumerate(day, start=1)]
                yield session_file_name(dataset, participant, session), rows


def session_file_name(dataset: str, participant: str, session: int) -> str:
    """Return the file name of a session; models have one session."""
    return f"{quote(dataset, safe='')}_{quote(participant, safe='')}_session_{session}.csv"


def _days(trials: Iterable[ModelVsHumanTrial]) -> Mapping[str, list[ModelVsHumanTrial]]:
    days: dict[str, list[ModelVsHumanTrial]] = defaultdict(list)
    for trial in trials:
        days[trial.shown_at[:10]].append(trial)
    return days


def _row(trial: ModelVsHumanTrial, session: int, number: int) -> tuple[object, ...]:
    return (
        trial.participant,
        session,
        number,
        trial.seconds or _NO_TIME,
        trial.label,
        trial.target,
        trial.dataset,
        trial.image,
    )
