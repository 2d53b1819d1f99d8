"""New work for people who have a bundle: trials, visits, labels and images that came after it.

What an update brings to a bundle is complete: a person who misses one update needs only the next.
"""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, Role, SessionTask
from labeler.store.labeling.trial_tasks import EVALUATION
from labeler.store.schema import (
    Base,
    BundleRow,
    DatasetRow,
    FlagCheckRow,
    ImageRow,
    ParticipantRow,
    ReviewItemRow,
    ReviewPlanRow,
    ReviewRepeatRow,
    ReviewVisitRow,
    SampleRow,
    TrainingPoolRow,
    TrialRow,
    table_of,
)
from labeler.store.sharing.bundle_plan import DATASET_IDS, IMAGES
from labeler.store.sharing.labeler_contents import (
    add_sample,
    add_sampled_images,
    copy_trials,
    prepared_images,
)
from labeler.store.sharing.packs import Packs, new_pack_token
from labeler.store.sharing.results_file import MAX_OPENED_BYTES
from labeler.store.sharing.reviewer_contents import copy_visits, visited_images
from labeler.store.sharing.row_copier import RowCollector
from labeler.store.sharing.row_values import canonical
from labeler.store.sharing.sealing import (
    LeadPrivateKeys,
    WrongSecret,
    decrypt,
    encrypt,
    open_sealed_key,
)
from labeler.store.sharing.shared_tables import Link

_CONTEXT = b"labeler new work 1"
# In the order in which rows refer to each other.
_TABLES: tuple[type[Base], ...] = (
    TrialRow,
    ReviewPlanRow,
    ReviewItemRow,
    ReviewVisitRow,
    ReviewRepeatRow,
    FlagCheckRow,
)
KNOWN_AS_TRAINING = (
    "{count} images of the sample are training images in the bundle of {code}, who could look up "
    "what they show. Draw a sample without the training pool."
)


class BadWork(Exception):
    """The work isn't for this bundle, or it is damaged."""


@dataclass(frozen=True, slots=True)
class AddedImages:
    """Images that come with an update, because someone's pack doesn't have them."""

    tokens: dict[int, str] = field(default_factory=dict)

    def token(self, image_id: int) -> str:
        return self.tokens.setdefault(image_id, new_pack_token())


def sealed_new_work(
    study: Session, packs: Packs, private: LeadPrivateKeys, added: AddedImages
) -> dict[str, str]:
    """Return the work of each bundle, encrypted with the bundle's key, by the bundle's id.

    A bundle of an earlier version of the program, whose key isn't known, gets none.
    """
    query = select(BundleRow, ParticipantRow.code).join(
        ParticipantRow, ParticipantRow.id == BundleRow.participant_id
    )
    sealed = {}
    for bundle, code in study.execute(query.where(BundleRow.sealed_key.is_not(None))).all():
        work = _work_of(study, packs, bundle, code, added)
        if work is not None:
            data = zlib.compress(canonical(work).encode())
            sealed[bundle.id] = encrypt(_key(bundle, code, private), data, context=_CONTEXT).hex()
    return sealed


def _key(bundle: BundleRow, code: str, private: LeadPrivateKeys) -> bytes:
    try:
        return open_sealed_key(json.loads(bundle.sealed_key or "{}"), private)
    except WrongSecret as error:
        raise RefusedError(
            f"The bundle of {code} was made before these keys. Use the passphrase of the lead who "
            "had keys then."
        ) from error


def _work_of(
    study: Session, packs: Packs, bundle: BundleRow, code: str, added: AddedImages
) -> dict[str, object] | None:
    person = bundle.participant_id
    rows = RowCollector(study, bundle_id=bundle.id, person=person)
    if bundle.role is Role.LABELER:
        images = _labeler_images(study, rows, person, code)
        rows.give_tokens(Link.IMAGE, images)
        copy_trials(rows, EVALUATION.is_trial_of(person))
    elif bundle.role is Role.REVIEWER:
        images = visited_images(study, person)
        rows.give_tokens(Link.IMAGE, images)
        copy_visits(rows, person)
    else:
        return None
    if not images:
        return None
    packed = packs.tokens(bundle.pack_id)
    return {
        "images": _image_rows(rows, images, packed, added),
        "sampled": [rows.tokens[Link.IMAGE][image] for image in dict.fromkeys(images)]
        if bundle.role is Role.LABELER
        else [],
        "drawn_at": study.scalar(select(SampleRow.drawn_at).where(SampleRow.retired_at.is_(None))),
        "tables": rows.rows,
    }


