"""How far a study is set up, for its lead."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from labeler.app.classes.translated_names import LanguageNames, name_languages
from labeler.app.review.reviewer_statistics import ReviewerProgress, reviewers_progress
from labeler.app.study.backups import BackupSummary, list_backup_summaries
from labeler.app.study.home_facts import LabelerProgress, labelers_progress
from labeler.app.study.phase_facts import phase_opening_refusal, washout_waits
from labeler.app.study.setting_definitions import StudySettings
from labeler.app.study.settings import read_compared_datasets, read_study_settings
from labeler.core.study.entities import Dataset, Participant, ParticipantKind, Stage
from labeler.core.study.phases import Phase, PhaseRuleFacts, refusal_to_lock
from labeler.store.datasets.datasets import OddFileCounts
from labeler.store.datasets.samples import Sample
from labeler.store.review.plans import PlanSize, StoredPlan
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class CreationFacts:
    """What was decided when the study was created; only the names in `languages` can change."""

    name: str
    folder: Path
    seed: int
    classes: int
    taxonomy: str
    languages: tuple[LanguageNames, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupFacts:
    """The state of the study for Set up; no answers are included, only counts.

    `to_open` and `to_lock` say why a phase can't be opened or locked, or are None if it can.
    `names` are real names by code, shown only when the lead asks for them. `plans` holds the
    planned stages, `compared` the two datasets chosen for the report. `missing` are datasets whose
    folders were searched and not found. `odd_files` counts skipped and noted files by dataset.
    """

    made: CreationFacts
    settings: StudySettings
    compared: tuple[str, str] | None
    datasets: tuple[Dataset, ...]
    odd_files: Mapping[str, OddFileCounts]
    people: tuple[Participant, ...]
    names: Mapping[str, str]
    models: tuple[str, ...]
    sample: Sample | None
    study: PhaseRuleFacts
    labelers: tuple[LabelerProgress, ...]
    trained: Mapping[str, int]
    reviewers: tuple[ReviewerProgress, ...]
    plans: Mapping[Stage, PlanSize]
    plans_made: tuple[StoredPlan, ...]
    to_open: Mapping[Phase, str | None]
    to_lock: Mapping[Phase, str | None]
    backups: tuple[BackupSummary, ...]
    backs_up: bool
    missing: frozenset[str] = frozenset()
    confused_pairs: int = 0


def read_setup_facts(store: StudyStore) -> SetupFacts:
    now = store.clock.utc()
    with store.read() as study:
        facts = study.phases.facts()
        participants = study.participants.all()
        sizes = {stage: study.review.plans.size(stage) for stage in Stage}
        return SetupFacts(
            made=_made(store),
            settings=read_study_settings(study),
            compared=read_compared_datasets(study),
            datasets=tuple(study.datasets.all()),
            odd_files=study.datasets.odd_counts(),
            people=tuple(one for one in participants if one.kind is ParticipantKind.HUMAN),
            names=study.participants.names(),
            models=tuple(one.code for one in participants if one.kind is ParticipantKind.MODEL),
            sample=study.samples.current(),
            study=facts,
            labelers=labelers_progress(study, facts, waits=washout_waits(study, now=now)),
            trained=study.training_record.counts(),
            reviewers=reviewers_progress(study),
            plans={stage: size for stage, size in sizes.items() if size.pairs},
            plans_made=study.review.plans.made(),
            to_open={phase: phase_opening_refusal(study, phase, facts, now=now) for phase in Phase},
            to_lock={phase: refusal_to_lock(phase, facts, unfinished=True) for phase in Phase},
            backups=list_backup_summaries(store.folder),
            backs_up=store.database.is_backed_up,
            confused_pairs=study.confusions.count(),
        )


def _made(store: StudyStore) -> CreationFacts:
    return CreationFacts(
        name=store.identity.name,
        folder=store.folder.path,
        seed=store.identity.seed,
        classes=len(store.taxonomy.class_wnids),
        taxonomy=store.taxonomy.source,
        languages=name_languages(store.taxonomy),
    )
