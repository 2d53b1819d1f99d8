"""Making a bundle for one person."""

import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labeler import __version__
from labeler.app.guide.study_guide import import_guide_folder
from labeler.app.sharing.lead_keys import UnlockedKeys
from labeler.app.study.setting_definitions import SETTING_BY_NAME
from labeler.core.errors import RefusedError
from labeler.core.sharing.opening_code import new_opening_code, normalized_code
from labeler.core.study.entities import Role
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.sharing.bundle_contents import fill_bundle, new_bundle_id
from labeler.store.sharing.bundle_file import BUNDLE_SUFFIX, write_bundle
from labeler.store.sharing.bundle_plan import BundlePlan
from labeler.store.sharing.bundle_store import watch_changes
from labeler.store.sharing.packs import CompletePack
from labeler.store.sharing.sealing import (
    LeadPublicKeys,
    lock_with_secret,
    new_content_key,
    seal_key,
)
from labeler.store.study_store import StudyStore, Transaction, create_database

BUNDLE = "bundle"
_ROLES = (Role.LABELER, Role.REVIEWER, Role.ANNOTATOR)


@dataclass(frozen=True, slots=True)
class BundleMade:
    """A bundle and the code that opens it once, to give to the person by another way."""

    file: Path
    role: Role
    opening_code: str = field(repr=False)


def make_bundle(
    store: StudyStore,
    file: Path,
    *,
    code: str,
    keys: UnlockedKeys,
    role: Role | None = None,
    with_pack: bool = False,
    tasks: int = 0,
) -> BundleMade:
    """Write a bundle for the person; an annotator is given `tasks` more tasks of each kind."""
    if file.suffix != BUNDLE_SUFFIX:
        raise RefusedError(f"'{file}' doesn't end with {BUNDLE_SUFFIX}. Give a name that does.")
    if file.exists():
        raise RefusedError(f"'{file}' exists. Give another name, or delete it first.")
    import_guide_folder(store)
    with store.read() as study:
        pack = study.packs.newest()
        chosen = _role(study, code, role)
    packed = _pack_file(pack) if with_pack else None
    opening_code, key = new_opening_code(), new_content_key()
    sealed_key = seal_key(key, keys.leads)
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".labeler-bundle-") as folder:
        database = Path(folder, "study.db")
        plan = _build(
            store,
            database,
            key,
            sealed_key=sealed_key,
            code=code,
            role=chosen,
            pack=pack,
            tasks=tasks,
        )
        header = {
            **_facts(store, plan, keys.leads, keys.private.public.fingerprint),
            "kind": BUNDLE,
            "sequence": 0,
            "locked_key": lock_with_secret(normalized_code(opening_code), key),
            "sealed_key": plan.sealed_key,
        }
        write_bundle(file, header, database, private_key=keys.private.signing, pack=packed)
    with store.write() as study:
        study.audit.record("bundle made", code=code, role=chosen.value, bundle=plan.bundle_id)
    return BundleMade(file, chosen, opening_code)


def _facts(
    store: StudyStore, plan: BundlePlan, leads: tuple[LeadPublicKeys, ...], signer: str
) -> dict[str, Any]:
    return {
        "bundle_id": plan.bundle_id,
        "study_id": store.identity.study_id,
        "study_name": store.identity.name,
        "code": plan.code,
        "role": plan.role.value,
        "pack_id": plan.pack_id,
        "leads": [{"sealing": one.sealing.hex(), "signing": one.signing.hex()} for one in leads],
        "signer": signer,
    }


def _role(study: Transaction, code: str, role: Role | None) -> Role:
    """Return the role of the bundle; a person with several has to be given one."""
    participant = study.participants.find(code)
    if participant is None:
        raise RefusedError(f"The study has no participant '{code}'.")
    held = [one for one in _ROLES if one in participant.roles]
    if role is not None and role in held:
        return role
    if role is not None or not held:
        wanted = "labeler, reviewer or annotator" if role is None else role.value
        raise RefusedError(f"'{code}' isn't a {wanted} of this study.")
    if len(held) > 1:
        names = " or ".join(one.value for one in held)
        raise RefusedError(
            f"'{code}' is {names}: choose for which role the bundle is.",
            by_command=f"Add `--role {held[0].value}`.",
        )
    return held[0]


def _pack_file(pack: CompletePack) -> Path:
    file = Path(pack.file)
    if not file.is_file():
        raise RefusedError(
            f"The pack isn't at '{file}' any more. Put it back, or make the bundle without it."
        )
    return file


def _build(
    store: StudyStore,
    database: Path,
    key: bytes,
    *,
    sealed_key: Mapping[str, str],
    code: str,
    role: Role,
    pack: CompletePack,
    tasks: int,
) -> BundlePlan:
    """Fill the bundle's database in one transaction of the study: both or none."""
    create_database(
        sqlite_url(database),
        name=store.identity.name,
        seed=0,
        taxonomy=store.taxonomy,
        program_version=__version__,
        clock=store.clock,
        key=key,
    )
    with (
        closing(Database(sqlite_url(database), key=key)) as made,
        store.write() as study,
        made.write() as bundle,
    ):
        if role is Role.ANNOTATOR:
            _hand_out(study, code, tasks)
        plan = BundlePlan(
            bundle_id=new_bundle_id(),
            code=code,
            role=role,
            pack_id=pack.pack_id,
            settings=bundle_settings(study),
            tokens=study.packs.tokens(pack.pack_id),
            reference_tokens=study.packs.tokens(pack.pack_id, references=True),
            sealed_key=sealed_key,
        )
        fill_bundle(study.session, bundle, plan, clock=store.clock)
        watch_changes(bundle, role)
    return plan


def bundle_settings(study: Transaction) -> Mapping[str, Any]:
    """Return the settings that people need: no passphrase, no folder, no name of a dataset."""
    return {name: value for name, value in study.settings.all().items() if name in SETTING_BY_NAME}


def _hand_out(study: Transaction, code: str, tasks: int) -> None:
    tests = study.crowd_qualifications
    if tests.required_percent() > 0 and not tests.has_passed(code):
        raise RefusedError(
            f"'{code}' hasn't passed the short test yet, which has right answers in it and so "
            "can't be in a bundle. Have it taken on this computer or in a browser first."
        )
    study.crowd_assignments.hand_out(code, tasks)
