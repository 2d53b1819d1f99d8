"""Why a label was judged: it was proposed, a decoy, or added by a reviewer."""

from sqlalchemy import ColumnElement, and_, func, insert, select
from sqlalchemy.orm import Session

from labeler.core.errors import InputError
from labeler.core.review.decoys import ACCEPTED_BY
from labeler.core.study.entities import Stage, Verdict
from labeler.core.study.exchange_rows import Fields, ReviewOrigin
from labeler.store.exchange.csv_reader import CsvSource, RowChunk
from labeler.store.exchange.lookups import ImportLookups
from labeler.store.exchange.review_queries import latest_reviews
from labeler.store.schema import ReviewDecoyRow, ReviewItemRow, ReviewRow

# Stage, image and class.
LabelKey = tuple[str, int, int]


def stored_origins(session: Session) -> dict[LabelKey, ReviewOrigin]:
    """Return the origins of all labels that weren't proposed.

    A decoy that two reviewers accepted is an added label.
    """
    item, decoy = ReviewItemRow, ReviewDecoyRow
    added = select(item.stage, item.image_id, item.class_id).where(item.added_by.is_not(None))
    decoys = select(decoy.stage, decoy.image_id, decoy.class_id)
    origins = {
        (str(stage), image, label): ReviewOrigin.DECOY
        for stage, image, label in session.execute(decoys)
    }
    accepted = _accepted_decoys(session) if origins else set()
    by_hand = {(str(stage), image, label) for stage, image, label in session.execute(added)}
    return origins | dict.fromkeys(by_hand | accepted, ReviewOrigin.ADDED)


def _accepted_decoys(session: Session) -> set[LabelKey]:
    review = latest_reviews().c
    label = review.stage, review.image_id, review.class_id
    query = (
        select(*label)
        .join(ReviewDecoyRow, _is_decoy(review))
        .where(review.verdict == Verdict.CORRECT)
        .group_by(*label)
        .having(func.count() >= ACCEPTED_BY)
    )
    return {(str(stage), image, label) for stage, image, label in session.execute(query)}


def _is_decoy(review: object) -> ColumnElement[bool]:
    return and_(
        *(
            getattr(ReviewDecoyRow, column) == getattr(review, column)
            for column in ("stage", "image_id", "class_id")
        )
    )


class ImportedOrigins:
    """The labels of a file that weren't proposed, stored once for all verdicts on them."""

    def __init__(self, session: Session, source: CsvSource, names: ImportLookups) -> None:
        self._session = session
        self._source = source
        self._names = names
        self._given = "origin" in source.columns
        self._stored = stored_origins(session) if self._given else {}
        self._new: dict[LabelKey, tuple[ReviewOrigin, str]] = {}

    def take(self, chunk: RowChunk) -> None:
        """Note the labels of the chunk; a row that contradicts the study is an error."""
        if not self._given or not (self._stored or _unproposed(chunk)):
            return
        for position, fields in zip(chunk.places, chunk.rows(), strict=True):
            self._take(position, fields)

    def _take(self, position: int, fields: Fields) -> None:
        origin, key = _origin(fields), self._key(fields)
        stored = self._stored.get(key, ReviewOrigin.PROPOSED)
        if origin is stored or key in self._new:
            return
        if stored is not ReviewOrigin.PROPOSED or self._is_known(key):
            if self._source.updates:
                # An origin changes when reviewers accept a decoy; the study knows all of them.
                return
            raise self._differing(position, stored)
        self._new[key] = origin, fields["reviewer"]

    def finish(self, now: str) -> None:
        if not self._new:
            return
        self._refuse_two_origins()
        self._session.execute(insert(ReviewItemRow), [self._item(key, now) for key in self._new])
        decoys = [
            _label(key) for key, (origin, _) in self._new.items() if origin is ReviewOrigin.DECOY
        ]
        if decoys:
            self._session.execute(insert(ReviewDecoyRow), decoys)

    def _item(self, key: LabelKey, now: str) -> dict[str, object]:
        origin, reviewer = self._new[key]
        added = origin is ReviewOrigin.ADDED
        by = self._names.participant_ids[reviewer] if added else None
        return {**_label(key), "added_by": by, "added_at": now}

    def _refuse_two_origins(self) -> None:
        for line, fields in self._source.records():
            origin, _reviewer = self._new.get(self._key(fields), (None, ""))
            if origin is not None and origin is not _origin(fields):
                problem = f"another row says that this label is '{origin}'."
                raise self._source.fault(line, "origin", problem)

    def _key(self, fields: Fields) -> LabelKey:
        slot = self._names.images.slot(fields["dataset"], fields["image"])
        return fields["stage"], self._names.images.ids[slot], self._names.classes[fields["label"]]

    def _is_known(self, key: LabelKey) -> bool:
        """Return whether the study has the label as one that was proposed."""
        queries = (
            select(row.class_id).filter_by(**_label(key)).limit(1)
            for row in (ReviewItemRow, ReviewRow)
        )
        return any(self._session.scalar(query) is not None for query in queries)

    def _differing(self, position: int, stored: ReviewOrigin) -> InputError:
        return self._source.differing(self._source.at(position), "origin", stored)


def _unproposed(chunk: RowChunk) -> bool:
    return not {ReviewOrigin.ADDED, ReviewOrigin.DECOY}.isdisjoint(chunk["origin"])


def _origin(fields: Fields) -> ReviewOrigin:
    return ReviewOrigin(fields["origin"] or ReviewOrigin.PROPOSED)


def _label(key: LabelKey) -> dict[str, object]:
    stage, image, label = key
    return {"stage": Stage(stage), "image_id": image, "class_id": label}
