"""The rows of datasets.csv, participants.csv, reviews.csv and multilabels.csv, in their order."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.study.exchange_rows import format_reasons
from labeler.store.datasets.image_files import resolve_image_path
from labeler.store.exchange.lookups import evaluation_datasets
from labeler.store.exchange.problematic import problem_reasons_by_image
from labeler.store.exchange.reviews import latest_reviews
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    MultilabelRow,
    ParticipantRow,
    PersonRow,
)

# Rows that the database hands over at a time.
FETCH_SIZE = 10_000

ExportRow = tuple[object, ...]


def dataset_export_rows(session: Session) -> Iterator[ExportRow]:
    """The images by dataset and ordinal."""
    for dataset_id, dataset in evaluation_datasets(session):
        reasons = problem_reasons_by_image(session, dataset)
        query = (
            select(ImageRow.id, ImageRow.name, ClassRow.wnid, ImageRow.path, DatasetRow.root)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(ImageRow.dataset_id == dataset_id)
            .order_by(ImageRow.ordinal)
            .execution_options(yield_per=FETCH_SIZE)
        )
        for image_id, name, target, path, root in session.execute(query):
            place = resolve_image_path(root=root, name=name, path=path)
            yield dataset, name, target, place, format_reasons(reasons.get(image_id, ()))


def participant_export_rows(session: Session, *, names: bool) -> Iterator[ExportRow]:
    """The participants in the order in which they were added, with people's names if asked."""
    query = (
        select(ParticipantRow.code, ParticipantRow.kind, ParticipantRow.description)
        .add_columns(PersonRow.name)
        .outerjoin(PersonRow, PersonRow.participant_id == ParticipantRow.id)
        .order_by(ParticipantRow.id)
    )
    for code, kind, description, name in session.execute(query):
        yield (code, kind, description, name or "") if names else (code, kind, description)


def review_export_rows(session: Session) -> Iterator[ExportRow]:
    """The last verdicts by reviewer, dataset, image, label, the initial before the final."""
    review = latest_reviews().c
    datasets = [number for number, _ in evaluation_datasets(session)]
    query = (
        select(ParticipantRow.code, DatasetRow.name, ImageRow.name, ClassRow.wnid)
        .add_columns(review.verdict, review.kind, review.stage, review.at)
        .join(ParticipantRow, ParticipantRow.id == review.participant_id)
        .join(ImageRow, ImageRow.id == review.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ClassRow, ClassRow.id == review.class_id)
        .where(DatasetRow.id.in_(datasets))
        .order_by(ParticipantRow.id, DatasetRow.id, ImageRow.ordinal, ClassRow.id)
        .order_by(review.stage.desc())
        .execution_options(yield_per=FETCH_SIZE)
    )
    for *names, verdict, kind, stage, at in session.execute(query):
        yield (*names, verdict, kind or "", stage, at or "")


def multilabel_export_rows(session: Session) -> Iterator[ExportRow]:
    """The resolved states by dataset, image and label."""
    datasets = [number for number, _ in evaluation_datasets(session)]
    query = (
        select(DatasetRow.name, ImageRow.name, ClassRow.wnid, MultilabelRow.state)
        .join(ImageRow, ImageRow.id == MultilabelRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ClassRow, ClassRow.id == MultilabelRow.class_id)
        .where(DatasetRow.id.in_(datasets))
        .order_by(DatasetRow.id, ImageRow.ordinal, ClassRow.id)
        .execution_options(yield_per=FETCH_SIZE)
    )
    yield from session.execute(query)
