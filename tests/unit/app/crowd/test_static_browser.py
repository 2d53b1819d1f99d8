"""The static pages in Chromium: one file, opened without any server."""

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from labeler.app.crowd.page_file import page_texts
from labeler.app.crowd.task_export import export_tasks
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from tests.chromium import DESKTOP, ChromiumPage, needs_chromium
from tests.crowd_study import SHARK, add_model

pytestmark = needs_chromium
IN_PREVIEW = "?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE"


@pytest.fixture
def page() -> Iterator[ChromiumPage]:
    opened = ChromiumPage(DESKTOP)
    yield opened
    opened.driver.quit()


@pytest.fixture
def rounds(crowd_study, planned):
    planned(qualification=0)
    add_model(crowd_study, "resnet", SHARK, *crowd_study.taxonomy.class_wnids[:2])
    planned(CrowdTask.CLASSIFY, labels=LabelChoice.POTENTIAL, qualification=0)
    return crowd_study


def label_orders(page: ChromiumPage, address: str) -> list[tuple[str, ...]]:
    """Return the labels of the first images in the order in which the page shows them."""
    page.driver.get(address)
    orders = []
    for _ in range(4):
        page.start("classify") if not orders else None
        page.find("tick-0")
        rows = page.driver.find_elements(By.CSS_SELECTOR, ".choice")
        orders.append(tuple(row.get_attribute("data-label") for row in rows))
        page.press("1", "m", Keys.ENTER)
        page.wait(lambda: page.ticked == 0)
    page.driver.execute_script("localStorage.clear()")
    return orders


def test_each_person_sees_labels_in_an_own_order(rounds, page, tmp_path):
    export_tasks(rounds, tmp_path / "pages", texts=page_texts())
    address = (tmp_path / "pages" / "classify.html").as_uri()
    first = label_orders(page, f"{address}?workerId=A")
    assert label_orders(page, f"{address}?workerId=A") == first
    other = label_orders(page, f"{address}?workerId=B")
    assert other != first
    assert list(map(sorted, other)) == list(map(sorted, first))


def test_a_reload_resumes_the_grid_and_older_answers_are_not_counted(rounds, page, tmp_path):
    export_tasks(rounds, tmp_path / "pages", texts=page_texts())
    page.driver.get((tmp_path / "pages" / "task.html").as_uri())
    page.driver.execute_script(
        "localStorage.setItem('labeler-contains', JSON.stringify({ older: { selected: [1] } }))"
    )
    page.driver.refresh()
    assert page_texts()["progress"].format(done=0, total=3) in page.driver.page_source
    page.start("contains")
    page.wait(page.tiles)
    page.press(Keys.SPACE, Keys.ARROW_RIGHT, Keys.SPACE)
    page.wait(lambda: page.selected == [1, 2])

    def is_resumed() -> bool:
        page.driver.refresh()
        page.start("contains")
        page.wait(page.tiles)
        return page.selected == [1, 2]

    # Chromium may load a file's page in a new process, which reads what is stored a moment late.
    page.wait(is_resumed)


def test_a_service_shows_a_page_before_it_is_accepted_but_takes_no_answer(rounds, page, tmp_path):
    export_tasks(rounds, tmp_path / "pages", texts=page_texts(), image_base="https://example.org")
    file = tmp_path / "pages" / "task.html"
    given = {"task": "t", "names": "shark", "gloss": "a fish", "address": "", "tokens": "a|b"}
    text = file.read_text("utf-8")
    for name, value in given.items():
        text = text.replace(f"${{{name}}}", value)
    file.write_text(text, "utf-8")
    page.driver.get(file.as_uri() + IN_PREVIEW)
    page.wait(page.tiles)
    assert not page.find("submit").is_enabled()
    assert page.find("submit").text == page_texts()["preview"]
