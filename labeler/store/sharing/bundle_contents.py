"""What a bundle contains: one person's work in one role, and nothing that tells what is asked.

Images of the evaluation and of reviews have no target, no hash, and no name but their token in
the pack. Ids, orders of rows and seeds are random: none follows from those of the study.
"""

import json
import secrets
import uuid

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ParticipantKind, Role
from labeler.store.schema import (
    BundleRow,
    ConfusionRow,
    DatasetRow,
    FrozenPageRow,
    GuideFreezeRow,
    GuidePictureRow,
    GuideVersionRow,
    ParticipantRoleRow,
    ParticipantRow,
    PhaseRow,
    ReferenceRow,
    StudyRow,
    VersionPictureRow,
    table_of,
)
from labeler.store.sharing.annotator_contents import copy_annotator_work
from labeler.store.sharing.bundle_plan import (
    DATASET_IDS,
    DATASET_ROLES,
    BundlePlan,
    ImageAdder,
)
from labeler.store.sharing.labeler_contents import copy_labeler_work
from labeler.store.sharing.reviewer_contents import copy_reviewer_work
from labeler.store.sharing.row_copier import PERSON_ID, RowCopier

_COPY_WORK = {
    Role.LABELER: copy_labeler_work,
    Role.REVIEWER: copy_reviewer_work,
    Role.ANNOTATOR: copy_annotator_work,
}


def fill_bundle(study: Session, bundle: Session, plan: BundlePlan, *, clock: Clock) -> None:
    """Copy the person's work into the new database of a bundle."""
    person = _person(study, plan)
    now = stamp(clock.utc())
    study.add(
        BundleRow(
            id=plan.bundle_id,
            participant_id=person.id,
            role=plan.role,
            pack_id=plan.pack_id,
            made_at=now,
            sealed_key=json.dumps(dict(plan.sealed_key)),
        )
    )
    study.flush()
    copier = RowCopier(study, bundle, bundle_id=plan.bundle_id, person=person.id)
    _add_person(bundle, plan, now)
    _add_datasets(bundle, now)
    _copy_common(copier, plan)
    if plan.role is not Role.ANNOTATOR:
        # An annotator's controls are reference images.
        _copy_references(copier, plan)
    _COPY_WORK[plan.role](copier, person.id, ImageAdder(copier, plan), plan)


def _person(study: Session, plan: BundlePlan) -> ParticipantRow:
    query = select(ParticipantRow).where(ParticipantRow.code == plan.code)
    person = study.scalars(query).one_or_none()
    if person is None:
        raise RefusedError(f"The study has no participant '{plan.code}'.")
    held = study.get(ParticipantRoleRow, (person.id, plan.role))
    if held is None or plan.role not in _COPY_WORK:
        raise RefusedError(f"'{plan.code}' isn't a {plan.role.value} of this study.")
    return person


def _add_person(bundle: Session, plan: BundlePlan, now: str) -> None:
    bundle.add(
        ParticipantRow(
            id=PERSON_ID,
            code=plan.code,
            kind=ParticipantKind.HUMAN,
            order_seed=secrets.randbits(31),
            added_at=now,
        )
    )
    bundle.flush()
    bundle.add(ParticipantRoleRow(participant_id=PERSON_ID, role=plan.role))
    bundle.flush()


def _add_datasets(bundle: Session, now: str) -> None:
    """Add the datasets; every picture is shown with the orientation that the pack left in it."""
    bundle.execute(
        insert(table_of(DatasetRow)),
        [
            {
                "id": number,
                "name": name,
                "role": DATASET_ROLES[name],
                "apply_exif": True,
                "complete": True,
                "added_at": now,
            }
            for name, number in DATASET_IDS.items()
        ],
    )


def _copy_common(copier: RowCopier, plan: BundlePlan) -> None:
    copier.bundle.execute(
        table_of(StudyRow).update().values(settings=json.dumps(dict(plan.settings)))
    )
    copier.copy(PhaseRow, links={})
    copier.copy(ConfusionRow, links={})
    _copy_guide(copier)


def _copy_guide(copier: RowCopier) -> None:
    """Copy the pages in use, without their authors and comments."""
    versions = _used_versions(copier.study)
    pictures = [
        row
        for row in copier.study.execute(select(table_of(VersionPictureRow))).mappings()
        if (row["page"], row["number"]) in versions
    ]
    hashes = {row["hash"] for row in pictures}
    copier.copy(GuidePictureRow, GuidePictureRow.hash.in_(sorted(hashes)), links={})
    rows = [
        {**row, "participant_id": None, "comment": "", "base": None}
        for row in copier.study.execute(select(table_of(GuideVersionRow))).mappings()
        if (row["page"], row["number"]) in versions
    ]
    copier.add(GuideVersionRow, rows)
    copier.add(VersionPictureRow, [dict(row) for row in pictures])
    copier.copy(GuideFreezeRow, links={})
    copier.copy(FrozenPageRow, links={})


def _used_versions(study: Session) -> set[tuple[str, int]]:
    """Return the newest version of each page, and the frozen ones."""
    newest: dict[str, int] = {}
    for page, number in study.execute(select(GuideVersionRow.page, GuideVersionRow.number)):
        newest[page] = max(number, newest.get(page, 0))
    frozen = study.execute(select(FrozenPageRow.page, FrozenPageRow.number))
    return {*newest.items(), *((page, number) for page, number in frozen)}


def _copy_references(copier: RowCopier, plan: BundlePlan) -> None:
    rows = copier.study.execute(select(table_of(ReferenceRow))).mappings().all()
    ids = ImageAdder(copier, plan).add_references(row["image_id"] for row in rows)
    copier.add(ReferenceRow, [{**row, "image_id": ids[row["image_id"]]} for row in rows])


def new_bundle_id() -> str:
    return str(uuid.uuid4())
