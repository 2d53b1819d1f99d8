"""How far a study is set up, for its lead."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from labeler.core.phases import Phase, StudyFacts, refusal_to_lock, refusal_to_open
from labeler.core.study import Dataset, Participant, ParticipantKind
from labeler.store.backup import backups
from labeler.store.samples import Sample
from labeler.store.study import StudyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpFacts:
    """What is there; `to_open` and `to_lock` say why a phase can't be, None where it can."""

    study_name: str
    datasets: tuple[Dataset, ...]
    people: tuple[Participant, ...]
    sample: Sample | None
    study: StudyFacts
    to_open: Mapping[Phase, str | None]
    to_lock: Mapping[Phase, str | None]
    backups: tuple[tuple[str, datetime], ...]
    backs_up: bool
    seed: int


def set_up_facts(store: StudyStore) -> SetUpFacts:
    with store.read() as study:
        facts = study.phases.facts()
        people = [p for p in study.participants.all() if p.kind is ParticipantKind.HUMAN]
        return SetUpFacts(
            study_name=store.identity.name,
            datasets=tuple(study.datasets.all()),
            people=tuple(people),
            sample=study.samples.current(),
            study=facts,
            to_open={phase: refusal_to_open(phase, facts) for phase in Phase},
            to_lock={phase: refusal_to_lock(phase, facts, unfinished=True) for phase in Phase},
            backups=tuple((backup.name, backup.made_at) for backup in backups(store.folder)),
            backs_up=store.database.is_sqlite,
            seed=store.identity.seed,
        )
