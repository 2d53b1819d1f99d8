"""Adding, correcting and removing the people of a study."""

from collections.abc import Iterable

from labeler.core.errors import RefusedError
from labeler.core.hash_order import derived_seed
from labeler.core.study.entities import (
    CODE_RULE,
    Participant,
    ParticipantKind,
    Role,
    is_valid_code,
)
from labeler.core.study.exchange_rows import quoted
from labeler.store.study.participants import tables_using_participant
from labeler.store.study_store import StudyStore, Transaction

_ANSWERS = "they have images to answer, or have answered some"
_VERDICTS = "they have labels to judge, or have judged some"
_GUIDE = "they edited the guide"
_SESSIONS = "they have had a session"
# Why a person can't be removed, by the table that refers to them.
PERSON_USES = {
    "prediction": _ANSWERS,
    "repeated_prediction": _ANSWERS,
    "imported_interval": _ANSWERS,
    "trial": _ANSWERS,
    "contains_answer": _ANSWERS,
    "classify_answer": _ANSWERS,
    "crowd_assignment": _ANSWERS,
    "crowd_qualification": _ANSWERS,
    "crowd_qualification_image": _ANSWERS,
    "crowd_link": "they have a link to crowd tasks",
    "draft": _ANSWERS,
    "bundle": "they have a bundle",
    "chain_writer": _ANSWERS,
    "training": _ANSWERS,
    "family": "they saved a family of classes to train on",
    "review": _VERDICTS,
    "error_review": _VERDICTS,
    "review_item": _VERDICTS,
    "review_visit": _VERDICTS,
    "review_repeat": _VERDICTS,
    "review_flag": _VERDICTS,
    "flag_check": _VERDICTS,
    "adjudication": _VERDICTS,
    "resolution": _VERDICTS,
    "candidate_rejection": "they rejected candidates",
    "class_review": "they reviewed the classes of a dataset",
    "near_duplicate_verdict": "they judged near-duplicates",
    "near_duplicate_choice": "they judged near-duplicates",
    "problematic": _VERDICTS,
    "discussion_note": _VERDICTS,
    "guide_version": _GUIDE,
    "guide_draft": _GUIDE,
    "guide_visit": _SESSIONS,
    "session": _SESSIONS,
    "exposure": "they have seen images of the study",
    "model_predictions": "they have predictions",
}


ROLE_NEEDED = "A person needs at least one role: labeler, reviewer, annotator or lead."


def add_person(
    store: StudyStore,
    code: str,
    *,
    roles: Iterable[Role],
    description: str = "",
    name: str | None = None,
    order_seed: int | None = None,
) -> Participant:
    """Add a person under a code; the order of their trials is derived from `order_seed`."""
    if not is_valid_code(code):
        raise RefusedError(f"{quoted(code)} isn't a valid code. {CODE_RULE}")
    wanted = _required(roles)
    seed = derived_seed(store.identity.seed, "order", code) if order_seed is None else order_seed
    person = Participant(code, ParticipantKind.HUMAN, description, wanted, seed)
    with store.write() as study:
        _require_distinct(study, code)
        study.participants.add(person, name=name)
        study.audit.record("participant added", participant=code, roles=sorted(wanted))
    return person


def change_roles(store: StudyStore, code: str, roles: Iterable[Role]) -> None:
    """Replace a person's roles."""
    wanted = _required(roles)
    with store.write() as study:
        study.participants.set_roles(code, wanted)
        study.audit.record("roles changed", participant=code, roles=sorted(wanted))


def correct_person(
    store: StudyStore, code: str, *, description: str | None = None, name: str | None = None
) -> None:
    """Change a person's description or name; None leaves it unchanged."""
    with store.write() as study:
        if description is not None:
            study.participants.describe(code, description)
        if name is not None:
            study.participants.rename(code, name)
        # The name itself isn't recorded: it is stored in one place only.
        study.audit.record("participant corrected", participant=code)


def remove_person(store: StudyStore, code: str) -> None:
    """Remove a person who was added by mistake; refused once they have done anything."""
    with store.write() as study:
        _require_no_activity(study, code)
        study.participants.remove(code)
        study.audit.record("participant removed", participant=code)


def require_no_activity(store: StudyStore, code: str) -> None:
    """Refuse if the person has done anything in the study; changes nothing."""
    with store.read() as study:
        _require_no_activity(study, code)


def _require_distinct(study: Transaction, code: str) -> None:
    """Refuse a code that differs from another only in case, as it would be easy to mistype."""
    others = (one.code for one in study.participants.all() if one.code != code)
    alike = next((other for other in others if other.casefold() == code.casefold()), None)
    if alike is not None:
        raise RefusedError(
            f"'{code}' is too similar to the participant '{alike}': they differ only in case. "
            "Choose another code."
        )


def _require_no_activity(study: Transaction, code: str) -> None:
    found = tables_using_participant(study.session, code)
    reasons = dict.fromkeys(why for table, why in PERSON_USES.items() if table in found)
    if reasons:
        raise RefusedError(person_in_use_text(code, reasons))


def person_in_use_text(code: str, reasons: Iterable[str]) -> str:
    return f"{code} can't be removed: {'; '.join(reasons)}."


def _required(roles: Iterable[Role]) -> frozenset[Role]:
    wanted = frozenset(roles)
    if not wanted:
        raise RefusedError(ROLE_NEEDED)
    return wanted
