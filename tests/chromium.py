"""Pages in headless Chromium, for tests; they are skipped where it isn't installed."""

import shutil
from collections.abc import Callable

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

_DRIVER, _CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium")
needs_chromium = pytest.mark.skipif(not (_DRIVER and _CHROMIUM), reason="Chromium isn't installed")
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --disable-dev-shm-usage"
)
DESKTOP, PHONE = (1280, 800), (390, 844)


class ChromiumPage:
    """A window of Chromium in a new profile; at the size of a phone it has a touch screen."""

    def __init__(self, size: tuple[int, int]) -> None:
        options = Options()
        options.binary_location = _CHROMIUM
        for flag in (*_FLAGS.split(), f"--window-size={size[0]},{size[1]}"):
            options.add_argument(flag)
        if size is PHONE:
            metrics = {"width": size[0], "height": size[1], "pixelRatio": 1.0, "touch": True}
            options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        self.driver = webdriver.Chrome(options=options, service=Service(_DRIVER))

    def wait(self, condition: Callable[[], object]) -> None:
        WebDriverWait(self.driver, 30, 0.05).until(lambda _driver: condition())

    def find(self, name: str):
        self.wait(lambda: self.driver.find_elements(By.ID, name))
        return self.driver.find_element(By.ID, name)

    def click(self, name: str) -> None:
        self.find(name).click()

    def start(self, kind: str) -> None:
        """Start a task; the first start explains it."""
        self.click(f"start-{kind}")
        self.wait(
            lambda: (
                self.driver.find_elements(By.ID, "begin")
                or self.driver.find_elements(By.ID, "submit")
            )
        )
        if self.driver.find_elements(By.ID, "begin"):
            self.click("begin")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def tap(self, element) -> None:
        """Touch the middle of an element, as a finger does."""
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        place = self.driver.execute_script(
            "const r = arguments[0].getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]",
            element,
        )
        points = [{"x": place[0], "y": place[1]}]
        for kind, touched in (("touchStart", points), ("touchEnd", [])):
            self.driver.execute_cdp_cmd(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched}
            )

    def resize(self, width: int, height: int) -> None:
        """Change the size of a phone's screen."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self._wait_for_paint()

    def scroll_to(self, element) -> None:
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        self._wait_for_paint()

    def _wait_for_paint(self) -> None:
        """Wait until the page is painted, and has heard of what became visible."""
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))"
        )

    def is_on_screen(self, element) -> bool:
        """Return whether the element can be touched without scrolling."""
        return self.driver.execute_script(
            "const r = arguments[0].getBoundingClientRect();"
            "const found = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);"
            "return arguments[0].contains(found)",
            element,
        )

    def tiles(self):
        return self.driver.find_elements(By.CSS_SELECTOR, ".tile")

    @property
    def selected(self) -> list[int]:
        return self.driver.execute_script(
            "return [...document.querySelectorAll('.tile[aria-checked=true]')]"
            ".map((tile) => Number(tile.dataset.position))"
        )

    @property
    def ticked(self) -> int:
        return self.driver.execute_script("return document.querySelectorAll('.choice.on').length")

    @property
    def status(self) -> str:
        return self.find("status").text
