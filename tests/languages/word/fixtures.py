"""What the tests of libspl_ctorch.so share: where it lies, the transport, and tensors by words."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.build import BUILD
from tests.languages.word.calls import WordLibrary
from tests.languages.word.transport import WordError, Words

ROOT = Path(__file__).parents[3]
GENERATED = BUILD / "generated"
LIBRARY = Path(os.environ.setdefault("CTORCH_LIBRARY", str(BUILD / "libctorch.so")))
os.environ.setdefault("CTORCH_API", str(GENERATED / "api.json"))
API = GENERATED / "api.json"
WORD_LIBRARY = Path(os.environ.setdefault("CTORCH_WORD_LIBRARY", str(BUILD / "libspl_ctorch.so")))
SOURCES = ROOT / "shim" / "word"
INCLUDE = ["-I", str(ROOT / "include"), "-I", str(ROOT / "shim"), "-I", str(GENERATED / "word")]
FLOAT32, FLOAT64, INT64 = 6, 7, 4


@pytest.fixture(scope="module")
def library() -> WordLibrary:
    return WordLibrary(str(LIBRARY), str(WORD_LIBRARY), str(API))


@pytest.fixture
def words(library, tmp_path):
    """The transport; the test has to give back whatever it makes."""
    library.words("last_error_clear")
    if library.words("live_handles") != 0:  # of a test that failed, which shall not make this one fail
        library.start_anew(tmp_path)
    yield library.words
    library.words("last_error_clear")
    assert library.words("live_handles") == 0


@pytest.fixture
def scoped(words):
    """The transport in a scope, which gives back what the test leaves."""
    scope = words("scope_begin")
    yield words
    words("scope_end", scope)


def compiler() -> str:
    found = shutil.which("gcc") or shutil.which("cc")
    if not found:
        pytest.skip("no C compiler: apt install gcc")
    return found


def python(module: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    search = os.pathsep.join([str(ROOT), str(ROOT / "bindings-gen"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-X", "faulthandler", "-m", module, str(API), *arguments]
    return subprocess.run(
        command, env=os.environ | {"PYTHONPATH": search} | environment, capture_output=True, text=True, timeout=300
    )


def tensor(words: Words, values: list, *shape: int, dtype: int = FLOAT32) -> int:
    """A tensor of a list of doubles, whose memory is handed over."""
    data = words.list("doubles", made := [words.number(float(v)) for v in values])
    sizes = words.ints(list(shape))
    wide = words("tensor_from_data", data, sizes, FLOAT64)
    result = words("tensor_to", wide, words("number_int", dtype), 0, 0, 0, 0)
    words.release(data, sizes, wide, *made)
    return result


def values_of(words: Words, handle: int) -> list:
    length = words("tensor_numel", handle) * 8
    text = words("tensor_copy_to_buffer", wide := words("aten_to_dtype", handle, FLOAT64, 0, 0, 0), length, FLOAT64)
    doubles = words("doubles_from_text", text)
    found = [words.take_number(words("doubles_get", doubles, i)) for i in range(words("doubles_len", doubles))]
    words.release(wide, text, doubles)
    return found


def failure(words: Words, *call) -> WordError:
    with pytest.raises(WordError) as caught:
        words(*call)
    return caught.value
