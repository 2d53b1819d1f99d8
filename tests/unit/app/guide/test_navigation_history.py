"""Places gone through: back, forward, and what is forgotten on the way."""

from labeler.app.guide.navigation_history import MAX_LOCATIONS, NavigationHistory


def been(*places: str) -> NavigationHistory[str]:
    history: NavigationHistory[str] = NavigationHistory()
    for place in places:
        history.go_to(place)
    return history


def test_nowhere_there_is_no_way_back_or_forward() -> None:
    history: NavigationHistory[str] = NavigationHistory()
    assert history.current is None
    assert not history.back()
    assert not history.forward()
    history.give_up()
    assert history.current is None


def test_going_somewhere_new_forgets_what_was_ahead() -> None:
    history = been("a", "b", "c")
    assert history.back()
    history.go_to("d")
    assert not history.forward()
    assert history.back()
    assert history.current == "b"


def test_going_where_one_is_adds_no_place() -> None:
    history = been("a", "b", "b")
    assert history.back()
    assert history.current == "a"


def test_a_place_given_up_is_forgotten() -> None:
    history = been("a", "b", "c")
    assert history.back()
    history.give_up()
    assert history.current == "a"
    assert not history.can_go_forward


def test_the_oldest_places_are_forgotten() -> None:
    history = been(*map(str, range(MAX_LOCATIONS + 5)))
    steps = 0
    while history.back():
        steps += 1
    assert steps == MAX_LOCATIONS - 1
    assert history.current == "5"
