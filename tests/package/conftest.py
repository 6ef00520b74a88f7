"""What tests of packages share: the table's models, each compiled once and kept in the build folder."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))


@pytest.fixture(scope="session")
def compiled():
    """compiled(name) is the path of the package of a model of models.MODELS."""
    from tests.package.models import package

    return package
