"""Store answers that were given outside the program."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.crowd.entities import ContainsState
from labeler.core.errors import InputError
from labeler.core.study.entities import ImageKey
from labeler.store.schema import ClassifyAnswerRow, ContainsAnswerRow, DatasetRow, ImageRow
from labeler.store.study.sessions import person_id


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedContains:
    """An answer to a grid."""

    participant: str
    grid: str
    selected: frozenset[int]
    active_ms: int | None
    submitted_at: str
    state: ContainsState
    revises: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedClassify:
    """An answer to an image."""

    participant: str
    image: ImageKey
    labels: frozenset[str]
    main: str
    active_ms: int | None
    submitted_at: str
    revises: bool = False


class ImportedAnswers:
    """Adds answers; one that is stored already is skipped if it is the same, else refused.

    An answer with which the annotator corrects an earlier one is stored as its next revision.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, answer: ImportedContains | ImportedClassify, *, file: Path) -> bool:
        """Store an answer and return whether it is new."""
        row: type[ContainsAnswerRow] | type[ClassifyAnswerRow]
        key: dict[str, Any]
        if isinstance(answer, ImportedContains):
            row, key, values = ContainsAnswerRow, {"grid_id": answer.grid}, _contains(answer)
        else:
            row, key = ClassifyAnswerRow, {"image_id": self._image_id(answer.image)}
            values = _classify(answer)
        key["participant_id"] = person_id(self._session, answer.participant)
        query = select(row).filter_by(**key).order_by(row.revision)
        stored = self._session.scalars(query).all()
        if any({name: getattr(one, name) for name in values} == values for one in stored):
            return False
        if stored and not answer.revises:
            raise InputError(
                f"{answer.participant} has answered this task before, and differently. Nothing was "
                "imported.",
                file=file,
            )
        self._session.add(row(**key, **values, revision=len(stored) + 1))
        self._session.flush()
        return True

    def _image_id(self, image: ImageKey) -> Any:
        query = (
            select(ImageRow.id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == image.dataset, ImageRow.name == image.image)
        )
        return self._session.scalars(query).one()


def _contains(answer: ImportedContains) -> dict[str, Any]:
    return {
        "selected": "|".join(map(str, sorted(answer.selected))),
        "active_ms": answer.active_ms,
        "submitted_at": answer.submitted_at,
        "state": answer.state,
    }


def _classify(answer: ImportedClassify) -> dict[str, Any]:
    return {
        "labels": "|".join(sorted(answer.labels)),
        "main": answer.main,
        "active_ms": answer.active_ms,
        "submitted_at": answer.submitted_at,
    }
