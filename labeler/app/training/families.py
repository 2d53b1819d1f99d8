"""Families of classes that the lead shares with every labeler."""

from collections.abc import Sequence

from labeler.app.classes.node_search import NodeNames
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role
from labeler.core.training.request import SavedFamily
from labeler.store.study_store import StudyStore, Transaction


def shared_families(store: StudyStore) -> list[SavedFamily]:
    """The families that are everyone's."""
    with store.read() as study:
        leads = study.participants.with_role(Role.LEAD)
        saved = [family for lead in leads[:1] for family in study.families.of(lead.code)]
    return [family for family in saved if family.shared]


def share_family(store: StudyStore, name: str, classes: Sequence[str]) -> SavedFamily:
    """Save a family for everyone; `classes` are names or wnids of classes or branches."""
    taxonomy = store.taxonomy
    names = NodeNames(taxonomy, taxonomy.class_wnids)
    wnids: set[str] = set()
    for each in classes:
        found = each if each in taxonomy else names.exactly(each)
        if found is None:
            raise RefusedError(f"'{each}' is neither a class nor a branch of the taxonomy.")
        wnids.update(taxonomy.classes_under(found))
    family = SavedFamily(name, tuple(sorted(wnids, key=taxonomy.index_of)), shared=True)
    with store.write() as study:
        study.families.save(_lead(study), family)
        study.audit.record("family saved", family=name, classes=len(wnids))
    return family


def unshare_family(store: StudyStore, name: str) -> None:
    """Take a shared family back."""
    with store.write() as study:
        study.families.remove(_lead(study), name)
        study.audit.record("family forgotten", family=name)


def _lead(study: Transaction) -> str:
    leads = study.participants.with_role(Role.LEAD)
    if not leads:
        raise RefusedError(
            "A family that is everybody's belongs to a lead, and the study has none: add one.",
            by_command="`labeler participants STUDY add CODE --role lead` does.",
        )
    return leads[0].code


def save_own_family(store: StudyStore, code: str, family: SavedFamily) -> None:
    """Save a family that only this person sees."""
    with store.write() as study:
        study.families.save(code, family)


def remove_own_family(store: StudyStore, code: str, name: str) -> None:
    with store.write() as study:
        study.families.remove(code, name)
