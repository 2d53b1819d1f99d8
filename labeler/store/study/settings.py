"""A study's settings: small values under names, kept in the study's one row."""

import json
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from labeler.store.schema import StudyRow


class StoredSettings:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> dict[str, Any]:
        """The settings that someone set; the rest have their defaults."""
        settings: dict[str, Any] = json.loads(
            self._session.scalar(select(StudyRow.settings)) or "{}"
        )
        return settings

    def put(self, **changed: Any) -> None:
        """Set what is given; None goes back to the default."""
        settings = {**self.all(), **changed}
        kept = {name: value for name, value in settings.items() if value is not None}
        self._session.execute(update(StudyRow).values(settings=json.dumps(kept, sort_keys=True)))
