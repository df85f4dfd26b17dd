"""Children for tests that kill."""

from collections.abc import Iterator

import pytest

from tests.crash.children import Children


@pytest.fixture(scope="package")
def children() -> Iterator[Children]:
    children = Children()
    yield children
    children.close()
