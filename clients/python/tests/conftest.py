"""A client on the server that `cargo xtask clients` has started."""

import os
import uuid
from collections.abc import Iterator

import pytest

from selfhood import Selfhood

URL = os.environ["SELFHOOD_TEST_URL"]
OWNER_KEY = os.environ["SELFHOOD_TEST_OWNER_KEY"]
FORWARDED_KEY = os.environ["SELFHOOD_TEST_FORWARDED_KEY"]
PERSONA = "inara"


@pytest.fixture
def owner() -> Iterator[Selfhood]:
    with Selfhood(URL, OWNER_KEY) as client:
        yield client


@pytest.fixture
def guest() -> Iterator[Selfhood]:
    """A client on behalf of somebody nobody has met before."""
    with Selfhood(URL, FORWARDED_KEY, subject=f"guest-{uuid.uuid4().hex[:8]}") as client:
        yield client
