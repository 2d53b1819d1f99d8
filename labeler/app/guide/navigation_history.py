"""A history of visited locations, to go back and forward."""

from typing import Generic, TypeVar

Location = TypeVar("Location")

MAX_LOCATIONS = 200


class NavigationHistory(Generic[Location]):
    """A list of locations and a current one; going to a new location drops those ahead."""

    def __init__(self) -> None:
        self._locations: list[Location] = []
        self._index = -1

    @property
    def current(self) -> Location | None:
        return self._locations[self._index] if self._locations else None

    @property
    def can_go_back(self) -> bool:
        return self._index > 0

    @property
    def can_go_forward(self) -> bool:
        return self._index < len(self._locations) - 1

    def go_to(self, location: Location) -> None:
        """Go to a location; the current one changes nothing."""
        if self._locations and location == self.current:
            return
        del self._locations[self._index + 1 :]
        self._locations.append(location)
        del self._locations[:-MAX_LOCATIONS]
        self._index = len(self._locations) - 1

    def replace(self, location: Location) -> None:
        """Replace the current location."""
        self._locations[self._index] = location

    def back(self) -> bool:
        """Go back and return whether that was possible."""
        return self._step(-1)

    def forward(self) -> bool:
        """Go forward and return whether that was possible."""
        return self._step(1)

    def give_up(self) -> None:
        """Go back and drop the current location and those ahead."""
        if self.can_go_back:
            del self._locations[self._index :]
            self._index -= 1

    def _step(self, steps: int) -> bool:
        possible = 0 <= self._index + steps < len(self._locations)
        self._index += steps if possible else 0
        return possible
