"""What tests of packages share: the table's models, each compiled once and kept in the build folder."""

import pytest


@pytest.fixture(scope="session")
def compiled():
    """compiled(name) is the path of the package of a model of package_models.MODELS."""
    from tests.export.package_models import package

    return package
