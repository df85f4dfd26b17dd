"""Journeys through the built page in Chromium, as a person makes them."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.remote.chromium import BrowserThread, serving

pytestmark = [pytest.mark.chromium, pytest.mark.xdist_group("chromium"), pytest.mark.parametrize("host", ["chromium"])]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Path(os.environ["PY_AGENT_DIST"])) as address:
        yield address


def test_a_file_is_written_with_permission_and_is_there_after_a_reload(
    browser: BrowserThread, address: str, host: str
) -> None:
    def journey() -> None:
        page = opened(browser, address)
        ask(page, "write good morning to notes/today.txt")
        page.get_by_role("button", name="Allow").click()
        expect(page.get_by_role("button", name="notes/today.txt")).to_be_visible()
        ask(page, "list the files")
        expect(page.get_by_role("log")).to_contain_text("List")
        page.reload()
        wait_until_ready(page)
        expect(page.get_by_role("log")).to_contain_text("write good morning to notes/today.txt")
        page.get_by_role("button", name="notes/today.txt").click()
        expect(page.locator("#content")).to_have_text("good morning")
        page.close()

    browser.do(journey)


def test_a_denied_write_leaves_no_file(browser: BrowserThread, address: str, host: str) -> None:
    def journey() -> None:
        page = opened(browser, address)
        ask(page, "write secret to a.txt")
        page.get_by_role("button", name="Deny").click()
        expect(page.get_by_role("log")).to_contain_text("Write a.txt: PermissionDenied")
        expect(page.locator("#files li")).to_have_count(0)
        page.close()

    browser.do(journey)


def test_a_run_that_a_reload_cut_off_is_resumed(browser: BrowserThread, address: str, host: str) -> None:
    def journey() -> None:
        page = opened(browser, address)
        ask(page, "write kept to a.txt")
        expect(page.get_by_role("button", name="Allow")).to_be_visible()
        page.reload()
        wait_until_ready(page)
        expect(page.get_by_role("button", name="Allow")).to_be_hidden()
        page.get_by_role("button", name="Resume it").click()
        page.get_by_role("button", name="Allow").click()
        expect(page.get_by_role("button", name="a.txt")).to_be_visible()
        expect(page.get_by_role("button", name="Send")).to_be_enabled()
        page.close()

    browser.do(journey)


def test_stop_ends_a_run_that_waits_for_an_answer(browser: BrowserThread, address: str, host: str) -> None:
    def journey() -> None:
        page = opened(browser, address)
        ask(page, "write x to a.txt")
        expect(page.get_by_role("button", name="Allow")).to_be_visible()
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("log")).to_contain_text("Ended: cancelled")
        expect(page.get_by_role("button", name="Allow")).to_be_hidden()
        page.close()

    browser.do(journey)


def test_a_second_tab_is_told_that_the_first_has_the_workspace(browser: BrowserThread, address: str, host: str) -> None:
    def journey() -> None:
        page = opened(browser, address)
        second = page.context.new_page()
        second.goto(address)
        expect(second.get_by_role("status")).to_contain_text("open in another tab", timeout=30_000)
        page.close()
        second.reload()
        wait_until_ready(second)
        second.close()

    browser.do(journey)


def opened(browser: BrowserThread, address: str) -> Page:
    page = browser.new_page()
    page.goto(address)
    wait_until_ready(page)
    return page


def wait_until_ready(page: Page) -> None:
    expect(page.get_by_role("status")).to_contain_text("Ready", timeout=30_000)


def ask(page: Page, words: str) -> None:
    page.get_by_role("textbox").fill(words)
    page.get_by_role("textbox").press("Enter")
    expect(page.get_by_role("log")).to_contain_text(words)
