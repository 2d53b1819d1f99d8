"""A study's settings have defaults and are audited; the passphrase is never stored as text."""

import unicodedata

import pytest
from sqlalchemy import select

from labeler.app.study.setting_definitions import StudySettings
from labeler.app.study.settings import (
    PASSPHRASE_EMPTY,
    change_settings,
    check_lead_passphrase,
    remove_lead_passphrase,
    set_lead_passphrase,
    study_settings,
)
from labeler.core.errors import RefusedError
from labeler.store.schema import StudyRow


def audited(store) -> list[tuple[str, dict[str, object]]]:
    with store.read() as study:
        return [(entry.action, entry.detail) for entry in study.audit.entries()][1:]


def test_a_new_study_asks_for_no_confidence_and_counts_two_minutes(store) -> None:
    assert study_settings(store) == StudySettings(
        asks_confidence=False, idle_seconds=120, has_lead_passphrase=False
    )


def test_a_change_leaves_other_settings_unchanged(store) -> None:
    assert change_settings(store, asks_confidence=True).asks_confidence
    change_settings(store, idle_seconds=45)
    change_settings(store)

    assert study_settings(store) == StudySettings(asks_confidence=True, idle_seconds=45)
    assert study_settings(store).idle_after_ms == 45_000
    assert audited(store) == [
        ("settings changed", {"asks_confidence": True}),
        ("settings changed", {"idle_seconds": 45}),
    ]


@pytest.mark.parametrize("seconds", [-1, 0, 3601])
def test_an_invalid_threshold_is_refused(store, seconds) -> None:
    with pytest.raises(RefusedError, match="between 1 and 3,600 seconds"):
        change_settings(store, asks_confidence=True, idle_seconds=seconds)
    assert study_settings(store) == StudySettings()


def test_a_passphrase_is_verified_but_never_stored(store) -> None:
    assert check_lead_passphrase(store, "anything"), "no passphrase, no obstacle"
    set_lead_passphrase(store, "Café-Schlüssel")

    assert study_settings(store).has_lead_passphrase
    assert check_lead_passphrase(store, "Café-Schlüssel")
    assert check_lead_passphrase(store, unicodedata.normalize("NFD", "Café-Schlüssel"))
    assert not check_lead_passphrase(store, "Cafe-Schlüssel")
    assert not check_lead_passphrase(store, "")
    with store.read() as study:
        kept = study.session.scalar(select(StudyRow.settings)) or ""
    assert "Schl" not in kept
    assert "Schl" not in str(audited(store))


def test_the_same_passphrase_gets_a_new_salt_each_time(store) -> None:
    kept = []
    for _ in range(2):
        set_lead_passphrase(store, "same")
        with store.read() as study:
            kept.append(study.session.scalar(select(StudyRow.settings)))

    assert kept[0] != kept[1]


def test_a_passphrase_can_be_removed(store) -> None:
    set_lead_passphrase(store, "same")
    for _ in range(2):
        remove_lead_passphrase(store)

    assert check_lead_passphrase(store, "")
    assert not study_settings(store).has_lead_passphrase
    assert [action for action, _ in audited(store)] == [
        "lead passphrase set",
        "lead passphrase removed",
    ]


def test_an_empty_passphrase_is_refused(store) -> None:
    with pytest.raises(RefusedError, match=PASSPHRASE_EMPTY):
        set_lead_passphrase(store, "  ")
