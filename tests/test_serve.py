"""The local server of static files: what it gives out, and to whom."""

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from web.serve import bind


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    root = tmp_path / "dist"
    (root / "worker").mkdir(parents=True)
    (root / "index.html").write_text("page")
    (root / "worker" / "agent.js").write_text("worker")
    (root / ".hidden").write_text("hidden")
    (tmp_path / "outside.txt").write_text("outside")
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")
    with bind(root, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.05])
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def get(port: int, path: str, host: str = "localhost", method: str = "GET") -> tuple[int, str, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request(method, path, headers={"Host": host})
    response = connection.getresponse()
    answer = response.status, response.read().decode(), dict(response.getheaders())
    connection.close()
    return answer


def test_the_page_comes_with_a_policy_that_lets_it_reach_itself_alone(port: int) -> None:
    status, text, headers = get(port, "/")
    assert (status, text) == (200, "page")
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["connect-src"] == "'self'"
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert policy["base-uri"] == policy["form-action"] == policy["object-src"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "connect-src 'self' https:" in get(port, "/worker/agent.js")[2]["Content-Security-Policy"]


@pytest.mark.parametrize("host", ["evil.test", "localhost.evil.test", "127.0.0.1.evil.test:80", "", "localhost:80:80"])
def test_a_request_under_another_name_is_refused(port: int, host: str) -> None:
    assert get(port, "/", host)[0] == 421


@pytest.mark.parametrize(
    "path",
    ["/.hidden", "/../outside.txt", "/%2e%2e/outside.txt", "/..%2foutside.txt", "/link.txt", "/worker", "//etc/passwd"],
)
def test_nothing_hidden_and_nothing_outside_is_given_out(port: int, path: str) -> None:
    assert get(port, path)[0] == 404


def test_other_methods_are_refused(port: int) -> None:
    assert get(port, "/", method="POST")[0] == 501