def _labeler_images(study: Session, rows: RowCollector, person: int, code: str) -> list[int]:
    """Return the images to ask about; none once the answers are locked."""
    locked = select(TrialRow.id).where(
        EVALUATION.is_trial_of(person), TrialRow.locked_at.is_not(None)
    )
    if study.scalar(locked.limit(1)) is not None:
        return []
    images = prepared_images(study, person, code)
    trained = set(study.scalars(select(TrainingPoolRow.image_id)))
    trained |= set(
        study.scalars(
            select(TrialRow.image_id).where(
                TrialRow.participant_id == person, TrialRow.task == SessionTask.TRAIN
            )
        )
    )
    known = trained & set(images) & rows.tokens[Link.IMAGE].keys()
    if known:
        raise RefusedError(KNOWN_AS_TRAINING.format(count=len(known), code=code))
    return images


def _image_rows(
    rows: RowCollector, images: Iterable[int], packed: Mapping[int, str], added: AddedImages
) -> list[tuple[int, str, bool]]:
    """Return id, name, and whether the image comes with the update, in the order of the names."""
    found = [
        (rows.tokens[Link.IMAGE][image], packed.get(image) or added.token(image), image in packed)
        for image in dict.fromkeys(images)
    ]
    return sorted(((number, name, not there) for number, name, there in found), key=_by_name)


def _by_name(image: tuple[int, str, bool]) -> str:
    return image[1]


def open_new_work(key: bytes, sealed: str) -> dict[str, Any]:
    """Return the work for the bundle with this key, or raise BadWork."""
    try:
        packed = decrypt(key, bytes.fromhex(sealed), context=_CONTEXT)
        unpacker = zlib.decompressobj()
        opened = unpacker.decompress(packed, MAX_OPENED_BYTES)
        work: dict[str, Any] = json.loads(opened)
    except (WrongSecret, ValueError, zlib.error) as error:
        raise BadWork from error
    return work


def add_new_work(bundle: Session, work: Mapping[str, Any], *, pack: Path | None) -> None:
    """Add what the bundle doesn't have; `pack` are the images that came with the update."""
    _add_images(bundle, work["images"], pack)
    if work["sampled"] and bundle.scalar(select(SampleRow.id).limit(1)) is None:
        add_sample(bundle, str(work["drawn_at"]))
    if work["sampled"]:
        add_sampled_images(bundle, work["sampled"])
    for row in _TABLES:
        rows = work["tables"].get(row.__tablename__, [])
        if rows:
            bundle.execute(insert(table_of(row)).prefix_with("OR IGNORE"), rows)


def _add_images(
    bundle: Session, images: Sequence[tuple[int, str, bool]], pack: Path | None
) -> None:
    known = set(bundle.scalars(select(ImageRow.id)))
    new = [image for image in images if image[0] not in known]
    for is_added in (False, True):
        wanted = [(number, name) for number, name, added in new if added is is_added]
        if not wanted:
            continue
        dataset = _added_dataset(bundle, pack) if is_added else DATASET_IDS[IMAGES]
        query = select(func.count()).where(ImageRow.dataset_id == dataset)
        start = bundle.scalar(query) or 0
        rows = [
            {"id": number, "dataset_id": dataset, "ordinal": start + place, "name": name}
            for place, (number, name) in enumerate(wanted)
        ]
        bundle.execute(insert(table_of(ImageRow)), rows)


def _added_dataset(bundle: Session, pack: Path | None) -> int:
    """Return the dataset of the images that came with an update, which is read from its pack."""
    if pack is None:
        raise BadWork
    existing = bundle.scalar(select(DatasetRow.id).where(DatasetRow.root == str(pack)))
    if existing is not None:
        return existing
    number = (bundle.scalar(select(func.max(DatasetRow.id))) or 0) + 1
    first = bundle.get_one(DatasetRow, DATASET_IDS[IMAGES])
    bundle.add(
        DatasetRow(
            id=number,
            name=f"{IMAGES} {number}",
            role=DatasetRole.EVALUATION,
            root=str(pack),
            apply_exif=True,
            complete=True,
            added_at=first.added_at,
        )
    )
    bundle.flush()
    return number
