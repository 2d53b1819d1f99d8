"""The account notices what goes wrong; otherwise a kill that loses something would pass."""

from dataclasses import replace
from typing import Any

import pytest

from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.study.entities import AttentionPlace
from tests.e2e.accounting import Account
from tests.e2e.study_on_disk import StoredAnswer, StoredDraft, StudyOnDisk

CAT, DOG = "n02123045", "n02085620"
INTERVAL = AttentionInterval(AttentionPlace.IMAGE, 0, 900)
ANSWER = StoredAnswer(
    trial="first",
    answer_id="1",
    revision=1,
    label=CAT,
    alternative=None,
    note="",
    active_ms=900,
    wall_ms=950,
    escape_hatch=False,
    trial_was_shown=True,
    exposures=1,
)
SOUND = StudyOnDisk(
    sound=True,
    answers={"first": [ANSWER]},
    stretches={"first": [(INTERVAL,)]},
    drafts={},
    waiting=("second", "third"),
    journaled=(),
)
NOTHING = replace(SOUND, answers={}, stretches={}, waiting=("first", "second", "third"))


def told(event: str, trial: str = "first", **more: Any) -> dict[str, Any]:
    answer = {"label": CAT, "alternative": None, "note": ""}
    return {"event": event, "trial": trial, **answer, **more}


def shown(trial: str, *, label: str | None = None, active_ms: int = 0) -> dict[str, Any]:
    rest = {"escape_hatch": False, "shortlist": []}
    return told("shown", trial, label=label, active_ms=active_ms, **rest)


@pytest.fixture
def account() -> Account:
    """The labeler was shown the first trial and submitted an answer to it."""
    account = Account()
    account.hear(shown("first"))
    account.hear(told("submitting"))
    return account


def acknowledged(account: Account) -> Account:
    account.hear(told("acknowledged"))
    account.hear(shown("second"))
    return account


def test_an_acknowledged_answer_that_is_there_passes(account: Account) -> None:
    acknowledged(account).killed(SOUND)
    account.hear(shown("second"))
    account.ended(SOUND)
    assert (account.tally.acknowledged, account.tally.stored) == (1, 1)


def test_one_that_was_cut_off_may_be_there_or_not(account: Account) -> None:
    account.killed(NOTHING)
    account.hear(shown("first"))
    account.hear(told("submitting"))
    account.killed(SOUND)
    account.hear(shown("second"))
    assert (account.tally.cut_off_dropped, account.tally.cut_off_stored) == (1, 1)


@pytest.mark.parametrize(
    "faulty",
    [
        pytest.param(NOTHING, id="lost"),
        pytest.param(replace(SOUND, sound=False), id="damaged"),
        pytest.param(
            replace(SOUND, answers={"first": [replace(ANSWER, label=DOG)]}), id="another label"
        ),
        pytest.param(
            replace(SOUND, answers={"first": [ANSWER, replace(ANSWER, revision=2)]}), id="twice"
        ),
        pytest.param(replace(SOUND, answers={"first": [replace(ANSWER, revision=2)]}), id="gap"),
        pytest.param(
            replace(SOUND, answers={"first": [replace(ANSWER, exposures=0)]}), id="not whole"
        ),
        pytest.param(
            replace(SOUND, answers={"first": [replace(ANSWER, active_ms=901)]}), id="other time"
        ),
        pytest.param(
            replace(SOUND, answers={"first": [ANSWER], "third": [replace(ANSWER, trial="third")]}),
            id="never submitted",
        ),
    ],
)
def test_whatever_else_is_on_disk_is_noticed(account: Account, faulty: StudyOnDisk) -> None:
    with pytest.raises(AssertionError):
        acknowledged(account).killed(faulty)


def test_coming_back_elsewhere_is_noticed(account: Account) -> None:
    acknowledged(account).killed(SOUND)
    with pytest.raises(AssertionError, match="came back elsewhere"):
        account.hear(shown("third"))


def half_done() -> StudyOnDisk:
    draft = StoredDraft(
        label=DOG, alternative=None, escape_hatch=False, note="", shortlist=(), active_ms=900
    )
    return replace(SOUND, drafts={"second": draft})


def test_a_draft_is_found_again_with_its_time(account: Account) -> None:
    acknowledged(account).killed(half_done())
    account.hear(shown("second", label=DOG, active_ms=900))
    assert account.tally.drafts_found_again == 1


def test_a_draft_that_is_lost_or_without_its_time_is_noticed(account: Account) -> None:
    acknowledged(account).killed(half_done())
    with pytest.raises(AssertionError, match="isn't"):
        account.hear(shown("second"))
    account.killed(half_done())
    with pytest.raises(AssertionError, match="time was lost"):
        account.hear(shown("second", label=DOG, active_ms=899))
