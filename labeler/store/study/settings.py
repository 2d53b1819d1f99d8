"""A study's settings: named values stored in the study's single row."""

import json
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from labeler.store.schema import StudyRow


class StoredSettings:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> dict[str, Any]:
        """Return the settings that were changed; others have their defaults."""
        settings: dict[str, Any] = json.loads(
            self._session.scalar(select(StudyRow.settings)) or "{}"
        )
        return settings

    def put(self, **changed: Any) -> None:
        """Change the given settings; None restores a default."""
        settings = {**self.all(), **changed}
        stored = {name: value for name, value in settings.items() if value is not None}
        self._session.execute(update(StudyRow).values(settings=json.dumps(stored, sort_keys=True)))
