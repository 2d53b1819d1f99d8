"""Import and export candidates.csv: the pools, their images and which are rejected."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from sqlalchemy import func, select

from labeler.core.curation.entities import CandidateSource, RejectReason
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.core.study.exchange_format import CANDIDATES
from labeler.core.study.exchange_rows import (
    Fields,
    InvalidValueError,
    parse_choice,
    parse_class,
    parse_name,
    quoted,
)
from labeler.store.curation.pools import NewCandidate
from labeler.store.datasets.datasets import NewImage
from labeler.store.datasets.image_files import resolve_image_path
from labeler.store.exchange.curation_files.keyed_file import Cells, KeyedFile, KeyedRows
from labeler.store.schema import (
    CandidateRejectionRow,
    CandidateRow,
    ClassRow,
    DatasetRow,
    ImageRow,
)
from labeler.store.schema.row_ids import class_ids


class CandidateRows(KeyedRows):
    """The candidates of all pools, by pool and in the order they were added."""

    @cached_property
    def _classes(self) -> dict[str, int]:
        return class_ids(self.session)

    @cached_property
    def _roles(self) -> dict[str, DatasetRole]:
        return {each.name: each.role for each in self.transaction.datasets.all()}

    def stored(self) -> Iterator[Cells]:
        rejection = (
            select(CandidateRejectionRow.image_id, func.max(CandidateRejectionRow.id).label("id"))
            .where(CandidateRejectionRow.withdrawn_at.is_(None))
            .group_by(CandidateRejectionRow.image_id)
            .subquery()
        )
        row = CandidateRow
        query = (
            select(DatasetRow.name, DatasetRow.root, ImageRow.name, ClassRow.wnid, ImageRow.path)
            .add_columns(row.source, row.source_id, row.query, row.taken_at, row.uploaded_at)
            .add_columns(CandidateRejectionRow.reason)
            .join(ImageRow, ImageRow.dataset_id == DatasetRow.id)
            .join(row, row.image_id == ImageRow.id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .outerjoin(rejection, rejection.c.image_id == ImageRow.id)
            .outerjoin(CandidateRejectionRow, CandidateRejectionRow.id == rejection.c.id)
            .order_by(DatasetRow.id, ImageRow.ordinal)
            .execution_options(yield_per=10_000)
        )
        for pool, root, name, label, path, *source, rejected in self.session.execute(query):
            location = resolve_image_path(root=root, name=name, path=path)
            yield (pool, name, label, location, *source, rejected or "")

    def parse(self, fields: Fields) -> tuple[Cells, Any]:
        pool = parse_name(fields["pool"], column="pool")
        role = self._roles.get(pool)
        if role is not None and role is not DatasetRole.POOL:
            problem = f"{quoted(pool)} is a {role} dataset of the study, not a candidate pool."
            raise InvalidValueError("pool", problem)
        image = parse_name(fields["image"], column="image")
        label = parse_class(fields["label"], self._classes, column="label")
        rejected = fields["rejected"]
        if rejected:
            parse_choice(rejected, RejectReason, column="rejected")
        source = CandidateSource(
            source=fields["source"],
            source_id=fields["source_id"],
            query=fields["query"],
            taken_at=fields["taken_at"],
            uploaded_at=fields["uploaded_at"],
        )
        new = NewCandidate(NewImage(name=image, target=label, path=fields["path"]), source)
        cells = tuple(fields[column] for column in CANDIDATES.columns)
        return cells, (pool, new, rejected)

    def add(self, rows: list[Any]) -> None:
        by_pool: dict[str, list[NewCandidate]] = defaultdict(list)
        for pool, new, _rejected in rows:
            by_pool[pool].append(new)
        pools = self.transaction.pools
        for pool, candidates in by_pool.items():
            pools.begin(pool)
            pools.append(pool, candidates)
        for pool, new, rejected in rows:
            if rejected:
                pools.reject(ImageKey(pool, new.image.name), RejectReason(rejected))


CANDIDATES_FILE = KeyedFile(CANDIDATES, CandidateRows)
