"""What is unpacked into Pyodide: the product's sources, the tests and pytest."""

import io
import os
import zipfile
from importlib.metadata import files
from pathlib import Path

ROOT = Path(__file__).parents[2]
_PACKAGES = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


def payload() -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        for folder in ("py_agent", "tests"):
            for file in sorted((ROOT / folder).rglob("*")):
                if file.suffix in (".py", ".txt", ".json", ".jsonl"):
                    target.write(file, file.relative_to(ROOT))
        for package in _PACKAGES:
            for installed in files(package) or ():
                if installed.suffix in (".py", ".txt") or installed.name == "METADATA":
                    target.write(str(installed.locate()), str(installed))
    return archive.getvalue()


def wheels() -> list[Path]:
    """The browser's wheels, but for our own: the sources are in the payload."""
    found = Path(os.environ["PY_AGENT_DIST"], "wheels").glob("*.whl")
    return sorted(wheel for wheel in found if not wheel.name.startswith("py_agent-"))
