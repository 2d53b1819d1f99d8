"""The guide's pages in the database: versions only ever added, drafts, and what was frozen."""

import pytest
from sqlalchemy.exc import IntegrityError

from labeler.core.errors import RefusedError
from labeler.core.guide.page_versions import PageOrigin
from labeler.core.study.entities import Participant, ParticipantKind, Role


@pytest.fixture(autouse=True)
def _people(store) -> None:
    with store.write() as study:
        for code in "AB":
            person = Participant(code, ParticipantKind.HUMAN, "", frozenset({Role.LABELER}))
            study.participants.add(person)


def append(store, slug: str, number: int, *, author: str | None = "A") -> None:
    with store.write() as study:
        study.guide.append(
            slug,
            number=number,
            text=f"{slug} {number}",
            author=author,
            origin=PageOrigin.EDIT if author else PageOrigin.FOLDER,
            base=number - 1 or None,
            comment="why",
        )


def test_the_highest_number_counts_and_the_others_stay(store) -> None:
    append(store, "foxes", 1, author=None)
    append(store, "foxes", 2)
    append(store, "bears", 7, author="B")
    with store.read() as study:
        assert {slug: head.number for slug, head in study.guide.newest_versions().items()} == {
            "foxes": 2,
            "bears": 7,
        }
        assert [version.author for version in study.guide.history("foxes")] == ["A", None]
        assert study.guide.head("foxes").text == "foxes 2"
        assert study.guide.head("wolves") is None
        assert study.guide.count() == 3


def test_a_number_is_never_written_over(store) -> None:
    append(store, "foxes", 1)
    with pytest.raises(IntegrityError):
        append(store, "foxes", 1)


def test_what_is_frozen_stays_while_pages_are_written_on(store) -> None:
    append(store, "foxes", 1)
    with store.write() as study:
        assert study.guide.frozen() is None
        assert study.guide.frozen_pages() == {}
        study.guide.freeze("abc", study.guide.newest_versions().values())
    append(store, "foxes", 2)
    append(store, "bears", 1)
    with store.read() as study:
        frozen = study.guide.frozen()
        assert (frozen.version, dict(frozen.numbers)) == ("abc", {"foxes": 1})
        assert study.guide.frozen_pages()["foxes"].text == "foxes 1"


def test_a_draft_is_its_writers_own_until_it_is_discarded(store) -> None:
    with store.write() as study:
        study.guide.keep_draft("A", "foxes", text="one", base=None)
        study.guide.keep_draft("A", "foxes", text="two ☂", base=3)
        study.guide.keep_draft("B", "foxes", text="other", base=1)
    with store.write() as study:
        draft = study.guide.draft("A", "foxes")
        assert (draft.text, draft.base) == ("two ☂", 3)
        study.guide.discard_draft("A", "foxes")
    with store.read() as study:
        assert study.guide.drafts("A") == []
        assert [draft.text for draft in study.guide.drafts("B")] == ["other"]


def test_no_one_unknown_writes(store) -> None:
    with pytest.raises(RefusedError, match="no participant 'Z'"):
        append(store, "foxes", 1, author="Z")
