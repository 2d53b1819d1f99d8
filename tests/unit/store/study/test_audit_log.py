"""Every deliberate change is on record, with who, when and what."""

from pathlib import Path

from labeler.store.study.audit_log import AuditEntry


def test_entries_come_back_in_order_with_their_details(store, clock) -> None:
    with store.write() as study:
        study.audit.record("dataset added", dataset="Vögel", path=Path("/x"), images=3)
    clock.go_on(minutes=1)
    with store.write() as study:
        study.audit.record("phase opened", actor="A")

    with store.read() as study:
        assert study.audit.entries() == [
            AuditEntry(
                "2026-03-01T09:30:00.000Z",
                "lead",
                "dataset added",
                {"dataset": "Vögel", "path": "/x", "images": 3},
            ),
            AuditEntry("2026-03-01T09:31:00.000Z", "A", "phase opened", {}),
        ]
