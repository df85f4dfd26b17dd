"""The WASI host's own tests, which are JavaScript: each of them is a case here, in Node and in Chromium."""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

if TYPE_CHECKING:
    from tests.remote.chromium import BrowserThread

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests/wasi"
TIME_LIMIT_SECONDS = 120
HOSTS = [name for name in ("node", "chromium") if name in os.environ.get("PY_AGENT_HOSTS", "")]
IN_NODE_ALONE = {"cli.test.js", "cli_folder.test.js"}
_RUN = """async ([file, milliseconds]) => {
  const worker = new Worker("/tests/wasi/worker.js", {type: "module"});
  const limit = new Promise((_, reject) => setTimeout(() => reject(new Error("time limit")), milliseconds));
  const answer = new Promise((resolve) => worker.addEventListener("message", ({data}) => resolve(data)));
  worker.postMessage(file);
  try {
    return await Promise.race([answer, limit]);
  } finally {
    worker.terminate();
  }
}"""

Failures = Mapping[str, str]  # by the name of a test; empty where it passed


def files_for(host: str) -> list[Path]:
    return [file for file in sorted(FOLDER.glob("*.test.js")) if host == "node" or file.name not in IN_NODE_ALONE]


def names_in(file: Path) -> list[str]:
    return re.findall(r'^test\("(.+?)", ', file.read_text(), flags=re.MULTILINE)


def on(host: str, *values: str, label: str) -> object:
    marks = [getattr(pytest.mark, host), pytest.mark.xdist_group(host)]
    return pytest.param(host, *values, marks=marks, id=f"{host}-{label}")


def cases() -> Iterator[object]:
    for host in HOSTS:
        for file in files_for(host):
            for name in names_in(file):
                yield on(host, name, label=f"{file.name.removesuffix('.test.js')}: {name}")


@pytest.fixture(scope="module")
def node_failures() -> Failures:
    files = [str(file) for file in files_for("node")]
    command = [os.environ["PY_AGENT_NODE"], "--test", "--test-reporter=junit", *files]
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT_SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    failures = {}
    for case in ElementTree.fromstring(done.stdout).iter("testcase"):
        wrong = case.find("failure")
        failures[case.get("name", "")] = "" if wrong is None else wrong.text or "it failed"
    return failures


@pytest.fixture(scope="module")
def chromium_failures(browser: "BrowserThread") -> Failures:
    from tests.remote.chromium import serving

    failures: dict[str, str] = {}
    with serving(ROOT) as address:

        def run() -> None:
            page = browser.new_page()
            page.goto(f"{address}/tests/remote/page.html")
            for file in files_for("chromium"):
                failures.update(page.evaluate(_RUN, [file.name, TIME_LIMIT_SECONDS * 1000]))
            page.close()

        browser.do(run)
    return failures


@pytest.fixture
def failures(request: pytest.FixtureRequest, host: str) -> Failures:
    found: Failures = request.getfixturevalue(f"{host}_failures")
    return found


@pytest.mark.parametrize(("host", "name"), list(cases()))
def test_of_the_wasi_host(failures: Failures, host: str, name: str) -> None:
    assert name in failures, f"it was not run; these failed: {[each for each in failures if failures[each]]}"
    if failures[name]:
        pytest.fail(failures[name], pytrace=False)


@pytest.mark.parametrize("host", [on(host, label="all") for host in HOSTS])
def test_every_test_that_was_run_is_a_case_of_its_own(failures: Failures, host: str) -> None:
    names = [name for file in files_for(host) for name in names_in(file)]
    assert sorted(failures) == sorted(names)


@pytest.mark.slow
@pytest.mark.parametrize("host", [on("node", label="long")])
def test_a_long_row_of_calls_at_random_leaves_the_host_whole(host: str) -> None:
    command = [os.environ["PY_AGENT_NODE"], "tests/wasi/fuzz_long.js", "1000", "20000", "500"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
