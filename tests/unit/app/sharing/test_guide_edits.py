"""Edits of the guide in bundles arrive at the lead, and nothing of anyone's text is lost."""

from io import BytesIO
from itertools import permutations
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import update

from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.publish import PageChange, PageSaved
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.sharing.merge import merge_results, outcome_lines
from labeler.app.sharing.updates import make_update
from labeler.core.guide.page_versions import PageVersion
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.guide.page_text import equal_except_version
from labeler.store.schema import GuideVersionRow, PhaseRow
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.shared_packed_demo import Lead, Person
from tests.unit.app.sharing.conftest import Opener
from tests.unit.app.sharing.test_merge import merge


@pytest.fixture
def training(lead: Lead) -> Lead:
    """A lead whose study is in training, when labelers write the guide."""
    with lead.store.write() as study:
        closed = update(PhaseRow).where(PhaseRow.phase == Phase.EVALUATE)
        study.session.execute(closed.values(state=PhaseState.CLOSED))
    return lead


def edit(store: StudyStore, code: str, slug: str, text: str, comment: str = "") -> PageSaved:
    """Save a page as the window does."""
    writer = GuideWriter(store, StudyGuide(store), code=code, role=Role.LABELER)
    base = writer.open_page(slug).base
    saved = writer.save(PageChange(slug=slug, text=text, base=base, comment=comment))
    assert isinstance(saved, PageSaved)
    return saved


def head(store: StudyStore, slug: str) -> PageVersion:
    with store.read() as study:
        found = study.guide.head(slug)
    assert found is not None
    return found


def a_page(store: StudyStore) -> PageVersion:
    with store.read() as study:
        return next(iter(study.guide.newest_versions().values()))


def test_an_edit_in_a_bundle_becomes_a_version_at_the_lead(training: Lead, opened: Opener) -> None:
    page = a_page(training.store)
    person = opened("A")
    edit(person.store, "A", page.slug, page.text + "\nOne more line.\n", "Seen in training")
    edit(person.store, "A", page.slug, page.text + "\nA better line.\n")
    file = person.save("week 1")
    (merged,) = merge(training, file)
    assert merged.outcome.guide_edits == 2
    now = head(training.store, page.slug)
    assert (now.author, now.text.endswith("A better line.\n")) == ("A", True)
    with training.store.read() as study:
        assert "Seen in training" in {one.comment for one in study.guide.history(page.slug)}
    (again,) = merge(training, file)
    assert (again.outcome.guide_edits, head(training.store, page.slug)) == (0, now)
    with training.store.read() as study:
        assert study.merges.chain_faults() == []


def test_edits_of_different_lines_are_combined(training: Lead, opened: Opener) -> None:
    page = a_page(training.store)
    first, second = opened("A"), opened("B")
    edit(first.store, "A", page.slug, page.text + "\nAt the end.\n")
    lines = page.text.split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("## "))
    changed = "\n".join((*lines[: start + 1], "", "At the start.", *lines[start + 1 :]))
    edit(second.store, "B", page.slug, changed)
    merge(training, first.save("a"), second.save("b"))
    text = head(training.store, page.slug).text
    assert "At the start." in text
    assert "At the end." in text


def test_of_two_edits_of_a_line_the_later_one_is_shown_in_every_order(
    training: Lead, opened: Opener, tmp_path: Path
) -> None:
    page = a_page(training.store)
    first, second = opened("A"), opened("B")
    texts = [page.text + f"\nThe line of {code}.\n" for code in "AB"]
    edit(first.store, "A", page.slug, texts[0])
    edit(second.store, "B", page.slug, texts[1])
    files = [first.save("a"), second.save("b")]
    for number, order in enumerate(permutations(files)):
        copied = copied_study(training, tmp_path / str(number))
        with open_study(copied, clock=training.store.clock) as store:
            lead = Lead(store, copied, training.pack)
            outcomes = [merge(lead, file)[0].outcome for file in order]
            assert [one.guide_conflicts for one in outcomes] == [(), (page.slug,)]
            assert equal_except_version(head(store, page.slug).text, texts[1])
            with store.read() as study:
                kept = [one.text for one in study.guide.history(page.slug)]
        assert all(any(equal_except_version(text, one) for one in kept) for text in texts)


