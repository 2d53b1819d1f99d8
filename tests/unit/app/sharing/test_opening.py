"""Opening bundles: codes, passphrases, packs, and what helps when a passphrase is forgotten."""

from pathlib import Path

import pytest

from labeler.app.sharing.forgotten_passphrase import (
    answer_key_request,
    save_key_request,
    set_new_passphrase,
)
from labeler.app.sharing.opening import (
    NO_PACK,
    WRONG_CODE,
    WRONG_PASSPHRASE,
    look_at_bundle,
    open_again,
    open_first_time,
)
from labeler.app.sharing.updates import apply_updates, make_update
from labeler.core.clock import Clock
from labeler.core.errors import InputError, RefusedError
from labeler.core.sharing.opening_code import new_opening_code, normalized_code
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.schema import PhaseRow
from labeler.store.sharing.bundle_file import read_header
from labeler.store.sharing.bundle_folder import bundle_folder
from tests.shared_packed_demo import PASSPHRASE, Lead
from tests.unit.app.sharing.conftest import Opener

NEW = "quite another one"


def test_a_forgotten_passphrase_loses_no_work(
    lead: Lead, opened: Opener, clock: Clock, tmp_path: Path
) -> None:
    person = opened("A")
    person.answer(3)
    person.store.close()
    request, reply = tmp_path / "A.labelerkey", tmp_path / "reply.labelerkey"
    save_key_request(person.file, request)
    code = answer_key_request(lead.store, request, reply, keys=lead.keys)
    set_new_passphrase(person.file, reply, opening_code=code, passphrase=NEW)
    with pytest.raises(RefusedError, match=WRONG_PASSPHRASE[:20]):
        open_again(person.file, passphrase=PASSPHRASE, clock=clock)
    person.store = open_again(person.file, passphrase=NEW, clock=clock)
    with person.store.read() as study:
        assert study.labeling.progress("A").answered == 3


def test_what_does_not_open_a_bundle_leaves_nothing_behind(
    lead: Lead, clock: Clock, tmp_path: Path
) -> None:
    file, code = lead.bundle("A")
    with pytest.raises(RefusedError, match=WRONG_CODE[:20]):
        open_first_time(file, opening_code=new_opening_code(), passphrase=PASSPHRASE, clock=clock)
    with pytest.raises(RefusedError, match=NO_PACK[:20]):
        open_first_time(file, opening_code=code, passphrase=PASSPHRASE, clock=clock)
    assert not bundle_folder(read_header(file).bundle_id).path.exists()
    assert look_at_bundle(file).is_new


def test_a_changed_bundle_is_refused(lead: Lead) -> None:
    file, _code = lead.bundle("A")
    data = file.read_bytes()
    file.write_bytes(data.replace(b'"code":"A"', b'"code":"B"'))
    with pytest.raises(InputError, match="changed"):
        look_at_bundle(file)


def test_a_code_can_be_typed_in_lower_case_and_without_hyphens() -> None:
    code = new_opening_code()
    assert normalized_code(code.lower().replace("-", " ")) == normalized_code(code)


def test_an_update_brings_phases_and_the_guide(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    with lead.store.write() as study:
        row = study.session.get_one(PhaseRow, Phase.TRAIN)
        row.state = PhaseState.LOCKED
        page = next(iter(study.guide.newest_versions().values()))
        study.guide.append(
            page.slug,
            number=page.number + 1,
            text=page.text + "\n\nOne more line.\n",
            author="L",
            origin=page.origin,
            base=page.number,
            comment="who and why",
        )
    make_update(lead.store, person.file.with_suffix(".labelerupdate"), keys=lead.keys)
    person.reopen()
    with person.store.read() as study:
        assert study.phases.states()[Phase.TRAIN] is PhaseState.LOCKED
        newest = study.guide.newest_versions()[page.slug]
        assert (newest.number, newest.author, newest.comment) == (page.number + 1, None, "")


def test_an_update_that_no_lead_signed_is_ignored(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    update = person.file.with_suffix(".labelerupdate")
    make_update(lead.store, update, keys=lead.keys)
    update.write_text(update.read_text(encoding="utf-8").replace("open", "shut"), encoding="utf-8")
    assert apply_updates(person.store, update.parent) == 0
