"""Serves a folder of static files on this machine, with the headers that the page relies on."""

from __future__ import annotations

import argparse
import errno
import mimetypes
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
LOOPBACK_HOST_HEADER = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.IGNORECASE)

PAGE_POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "connect-src": "'self'",
    "img-src": "'self' blob: data:",
    "style-src": "'self'",
    "worker-src": "'self' blob:",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'self'",
    "object-src": "'none'",
}
# A worker takes its policy from its own response; what the agent may reach is decided by its http port.
CONNECT_BY_PREFIX = {
    "/worker/agent": "'self' https: http://localhost:* http://127.0.0.1:*",
}
CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}
ENCODINGS = {"br": ".br", "gzip": ".gz"}


def serve(root: Path, host: str, port: int, on_ready: Callable[[ThreadingHTTPServer], None]) -> None:
    """Serves until the server handed to on_ready is shut down; a taken port moves on to the next."""
    with bind(root, host, port) as server:
        on_ready(server)
        server.serve_forever(poll_interval=0.1)


def bind(root: Path, host: str, port: int) -> ThreadingHTTPServer:
    handler = partial(StaticFiles, root=root.resolve(), loopback=host in LOOPBACK)
    last = port + 100 if port else port
    while True:
        try:
            return (IPv6Server if ":" in host else ThreadingHTTPServer)((host, port), handler)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or port >= last:
                raise
            port += 1


class IPv6Server(ThreadingHTTPServer):
    """The same server on an address such as ::1."""

    import socket as _socket

    address_family = _socket.AF_INET6


@dataclass(frozen=True)
class Representation:
    """One file as it goes out: perhaps a compressed one that lies beside the one asked for."""

    file: Path
    content_type: str
    encoding: str = ""

    @property
    def etag(self) -> str:
        stat = self.file.stat()
        return f'"{stat.st_mtime_ns:x}-{stat.st_size:x}{self.encoding}"'


class StaticFiles(BaseHTTPRequestHandler):
    """Answers GET and HEAD with files below a root, and everything else with a refusal."""

    protocol_version = "HTTP/1.1"
    server_version = "py-agent"
    sys_version = ""
    disable_nagle_algorithm = True
    timeout = 60

    def __init__(self, *args: object, root: Path, loopback: bool) -> None:
        self.root = root
        self.loopback = loopback
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.answer(with_body=True)

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def answer(self, *, with_body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        if self.loopback and not LOOPBACK_HOST_HEADER.fullmatch(self.headers.get("Host", "")):
            self.refuse(HTTPStatus.MISDIRECTED_REQUEST)
        elif (file := find_file(self.root, path)) is None:
            self.refuse(HTTPStatus.NOT_FOUND)
        else:
            self.send_file(represent(file, self.headers.get("Accept-Encoding", "")), path, with_body=with_body)

    def send_file(self, found: Representation, path: str, *, with_body: bool) -> None:
        unchanged = found.etag in self.headers.get("If-None-Match", "")
        self.send_response(HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus.OK)
        self.send_header("ETag", found.etag)
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("Content-Security-Policy", content_security_policy(path))
        if not unchanged:
            self.send_header("Content-Type", found.content_type)
            self.send_header("Content-Length", str(found.file.stat().st_size))
            if found.encoding:
                self.send_header("Content-Encoding", found.encoding)
        self.end_headers()
        if with_body and not unchanged:
            with found.file.open("rb") as file:
                self.connection.sendfile(file)

    def refuse(self, status: HTTPStatus) -> None:
        body = f"{status.value} {status.phrase}\n".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", "default-src 'none'")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Says nothing: a browser asks for a lot."""


def find_file(root: Path, path: str) -> Path | None:
    """The file below root that a URL's path names; nothing hidden, no listing, no way out of root."""
    parts = path.removeprefix("/").split("/")
    if "\0" in path or "\\" in path or any(part.startswith(".") for part in parts):
        return None
    file = root.joinpath(*parts[:-1], parts[-1] or "index.html").resolve()
    return file if file.is_relative_to(root) and file.is_file() else None


def represent(file: Path, accepted: str) -> Representation:
    content_type = CONTENT_TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    offered = {part.split(";")[0].strip() for part in accepted.split(",") if not re.search(r";\s*q=0(\.0*)?\s*$", part)}
    for encoding, suffix in ENCODINGS.items():
        compressed = file.with_name(file.name + suffix)
        if encoding in offered and compressed.is_file():
            return Representation(compressed, content_type, encoding)
    return Representation(file, content_type)


def content_security_policy(path: str) -> str:
    connect = next((value for prefix, value in CONNECT_BY_PREFIX.items() if path.startswith(prefix)), None)
    policy = PAGE_POLICY | ({"connect-src": connect} if connect else {})
    return "; ".join(f"{name} {value}" for name, value in policy.items())


def print_address(server: ThreadingHTTPServer) -> None:
    host, port = server.server_address[:2]
    shown = "localhost" if host in LOOPBACK else str(host)
    print(f"Serving on http://{shown}:{port}/ (Ctrl-C ends it)", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("dist"), help="the folder to serve (dist)")
    parser.add_argument("--host", default="127.0.0.1", help="the address to bind (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="the first port to try, 0 for any (8000)")
    args = parser.parse_args()
    try:
        serve(args.root, args.host, args.port, print_address)
    except KeyboardInterrupt:
        print()
    except OSError as error:
        print(f"serve.py: cannot serve on {args.host}:{args.port}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