def copied_study(lead: Lead, folder: Path) -> Path:
    folder.mkdir()
    lead.store.database.engine.dispose()  # writes the log into the file that is copied
    (folder / "study.db").write_bytes(lead.store.folder.database.read_bytes())
    return folder


def test_a_picture_comes_with_the_page(training: Lead, opened: Opener, tmp_path: Path) -> None:
    page = a_page(training.store)
    person = opened("A")
    data = BytesIO()
    Image.new("RGB", (8, 8), "red").save(data, format="PNG")
    (tmp_path / "Red.png").write_bytes(data.getvalue())
    writer = GuideWriter(person.store, StudyGuide(person.store), code="A", role=Role.LABELER)
    path = writer.add_picture(tmp_path / "Red.png")
    edit(person.store, "A", page.slug, page.text + f"\n![Red]({path})\n")
    merge(training, person.save("week 1"))
    assert StudyGuide(training.store).picture(path) == data.getvalue()


def saved_by_hand(person: Person, **values: object) -> Path:
    """Save results with a version of a page that no editor would save."""
    row = {"number": 77, "origin": "edit", "base": None, "comment": "", "at": "2030-03-02"}
    with person.store.write() as study:
        study.session.add(GuideVersionRow(**{**row, "participant_id": 1, **values}))
    return person.save("by hand")


@pytest.mark.parametrize("slug", ["../../outside", "A page", "", "n/n"])
def test_a_page_with_a_path_as_its_name_is_refused(
    training: Lead, opened: Opener, slug: str
) -> None:
    page = a_page(training.store)
    file = saved_by_hand(opened("A"), page=slug, text=page.text)
    (merged,) = merge(training, file)
    assert merged.outcome.guide_refusals == (slug,)
    assert any("Not added" in line for line in outcome_lines(merged))
    with training.store.read() as study:
        assert slug not in study.guide.newest_versions()


def test_a_page_that_covers_a_class_of_another_page_is_refused(
    training: Lead, opened: Opener
) -> None:
    page = a_page(training.store)
    file = saved_by_hand(opened("A"), page="my-own", text=page.text)
    (merged,) = merge_results(training.store, [file], keys=training.keys, preview=True)
    assert merged.outcome.guide_refusals == ("my-own",)


def test_pages_that_an_update_brings_are_not_the_persons_edits(
    training: Lead, opened: Opener
) -> None:
    page = a_page(training.store)
    person = opened("A")
    with training.store.write() as study:
        study.guide.append(
            page.slug,
            number=page.number + 1,
            text=page.text + "\nOf the lead.\n",
            author="L",
            origin=page.origin,
            base=page.number,
            comment="",
        )
    make_update(training.store, person.file.with_suffix(".labelerupdate"), keys=training.keys)
    person.reopen()
    StudyGuide(person.store).current()
    assert head(person.store, page.slug).text.endswith("Of the lead.\n")
    (merged,) = merge(training, person.save("week 1"))
    assert merged.outcome.guide_edits == 0


def test_a_new_bundle_shows_newer_pages_than_the_pack(training: Lead, opened: Opener) -> None:
    page = a_page(training.store)
    newer = page.text + "\nWritten after the pack.\n"
    with training.store.write() as study:
        study.guide.append(
            page.slug,
            number=page.number + 1,
            text=newer,
            author="L",
            origin=page.origin,
            base=page.number,
            comment="",
        )
    person = opened("A")
    StudyGuide(person.store).current()
    assert equal_except_version(head(person.store, page.slug).text, newer)
