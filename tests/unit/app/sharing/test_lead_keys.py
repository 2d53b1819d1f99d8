"""The lead's keys, and what helps when a passphrase is lost."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from labeler.app.sharing.lead_keys import (
    SHORT_PASSPHRASE,
    change_passphrase,
    create_keys,
    list_keys,
    restore_keys,
    unlock_keys,
)
from labeler.app.sharing.merge import merge_results
from labeler.core.errors import InputError, RefusedError
from labeler.store.sharing.bundle_file import read_header
from tests.shared_packed_demo import LEAD_PASSPHRASE, RECOVERY, Lead, shared_packed_demo

NEW = "another passphrase"


def recovery() -> Path:
    return shared_packed_demo() / RECOVERY


def test_a_lost_passphrase_is_replaced_with_the_recovery_file(lead: Lead) -> None:
    before = unlock_keys(lead.store, LEAD_PASSPHRASE).private
    restore_keys(lead.store, recovery=recovery(), passphrase=NEW)
    assert unlock_keys(lead.store, NEW).private == before
    with pytest.raises(RefusedError):
        unlock_keys(lead.store, LEAD_PASSPHRASE)


def test_a_passphrase_is_changed_with_the_old_one(lead: Lead) -> None:
    change_passphrase(lead.store, old=LEAD_PASSPHRASE, new=NEW)
    assert unlock_keys(lead.store, NEW).name == "L"


def test_a_second_lead_has_keys_of_their_own(lead: Lead, tmp_path: Path) -> None:
    create_keys(lead.store, name="M", passphrase=NEW, recovery=tmp_path / "m.json")
    assert {one.name for one in list_keys(lead.store)} == {"L", "M"}
    assert unlock_keys(lead.store, NEW).private != unlock_keys(lead.store, LEAD_PASSPHRASE).private
    assert len(unlock_keys(lead.store, NEW).leads) == 2


def test_keys_without_a_recovery_file_are_not_made(lead: Lead, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("something else", encoding="utf-8")
    with pytest.raises(RefusedError, match="taken"):
        create_keys(lead.store, name="M", passphrase=NEW, recovery=taken)
    assert [one.name for one in list_keys(lead.store)] == ["L"]
    assert taken.read_text(encoding="utf-8") == "something else"


def test_a_short_passphrase_is_refused(lead: Lead, tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=SHORT_PASSPHRASE[:20]):
        create_keys(lead.store, name="M", passphrase="short", recovery=tmp_path / "m.json")
    assert not (tmp_path / "m.json").exists()


def test_a_changed_recovery_file_is_refused(lead: Lead, tmp_path: Path) -> None:
    document = json.loads(recovery().read_text(encoding="utf-8"))
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps({**document, "sealing": "00" * 32}), encoding="utf-8")
    with pytest.raises(InputError, match=r"changed\.json"):
        restore_keys(lead.store, recovery=changed, passphrase=NEW)


def test_the_recovery_file_is_private() -> None:
    assert recovery().stat().st_mode & 0o077 == 0


def test_no_one_waits_for_a_file_that_is_a_pipe(lead: Lead, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    readers: list[Callable[[], object]] = [
        lambda: restore_keys(lead.store, recovery=pipe, passphrase=NEW),
        lambda: read_header(pipe),
        lambda: merge_results(lead.store, [pipe], keys=unlock_keys(lead.store, LEAD_PASSPHRASE)),
    ]
    for read in readers:
        with pytest.raises(RefusedError, match="pipe or a device"):
            read()
