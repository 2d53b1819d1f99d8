"""The served page in Chromium, by keyboard, mouse and touch, on a desktop and on a phone."""

import threading
from collections.abc import Callable, Iterator

import pytest
from cheroot.wsgi import Server
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from labeler.app.crowd.page_file import page_texts
from labeler.app.crowd.web_app import CrowdWebApp
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from tests.chromium import DESKTOP, PHONE, ChromiumPage, needs_chromium
from tests.crowd_study import SHARK, add_model

pytestmark = needs_chromium


class Page(ChromiumPage):
    """An annotator's page on the study's server."""

    def __init__(self, size: tuple[int, int], address: str, token: str) -> None:
        super().__init__(size)
        self.address = address
        self.driver.get(f"{address}/start/{token}")
        self.click("start")
        # Before that the person isn't signed in, and another address would refuse them.
        self.find("start-classify")


@pytest.fixture
def open_page(crowd_study, planned) -> Iterator[Callable[..., Page]]:
    """Opens pages on a real server over a study with both tasks."""
    planned(qualification=0, answers=9)
    add_model(crowd_study, "resnet", SHARK, *crowd_study.taxonomy.class_wnids[:2])
    planned(CrowdTask.CLASSIFY, labels=LabelChoice.POTENTIAL, qualification=0, answers=9)
    server = Server(("127.0.0.1", 0), CrowdWebApp(crowd_study, secure=False), numthreads=8)
    server.prepare()
    serving = threading.Thread(target=server.serve)
    serving.start()
    pages: list[Page] = []

    def opened(code: str, size=DESKTOP) -> Page:
        with crowd_study.write() as study:
            token = study.crowd_links.make(code)
        pages.append(Page(size, f"http://127.0.0.1:{server.bind_addr[1]}", token))
        return pages[-1]

    yield opened
    for page in pages:
        page.driver.quit()
    server.stop()
    serving.join()


def test_a_grid_is_answered_by_keyboard_and_a_reload_resumes_it(open_page, crowd_study):
    page = open_page("K")
    page.start("contains")
    page.wait(page.tiles)
    page.press(Keys.SPACE, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.SPACE)
    assert page.selected == [1, 3]
    page.press(Keys.CONTROL + "z")
    assert page.selected == [1]
    page.wait(lambda: page.status == page_texts()["saved"])

    page.driver.get(page.address)
    page.start("contains")
    page.wait(page.tiles)
    assert page.selected == [1]
    page.press(Keys.ENTER)
    page.wait(lambda: page.driver.find_elements(By.ID, "enlarged"))
    page.press(Keys.ESCAPE)
    page.driver.execute_script("document.querySelector('.tile').focus()")
    page.press(Keys.CONTROL + Keys.ENTER)
    page.wait(lambda: page.selected == [])
    with crowd_study.read() as study:
        (answer,) = study.crowd.contains_answers()
    assert answer.selected == {1}


def test_labels_are_ticked_by_keyboard_and_by_mouse_with_the_same_rows(open_page, crowd_study):
    page = open_page("K")
    for way in ("keyboard", "mouse"):
        page.driver.get(page.address)
        page.start("classify")
        page.find("tick-0")
        assert not page.find("submit").is_enabled()
        if way == "keyboard":
            page.press("1", "2", "m", Keys.ENTER)
        else:
            page.click("tick-0")
            page.click("main-1")
            page.click("submit")
        page.wait(lambda: page.ticked == 0)
    with crowd_study.read() as study:
        given = study.crowd.classify_answers()
    assert [len(answer.labels) for answer in given] == [2, 2]
    assert not any(answer.contradictory for answer in given)


def test_a_phone_has_two_columns_large_targets_and_submits_after_every_image_was_seen(
    open_page, crowd_study
):
    page = open_page("L", PHONE)
    # Only some rows fit on a screen as low as this.
    page.resize(PHONE[0], 480)
    page.start("contains")
    page.wait(page.tiles)
    tiles = page.tiles()
    assert len({tile.rect["x"] for tile in tiles}) == 2
    buttons = page.driver.find_elements(By.CSS_SELECTOR, "button")
    assert all(min(one.rect["width"], one.rect["height"]) >= 48 for one in buttons)
    page.tap(tiles[1])
    page.wait(lambda: page.selected == [2])
    page.scroll_to(tiles[-1])
    assert not page.find("submit").is_enabled()
    for tile in tiles[::2]:
        page.scroll_to(tile)
    page.tap(tiles[-1])
    page.wait(lambda: page.find("submit").is_enabled())
    assert page.is_on_screen(page.find("submit"))
    page.tap(page.find("submit"))
    page.wait(lambda: page.selected == [])
    with crowd_study.read() as study:
        (answer,) = study.crowd.contains_answers()
    assert answer.selected == {2, len(tiles)}


def test_the_accessibility_tree_names_every_image_and_its_state(open_page):
    page = open_page("M")
    page.start("contains")
    page.wait(page.tiles)
    page.press(Keys.SPACE)
    nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    boxes = [node for node in nodes if node.get("role", {}).get("value") == "checkbox"]
    total = len(page.tiles())
    wanted = [page_texts()["image"].format(number=n, total=total) for n in range(1, total + 1)]
    assert [box["name"]["value"] for box in boxes] == wanted
    checked = {one["value"]["value"] for one in boxes[0]["properties"] if one["name"] == "checked"}
    assert checked == {"true"}


def test_labels_are_ticked_by_touch_on_a_phone_with_large_targets(open_page, crowd_study):
    page = open_page("N", PHONE)
    page.start("classify")
    page.find("tick-0")
    rows = page.driver.find_elements(By.CSS_SELECTOR, ".choice")
    assert all(row.rect["height"] >= 48 for row in rows)
    page.tap(page.find("tick-0"))
    page.wait(lambda: page.ticked == 1)
    page.tap(page.find("main-1"))
    page.wait(lambda: page.ticked == 2)
    page.tap(page.find("submit"))
    page.wait(lambda: page.ticked == 0)
    with crowd_study.read() as study:
        (answer,) = study.crowd.classify_answers()
    assert len(answer.labels) == 2


def test_the_first_start_explains_the_task_and_home_shows_the_pace(open_page):
    page = open_page("M")
    page.click("start-classify")
    assert page_texts()["classify_examples"] in page.find("explanation").text
    page.press(Keys.ENTER)
    page.find("tick-0")
    page.press("1", "m", Keys.ENTER)
    page.wait(lambda: page.ticked == 0)
    page.driver.get(page.address)
    page.find("pace-classify")
    page.click("start-classify")
    page.find("tick-0")


def test_the_accessibility_tree_names_labels_and_main_marks(open_page):
    page = open_page("K")
    page.start("classify")
    page.find("tick-0")
    nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = [node.get("role", {}).get("value") for node in nodes]
    named = [n for n in nodes if n.get("role", {}).get("value") in ("checkbox", "radio", "button")]
    assert roles.count("checkbox") == roles.count("radio") > 1
    assert all(node["name"]["value"] for node in named)
