"""A bundle as it is opened on a person's computer: an encrypted database and its locked key."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import select, update

from labeler.core.clock import Clock
from labeler.core.errors import EnvironmentFault, RefusedError, os_error_reason
from labeler.images.pack_file import PACK_SUFFIX
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.engine.migrations import needs_upgrade, upgrade
from labeler.store.schema import ChainWriterRow, DatasetRow, ImageRow
from labeler.store.sharing.bundle_plan import DATASET_IDS, IMAGES
from labeler.store.sharing.bundle_store import BundleStore
from labeler.store.sharing.sealing import LeadPublicKeys
from labeler.store.study.folder import StudyFolder

_KEYS = "bundle.json"


@dataclass(frozen=True, slots=True)
class BundleFolder:
    """Where this computer has an opened bundle; nothing readable is in it."""

    path: Path

    @property
    def study(self) -> StudyFolder:
        return StudyFolder(self.path)

    @property
    def facts_file(self) -> Path:
        return self.path / _KEYS

    def added_pack(self, pack_id: str) -> Path:
        """The pack of images that came with an update."""
        return self.path / f"added-{pack_id}{PACK_SUFFIX}"

    @property
    def own_pack(self) -> Path:
        """The pack that came with the bundle."""
        return self.path / "images.labelerpack"

    def exists(self) -> bool:
        return self.facts_file.is_file() and self.study.database.is_file()

    def facts(self) -> dict[str, Any]:
        """Return the header of the bundle, with the key locked by the person's passphrase."""
        try:
            found: dict[str, Any] = json.loads(self.facts_file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise EnvironmentFault(
                f"The opened bundle at '{self.path}' is damaged. Ask the lead for help: what was "
                "saved as results isn't lost."
            ) from error
        return found

    def leads(self) -> tuple[LeadPublicKeys, ...]:
        """Return the leads to whom results are sealed."""
        return tuple(
            LeadPublicKeys(bytes.fromhex(one["sealing"]), bytes.fromhex(one["signing"]))
            for one in self.facts()["leads"]
        )

    def write_facts(self, facts: Mapping[str, Any]) -> None:
        """Replace the facts; a crash leaves the old ones or the new."""
        aside = self.facts_file.with_suffix(".tmp")
        try:
            with aside.open("w", encoding="utf-8") as out:
                json.dump(dict(facts), out)
                out.flush()
                os.fsync(out.fileno())
            aside.replace(self.facts_file)
        except OSError as error:
            reason = os_error_reason(error)
            raise EnvironmentFault(f"'{self.path}' can't be written: {reason}") from error


def bundle_folder(bundle_id: str) -> BundleFolder:
    """Return the folder of an opened bundle, in the user's data folder."""
    data = Path(platformdirs.user_data_dir("labeler", appauthor=False))
    return BundleFolder(data / "bundles" / bundle_id)


def open_bundle_store(
    folder: BundleFolder, key: bytes, leads: tuple[LeadPublicKeys, ...], *, clock: Clock
) -> BundleStore:
    """Open the bundle's database; one of an older program is upgraded."""
    database = Database(sqlite_url(folder.study.database), key=key)
    try:
        if needs_upgrade(database):
            upgrade(database)
    except BaseException:
        database.close()
        raise
    return BundleStore(folder.study, database, clock, key=key, leads=leads)


def use_pack(store: BundleStore, pack: Path, reference_hashes: Mapping[str, bytes]) -> None:
    """Have the bundle's images read from the pack, and know its reference images."""
    with store.database.write() as session:
        packed = DatasetRow.id.in_(DATASET_IDS.values())
        session.execute(update(DatasetRow).where(packed).values(root=str(pack)))
        known = session.execute(select(ImageRow.name, ImageRow.id)).all()
        rows = [
            {"id": number, "content_hash": reference_hashes[token]}
            for token, number in known
            if token in reference_hashes
        ]
        if rows:
            session.execute(update(ImageRow), rows)


def current_pack(store: BundleStore) -> Path | None:
    """Return the pack that the bundle's images are read from, or None."""
    with store.database.read() as session:
        root = session.scalar(select(DatasetRow.root).where(DatasetRow.id == DATASET_IDS[IMAGES]))
    return Path(root) if root else None


def own_writer(store: BundleStore) -> ChainWriterRow:
    """Return this installation's writer; refused before the first opening is complete."""
    with store.database.read() as session:
        writer = session.scalars(select(ChainWriterRow)).one_or_none()
        if writer is None:
            raise RefusedError("This bundle wasn't opened completely. Open its file again.")
        session.expunge(writer)
        return writer
