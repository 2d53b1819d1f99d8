"""Places that a person went through, to go back to and forward again."""

from typing import Generic, TypeVar

Location = TypeVar("Location")

MAX_LOCATIONS = 200


class NavigationHistory(Generic[Location]):
    """A line of places with a finger on one of them; going somewhere new forgets those ahead."""

    def __init__(self) -> None:
        self._places: list[Location] = []
        self._at = -1

    @property
    def current(self) -> Location | None:
        return self._places[self._at] if self._places else None

    @property
    def can_go_back(self) -> bool:
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        return self._at < len(self._places) - 1

    def go_to(self, place: Location) -> None:
        """Go to a place; being there already changes nothing."""
        if self._places and place == self.current:
            return
        del self._places[self._at + 1 :]
        self._places.append(place)
        del self._places[:-MAX_LOCATIONS]
        self._at = len(self._places) - 1

    def replace(self, place: Location) -> None:
        """Change the place where the person is."""
        self._places[self._at] = place

    def back(self) -> bool:
        """Go back; says whether there was a place to go to."""
        return self._step(-1)

    def forward(self) -> bool:
        """Go forward again; says whether there was a place to go to."""
        return self._step(1)

    def give_up(self) -> None:
        """Go back to the place before and forget the one left and those ahead of it."""
        if self.can_go_back:
            del self._places[self._at :]
            self._at -= 1

    def _step(self, steps: int) -> bool:
        there = 0 <= self._at + steps < len(self._places)
        self._at += steps if there else 0
        return there
