"""The lead's view of crowd rounds: progress, annotators and the status of images."""

from collections import Counter
from dataclasses import dataclass

from labeler.core.crowd.entities import AnnotationStatus
from labeler.core.crowd.frequencies import AnnotatorQuality, QualityRule, judge_answers
from labeler.core.crowd.rounds import CrowdTask, RoundProgress
from labeler.core.text import count_noun
from labeler.store.study_store import StudyStore

ROUND_COLUMNS = ("Round", "Task", "State", "Answers", "Finished", "Annotators")
ANNOTATOR_COLUMNS = (
    "Annotator",
    "Answers",
    "Grids",
    "Positive controls",
    "Negative controls",
    "Median time",
    "Selections",
    "Reason",
)
NOT_AGGREGATED = "Nothing is aggregated yet."
NO_ROUNDS = "No round is planned yet."


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdOverview:
    """Rows of both tables, the rounds that can be closed, and what was aggregated."""

    rounds: tuple[tuple[str, ...], ...]
    annotators: tuple[tuple[str, ...], ...]
    open_rounds: frozenset[str]
    progress: str
    statuses: str


def read_overview(store: StudyStore) -> CrowdOverview:
    """Read the rounds, and judge annotators by the rule of the last aggregation."""
    with store.read() as study:
        rounds = study.crowd_rounds.progress()
        crowd = study.crowd
        judged = judge_answers(
            crowd.grids(),
            crowd.contains_answers(),
            rule=QualityRule(crowd.last_quality() or QualityRule.CONTROLS),
            barred_grids=crowd.barred_grids(),
        )
        statuses = Counter(crowd.statuses().values())
    return CrowdOverview(
        rounds=tuple(_round(each) for each in rounds),
        annotators=tuple(_annotator(each) for each in judged.annotators),
        open_rounds=frozenset(each.round.id for each in rounds if each.round.is_open),
        progress=_progress(rounds),
        statuses=_statuses(statuses),
    )


def _round(each: RoundProgress) -> tuple[str, ...]:
    unit = "grids" if each.round.task is CrowdTask.CONTAINS else "images"
    return (
        each.round.id,
        str(each.round.task),
        "open" if each.round.is_open else "closed",
        f"{each.answers:,} of {each.wanted:,}",
        f"{each.finished:,} of {each.items:,} {unit}",
        f"{each.annotators:,}",
    )


def _progress(rounds: list[RoundProgress]) -> str:
    if not rounds:
        return NO_ROUNDS
    opened = sum(each.round.is_open for each in rounds)
    done, wanted = sum(each.answers for each in rounds), sum(each.wanted for each in rounds)
    return f"{count_noun(opened, 'open round')}; {done:,} of {wanted:,} answers in all rounds."


def _statuses(counts: Counter[AnnotationStatus]) -> str:
    if not counts:
        return NOT_AGGREGATED
    named = (f"{s.replace('_', ' ')} {counts[s]:,}" for s in AnnotationStatus if counts[s])
    return f"Images after the last aggregation: {', '.join(named)}."


def _annotator(each: AnnotatorQuality) -> tuple[str, ...]:
    ms = each.median_active_ms
    return (
        each.participant,
        "excluded" if each.excluded else "kept",
        f"{each.grids:,}",
        _share(*each.positive),
        _share(*each.negative),
        "" if ms is None else f"{ms / 1000:.0f} s",
        f"{each.selections:,}",
        each.reason,
    )


def _share(selected: int, shown: int) -> str:
    return f"{100 * selected / shown:.0f} %" if shown else ""
