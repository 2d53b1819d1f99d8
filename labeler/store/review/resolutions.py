"""Store the resolved verdicts: the multi-labels and the rule that was used."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.review.dawid_skene import DEFAULT_THRESHOLD, Truth
from labeler.core.review.resolution import OPEN, ResolvedStates
from labeler.core.review.verdict_table import VERDICT_CODES, VERDICT_ORDER
from labeler.core.study.entities import ImageKey, ResolutionRule, Verdict
from labeler.store.review.verdict_arrays import StoredVerdicts
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    MultilabelRow,
    ResolutionRow,
    table_of,
)
from labeler.store.schema.review import IMPORTED_RULE
from labeler.store.study.sessions import person_id
from labeler.store.study.settings import StoredSettings

_CHUNK = 20_000
# Settings that describe the last resolution by the rule dawid-skene.
_TRUTH, _THRESHOLD = "dawid_skene_truth", "dawid_skene_threshold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The rule that resolved the verdicts, and how many labels have each state.

    `open` labels had too few verdicts and got no state; `unsettled` labels are unclear because the
    verdicts didn't decide. `truth` and `threshold` belong to the rule dawid-skene; a truth of three
    states has no threshold.
    """

    rule: ResolutionRule
    quorum: int
    reviewer: str | None
    correct: int
    wrong: int
    unclear: int
    open: int
    unsettled: int
    truth: Truth | None = None
    threshold: float | None = None


class Resolutions:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def keep(
        self,
        verdicts: StoredVerdicts,
        resolved: ResolvedStates,
        *,
        rule: ResolutionRule,
        quorum: int = 1,
        reviewer: str | None = None,
        truth: Truth | None = None,
        threshold: float | None = None,
    ) -> Resolution:
        """Replace earlier multi-labels by these, and record the rule.

        Imported states remain unless a verdict settles the label.
        """
        self._session.execute(delete(MultilabelRow).where(MultilabelRow.rule != IMPORTED_RULE))
        self._drop_imported(verdicts, resolved)
        for rows in _chunks(verdicts, resolved, rule):
            # Without the ORM, which would triple the time.
            self._session.connection().execute(insert(table_of(MultilabelRow)), rows)
        resolution = count_states(
            resolved,
            rule=rule,
            quorum=quorum,
            reviewer=reviewer,
            truth=truth,
            threshold=threshold,
        )
        self._record(resolution)
        return resolution

    def last(self) -> Resolution | None:
        query = select(ResolutionRow).order_by(ResolutionRow.id.desc()).limit(1)
        row = self._session.scalar(query)
        if row is None:
            return None
        truth, threshold = self._last_truth(row.rule)
        return Resolution(
            rule=row.rule,
            quorum=row.quorum,
            reviewer=None,
            correct=row.correct,
            wrong=row.wrong,
            unclear=row.unclear,
            open=row.open,
            unsettled=row.unsettled,
            truth=truth,
            threshold=threshold,
        )

    def correct_labels(self) -> dict[ImageKey, frozenset[str]]:
        """Return the multi-label of every judged image, empty if no label is correct."""
        query = (
            select(DatasetRow.name, ImageRow.name, ClassRow.wnid, MultilabelRow.state)
            .select_from(MultilabelRow)
            .join(ImageRow, ImageRow.id == MultilabelRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == MultilabelRow.class_id)
        )
        labels: dict[ImageKey, set[str]] = {}
        for dataset, image, wnid, state in self._session.connection().execute(query):
            correct = labels.setdefault(ImageKey(dataset, image), set())
            if state is Verdict.CORRECT:
                correct.add(wnid)
        return {image: frozenset(correct) for image, correct in labels.items()}

    def _drop_imported(self, verdicts: StoredVerdicts, resolved: ResolvedStates) -> None:
        query = select(MultilabelRow.image_id, MultilabelRow.class_id)
        imported = {(image, label) for image, label in self._session.execute(query)}
        if not imported:
            return
        settled = resolved.states != OPEN
        judged = zip(
            verdicts.images[settled].tolist(), verdicts.classes[settled].tolist(), strict=True
        )
        for image_id, class_id in imported.intersection(judged):
            where = MultilabelRow.image_id == image_id, MultilabelRow.class_id == class_id
            self._session.execute(delete(MultilabelRow).where(*where))

    def _last_truth(self, rule: ResolutionRule) -> tuple[Truth | None, float | None]:
        """Return truth and threshold; resolutions from before there was a choice have three."""
        if rule is not ResolutionRule.DAWID_SKENE:
            return None, None
        settings = StoredSettings(self._session).all()
        truth = Truth(settings.get(_TRUTH, Truth.THREE))
        threshold = settings.get(_THRESHOLD, DEFAULT_THRESHOLD)
        return truth, None if truth is Truth.THREE else float(threshold)

    def _record(self, resolution: Resolution) -> None:
        StoredSettings(self._session).put(
            **{_TRUTH: resolution.truth, _THRESHOLD: resolution.threshold}
        )
        reviewer = resolution.reviewer
        row = ResolutionRow(
            rule=resolution.rule,
            quorum=resolution.quorum,
            reviewer_id=None if reviewer is None else person_id(self._session, reviewer),
            correct=resolution.correct,
            wrong=resolution.wrong,
            unclear=resolution.unclear,
            open=resolution.open,
            unsettled=resolution.unsettled,
            resolved_at=stamp(self._clock.utc()),
        )
        self._session.add(row)


def _chunks(
    verdicts: StoredVerdicts, resolved: ResolvedStates, rule: ResolutionRule
) -> Iterator[list[dict[str, object]]]:
    settled = np.flatnonzero(resolved.states != OPEN)
    for start in range(0, len(settled), _CHUNK):
        part = settled[start : start + _CHUNK]
        columns = (verdicts.images[part], verdicts.classes[part], resolved.states[part])
        yield [
            {
                "image_id": image,
                "class_id": label,
                "state": VERDICT_ORDER[state],
                "rule": str(rule),
            }
            for image, label, state in zip(*(c.tolist() for c in columns), strict=True)
        ]


def count_states(
    resolved: ResolvedStates,
    *,
    rule: ResolutionRule,
    quorum: int,
    reviewer: str | None,
    truth: Truth | None,
    threshold: float | None,
) -> Resolution:
    """Count the labels in each state."""
    counts = {v: int(np.count_nonzero(resolved.states == VERDICT_CODES[v])) for v in Verdict}
    return Resolution(
        rule=rule,
        quorum=quorum,
        reviewer=reviewer,
        correct=counts[Verdict.CORRECT],
        wrong=counts[Verdict.WRONG],
        unclear=counts[Verdict.UNCLEAR],
        open=resolved.open,
        unsettled=resolved.unsettled,
        truth=truth,
        threshold=threshold,
    )
