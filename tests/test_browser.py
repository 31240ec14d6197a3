"""The page in a real browser: light and dark, narrow and wide, by keyboard alone, without a word
on the console and without a request to anywhere.
"""

from __future__ import annotations

import json
import os
import shutil
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import until

from checks.contents import SOLUTIONS, STEPS
from checks.engine.commands.screen import Screen
from checks.engine.commands.work import Work
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.page import parts
from checks.page.serving import Served

DRIVER, BROWSER = shutil.which("chromedriver"), shutil.which("chromium")
if not (DRIVER and BROWSER):
    pytest.skip("needs chromium and chromium-driver", allow_module_level=True)
selenium = pytest.importorskip("selenium", reason="needs selenium: requirements-dev.txt")

from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import WebDriverException  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

pytestmark = pytest.mark.room

HEADS = next(step for step in STEPS if step.name == "multi_head_attention")
LEAST_CONTRAST = 4.5
# Every text that is to be seen, with its contrast to what lies behind it.
CONTRASTS = """
const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgb = (colours) => {  // These colours over each other, as the browser mixes them.
  probe.fillStyle = "#fff";
  probe.fillRect(0, 0, 1, 1);
  for (const colour of colours) { probe.fillStyle = colour; probe.fillRect(0, 0, 1, 1); }
  return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const light = (colours) => {
  const [r, g, b] = rgb(colours).map((one) => one / 255)
    .map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim(), owner = walker.currentNode.parentElement;
  if (!text || owner.tagName === "SCRIPT" || !owner.checkVisibility()) continue;
  const behind = [];
  for (let one = owner; one; one = one.parentElement) {
    behind.unshift(getComputedStyle(one).backgroundColor);
  }
  const back = light(behind), front = light([...behind, getComputedStyle(owner).color]);
  found.push([(Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05), text.slice(0, 40)]);
}
return found;
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    try:
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    except WebDriverException as error:
        pytest.skip(f"chromium does not start here: {error.msg}")
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def file(host: Host, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page about a step that fails, with the pictures of another one."""
    root = tmp_path_factory.mktemp("page")
    shutil.copytree(SOLUTIONS, root / "wrong")
    path = root / "wrong" / HEADS.path
    path.write_text(path.read_text("utf-8").replace("w_v(v)", "w_v(k)"), "utf-8")
    work = Work(Namespace(submission=str(root / "wrong"), borrow=False))
    judge = Judge(host, work.source, 7)
    [result] = judge.run([HEADS])
    assert result.verdict == "fail"
    found = parts.verdict(work, result, 7, "python run_step.py 2.2")
    whole = root / "page.html"
    whole.write_text(parts.page({**found, **parts.others(host, work, HEADS)}), "utf-8")
    return whole


def show(browser: Any, address: str, width: int = 1440, scheme: str = "light") -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme_of = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": scheme_of})
    for kind in ("browser", "performance"):
        browser.get_log(kind)  # Of the page before.
    browser.get(address)


def requests(browser: Any) -> list[str]:
    messages = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    sent = (m["params"] for m in messages if m["method"] == "Network.requestWillBeSent")
    return [one["request"]["url"] for one in sent if one["request"]["url"][:5] != "data:"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_it_can_be_read_wherever_it_is(browser: Any, file: Path, width: int, scheme: str) -> None:
    show(browser, file.as_uri(), width, scheme)
    browser.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true })")

    wide = browser.execute_script("return document.documentElement.scrollWidth")
    contrasts = browser.execute_script(CONTRASTS)

    assert wide <= width
    assert len(contrasts) > 200
    assert [one for one in contrasts if one[0] < LEAST_CONTRAST] == []
    dark = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (dark == "rgb(255, 255, 255)") == (scheme == "light")
    assert browser.get_log("browser") == []
    assert requests(browser) == [file.as_uri()]


def test_heads_and_tokens_are_chosen_by_keyboard_alone(browser: Any, file: Path) -> None:
    show(browser, file.as_uri())
    keys = ActionChains(browser)

    def focused() -> str:
        return str(browser.execute_script("return document.activeElement.id"))

    def tables() -> list[Any]:
        found = browser.find_elements(By.CSS_SELECTOR, "#pictures .tables table")
        return [table for table in found if table.is_displayed()]

    assert len(tables()) == 3
    for _ in range(30):
        if focused() == "picture 0, 0":
            break
        keys.send_keys(Keys.TAB).perform()
    keys.send_keys(Keys.ARROW_RIGHT).perform()
    assert focused() == "picture 0, 1" and len(tables()) == 1
    keys.send_keys(Keys.TAB, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    assert focused() == "bars 0, 2"
    chosen = browser.find_element(By.CSS_SELECTOR, "#pictures tr.chosen").text.split()
    bars = [bar.text.split() for bar in browser.find_elements(By.CSS_SELECTOR, ".bars li")]
    assert chosen[0] == "on" and bars[0] == ["if", chosen[1], "%"]
    assert len(bars) == 3 * 7  # In each head, of which one is to be seen.


def test_everything_that_scrolls_or_opens_can_be_reached(browser: Any, file: Path) -> None:
    show(browser, file.as_uri(), 360)
    unreachable = browser.execute_script(
        "return [...document.querySelectorAll('pre, .wide, .lesson table')].filter(one => "
        "one.checkVisibility() && one.scrollWidth > one.clientWidth && one.tabIndex < 0)"
        ".map(one => one.textContent.slice(0, 60))"
    )
    assert unreachable == []


def test_printed_it_shows_what_was_folded_or_not_chosen(browser: Any, file: Path) -> None:
    show(browser, file.as_uri())
    browser.find_element(By.ID, "picture 0, 2").click()
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = browser.execute_script(
        "return [...document.querySelectorAll('#pictures table, details > p')]"
        ".every(one => one.checkVisibility())"
    )
    assert shown
    assert not browser.find_element(By.CSS_SELECTOR, "fieldset").is_displayed()


def test_a_served_page_follows_and_keeps_what_was_chosen(
    browser: Any, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        monkeypatch.delenv(name)
    work = Work(Namespace(submission=str(SOLUTIONS), borrow=False))

    def text(name: str) -> str:
        return str(browser.find_element(By.ID, name).text)

    with Served(host, Screen()) as page:
        page.begins(work, HEADS)
        until(lambda: set(page.newest.parts) == set(parts.PARTS))
        show(browser, page.address)
        until(lambda: text("written") == "follows every save")
        browser.find_element(By.ID, "picture 0, 3").click()
        page.newest.put({"verdict": "<pre>It passes.</pre>"})
        until(lambda: text("verdict") == "It passes.")
        html = page.newest.parts["pictures"][1]
        page.newest.put({"pictures": html.replace("weights in %", "weights in percent")})
        until(lambda: "percent" in text("pictures"))
        assert browser.find_element(By.ID, "picture 0, 3").is_selected()
        assert browser.execute_script("return document.activeElement.id") == "picture 0, 3"
        assert browser.get_log("browser") == []
        own = {page.address, f"{page.address}news"}
        assert set(requests(browser)) == own
    until(lambda: "watch has ended" in text("written"))
    browser.get("about:blank")
