"""Makes `ctorchgen` importable from wherever pytest is started, and small sets of headers for the tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings-gen"))

BASE = """\
/** Marks and types. */
#ifndef CTORCH_BASE_H
#define CTORCH_BASE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define CTORCH_EXPORT __attribute__((visibility("default")))
#define CTORCH_API __attribute__((visibility("default"), warn_unused_result))
/** A failed call. */
typedef struct ctorch_error ctorch_error;
/** An array. */
typedef struct ctorch_tensor ctorch_tensor;
/**
 * Give an error back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_error_release(ctorch_error *self);
/**
 * Give a tensor back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tensor_release(ctorch_tensor *self);
#endif
"""


@pytest.fixture
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def library() -> Path:
    """The built library: CTORCH_LIBRARY, or in the build directory CTORCH_BUILD."""
    path = os.environ.get("CTORCH_LIBRARY")
    if not path and not os.environ.get("CTORCH_BUILD"):
        pytest.skip("neither CTORCH_LIBRARY nor CTORCH_BUILD is set")
    return Path(path) if path else Path(os.environ["CTORCH_BUILD"]) / "libctorch.so"


@pytest.fixture(scope="session")
def generated(library: Path) -> Path:
    """The directory of api.json and ctorch.cdef.h as the build wrote them."""
    return Path(os.environ.get("CTORCH_BUILD") or library.parent) / "generated"


@pytest.fixture
def include(tmp_path: Path) -> Callable[..., Path]:
    """include(text): an include directory of ctorch.h, ctorch/abi/base.h and a ctorch/sample.h with that text."""

    def make(sample: str) -> Path:
        (tmp_path / "ctorch/abi").mkdir(parents=True)
        (tmp_path / "ctorch/abi/base.h").write_text(BASE)
        (tmp_path / "ctorch/sample.h").write_text(f'#include "ctorch/abi/base.h"\n{sample}')
        (tmp_path / "ctorch.h").write_text(
            '/** All. */\n#include "ctorch/abi/base.h"\n#include "ctorch/sample.h"\n'
            '#include "ctorch/generated/aten.h"\n'
        )
        return tmp_path

    return make
