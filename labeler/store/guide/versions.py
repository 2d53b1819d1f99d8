"""The guide's pages in the database: versions, drafts, and frozen guides."""

import hashlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sqlalchemy import Select, and_, delete, func, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.guide.page_versions import FrozenGuide, PageDraft, PageOrigin, PageVersion
from labeler.store.engine.checksums import DamagedContents
from labeler.store.schema import (
    FrozenPageRow,
    GuideDraftRow,
    GuideFreezeRow,
    GuidePictureRow,
    GuideVersionRow,
    ParticipantRow,
    VersionPictureRow,
)
from labeler.store.study.sessions import person_id


class GuideVersions:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def count(self) -> int:
        """Return the number of versions of all pages, which grows with every change."""
        return self._session.scalar(select(func.count()).select_from(GuideVersionRow)) or 0

    def newest_versions(self) -> dict[str, PageVersion]:
        """Return the newest version of every page in the guide, by slug."""
        return {slug: page for slug, page in self._newest().items() if not page.retired}

    def retired(self) -> dict[str, PageVersion]:
        """Return the newest version of every page that was removed from the guide, by slug."""
        return {slug: page for slug, page in self._newest().items() if page.retired}

    def _newest(self) -> dict[str, PageVersion]:
        newest = (
            select(GuideVersionRow.page, func.max(GuideVersionRow.number).label("number"))
            .group_by(GuideVersionRow.page)
            .subquery()
        )
        same = and_(
            newest.c.page == GuideVersionRow.page, newest.c.number == GuideVersionRow.number
        )
        return {
            version.slug: version
            for version in self._versions(_versions_query().join(newest, same))
        }

    def head(self, slug: str) -> PageVersion | None:
        return next(iter(self.history(slug)), None)

    def history(self, slug: str) -> list[PageVersion]:
        """Return every version of the page, newest first."""
        query = _versions_query().where(GuideVersionRow.page == slug)
        return self._versions(query.order_by(GuideVersionRow.number.desc()))

    def all_versions(self) -> dict[str, list[PageVersion]]:
        """Return all versions by slug, oldest first, to compare them with the folder."""
        found: dict[str, list[PageVersion]] = {}
        for version in self._versions(_versions_query().order_by(GuideVersionRow.number)):
            found.setdefault(version.slug, []).append(version)
        return found

    def append(
        self,
        slug: str,
        *,
        number: int,
        text: str,
        author: str | None,
        origin: PageOrigin,
        base: int | None,
        comment: str,
        pictures: Mapping[str, str] = MappingProxyType({}),
        retired: bool = False,
        at: str = "",
    ) -> None:
        """Add a version; the number must be new for the page.

        `pictures` maps paths to the hashes of stored pictures. `at` is when it was saved elsewhere.
        """
        row = GuideVersionRow(
            page=slug,
            number=number,
            text=text,
            participant_id=person_id(self._session, author) if author else None,
            origin=origin,
            base=base,
            comment=comment,
            at=at or self._now(),
            retired=retired,
        )
        self._session.add(row)
        self._session.flush()
        self.attach_pictures(slug, number, pictures)

    # Pictures shown by versions.

    def attach_pictures(self, slug: str, number: int, pictures: Mapping[str, str]) -> None:
        """Link pictures to a version under their paths."""
        key = {"page": slug, "number": number}
        rows = [{**key, "path": path, "hash": content} for path, content in pictures.items()]
        if rows:
            self._session.execute(insert(VersionPictureRow), rows)

    def store_picture(self, hashed: str, content: bytes) -> None:
        """Store a picture's bytes unless they are already stored."""
        known = select(GuidePictureRow.hash).filter_by(hash=hashed)
        if self._session.scalar(known) is None:
            self._session.execute(insert(GuidePictureRow).values(hash=hashed, content=content))

    def picture(self, hashed: str) -> bytes | None:
        """Return the picture with this hash, or None."""
        content = self._session.scalar(select(GuidePictureRow.content).filter_by(hash=hashed))
        if content is not None and hashlib.sha256(content).hexdigest() != hashed:
            raise DamagedContents("guide_picture.content")
        return content

    def _pictures_by_version(self) -> dict[tuple[str, int], dict[str, str]]:
        """Return the hashes of pictures by path, for each page and version that has any."""
        found: dict[tuple[str, int], dict[str, str]] = {}
        for row in self._session.scalars(select(VersionPictureRow)):
            found.setdefault((row.page, row.number), {})[row.path] = row.hash
        return found

    # The guide used in an evaluation.

    def freeze(self, version: str, pages: Iterable[PageVersion]) -> None:
        """Record which version of each page is used from now on."""
        row = GuideFreezeRow(version=version, at=self._now())
        self._session.add(row)
        self._session.flush()
        frozen = [{"freeze_id": row.id, "page": p.slug, "number": p.number} for p in pages]
        if frozen:
            self._session.execute(insert(FrozenPageRow), frozen)

    def frozen(self) -> FrozenGuide | None:
        """Return the last frozen guide, or None."""
        row = self._last_freeze()
        if row is None:
            return None
        numbers = {page.slug: page.number for page in self._frozen_pages(row.id)}
        return FrozenGuide(row.version, row.at, numbers)

    def frozen_pages(self) -> Mapping[str, PageVersion]:
        """Return the pages of the last frozen guide, by slug."""
        row = self._last_freeze()
        pages = self._frozen_pages(row.id) if row is not None else []
        return {page.slug: page for page in pages}

    def _last_freeze(self) -> GuideFreezeRow | None:
        return self._session.scalar(select(GuideFreezeRow).order_by(GuideFreezeRow.id.desc()))

    def _frozen_pages(self, freeze_id: int) -> list[PageVersion]:
        same = and_(
            FrozenPageRow.page == GuideVersionRow.page,
            FrozenPageRow.number == GuideVersionRow.number,
        )
        frozen = (
            _versions_query().join(FrozenPageRow, same).where(FrozenPageRow.freeze_id == freeze_id)
        )
        return self._versions(frozen.order_by(GuideVersionRow.page))

    # Drafts.

    def keep_draft(self, author: str, slug: str, *, text: str, base: int | None) -> None:
        """Store the person's unsaved text, replacing an earlier draft."""
        key = self._draft_key(author, slug)
        values = {"text": text, "base": base, "updated_at": self._now()}
        replaced = update(GuideDraftRow).filter_by(**key).values(values)
        if self._session.scalar(replaced.returning(GuideDraftRow.page)) is None:
            self._session.execute(insert(GuideDraftRow).values({**key, **values}))

    def draft(self, author: str, slug: str) -> PageDraft | None:
        return next((draft for draft in self.drafts(author) if draft.slug == slug), None)

    def drafts(self, author: str) -> list[PageDraft]:
        """Return the person's drafts, most recent first."""
        person = person_id(self._session, author)
        query = select(GuideDraftRow).filter_by(participant_id=person)
        rows = self._session.scalars(query.order_by(GuideDraftRow.updated_at.desc()))
        return [PageDraft(row.page, row.text, row.base, row.updated_at) for row in rows]

    def discard_draft(self, author: str, slug: str) -> None:
        self._session.execute(delete(GuideDraftRow).filter_by(**self._draft_key(author, slug)))

    def _draft_key(self, author: str, slug: str) -> dict[str, object]:
        return {"participant_id": person_id(self._session, author), "page": slug}

    def _versions(self, query: Select[GuideVersionRow, str | None]) -> list[PageVersion]:
        pictures = self._pictures_by_version()
        return [
            _page_version(row, code, pictures.get((row.page, row.number), {}))
            for row, code in self._session.execute(query)
        ]

    def _now(self) -> str:
        return stamp(self._clock.utc())


def _versions_query() -> Select[GuideVersionRow, str | None]:
    writer = ParticipantRow.id == GuideVersionRow.participant_id
    return select(GuideVersionRow, ParticipantRow.code).outerjoin(ParticipantRow, writer)


def _page_version(
    row: GuideVersionRow, code: str | None, pictures: Mapping[str, str]
) -> PageVersion:
    return PageVersion(
        slug=row.page,
        number=row.number,
        text=row.text,
        author=code,
        origin=row.origin,
        base=row.base,
        comment=row.comment,
        at=row.at,
        pictures=pictures,
        retired=row.retired,
    )
