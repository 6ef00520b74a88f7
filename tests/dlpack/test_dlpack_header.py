"""ctorch.h and DLPack's own header in one file: in both orders, in C and C++, as LibTorch and tvm-ffi ship it."""

from __future__ import annotations

import importlib.util
import itertools
import os
import subprocess
from pathlib import Path

import pytest

from tests.harness.capi import BUILD
from tests.product.check_headers import C_STANDARDS, COMPILERS, CXX_STANDARDS, command, compile_text

INCLUDE = Path(__file__).parents[2] / "include"
# A call with the types of DLPack's header, without a cast: they are the same types.
USE = """
ctorch_error *both(const ctorch_tensor *x, ctorch_tensor *y, DLManagedTensorVersioned *in, DLManagedTensor *old);
ctorch_error *both(const ctorch_tensor *x, ctorch_tensor *y, DLManagedTensorVersioned *in, DLManagedTensor *old) {
  ctorch_tensor *a = NULL, *b = NULL, *c = NULL, *d = NULL;
  DLManagedTensorVersioned *out = NULL;
  DLManagedTensor *out_old = NULL;
  const DLPackExchangeAPI *api = ctorch_dlpack_exchange_api();
  DLTensor view;
  int32_t type, id;
  CTORCH_TRY(ctorch_tensor_dlpack_device(&type, &id, x));
  CTORCH_TRY(ctorch_tensor_to_dltensor(&view, y, true));
  CTORCH_TRY(ctorch_tensor_from_dltensor(&a, &view, NULL, NULL));
  CTORCH_TRY(ctorch_tensor_from_dlpack(&b, NULL, in));
  CTORCH_TRY(ctorch_tensor_from_dlpack_unversioned(&c, old));
  CTORCH_TRY(ctorch_tensor_to_dlpack(&out, y, NULL, NULL, NULL, false));
  CTORCH_TRY(ctorch_tensor_to_dlpack_unversioned(&out_old, y, NULL, NULL, NULL));
  ctorch_dlpack_release(out);
  ctorch_dlpack_unversioned_release(out_old);
  return ctorch_dlpack_exchange_import(&d, NULL, api, y);
}
"""


def headers_of_dlpack() -> dict[str, Path]:
    """Package -> the header it ships."""
    inside = {"torch": "include/ATen/dlpack.h", "tvm_ffi": "include/dlpack/dlpack.h"}
    folders = {name: importlib.util.find_spec(name).submodule_search_locations[0] for name in inside}
    return {name: Path(folders[name], path) for name, path in inside.items()}


@pytest.mark.parametrize("package", ["torch", "tvm_ffi"])
def test_dlpacks_header_may_come_before_or_after_ours(package):
    theirs = headers_of_dlpack()[package]
    cases = list(itertools.product(COMPILERS, (*C_STANDARDS, *CXX_STANDARDS), (False, True)))
    for compiler, standard, theirs_first in cases:
        includes = [f'#include "{theirs}"\n', '#include "ctorch.h"\n']
        text = "".join(includes if theirs_first else includes[::-1]) + USE
        output = compile_text(command(compiler, standard, INCLUDE), text)
        assert not output, f"{compiler} -std={standard}, theirs first: {theirs_first}\n{output}"
    assert len(cases) == 2 * 7 * 2


def test_the_check_can_say_no():
    theirs = f'#include "{headers_of_dlpack()["torch"]}"\n'
    wrong = theirs + '#include "ctorch.h"\n' + USE.replace("&out, y", "&out_old, y")
    assert "incompatible" in compile_text(command("gcc", "c11", INCLUDE), wrong)
    # What a tag of our own for DLTensor would do: this is why it travels as void *.
    assert "DLTensor" in compile_text(command("gcc", "c++17", INCLUDE), "struct DLTensor;\n" + theirs)


def test_without_dlpacks_header_a_program_links(tmp_path):
    """Passing a managed tensor on needs no definition of it."""
    library = Path(os.environ.get("CTORCH_LIBRARY", BUILD / "libctorch.so"))
    source = tmp_path / "relay.c"
    source.write_text(
        '#include "ctorch.h"\n'
        "int main(void) {\n"
        "  const float one = 1;\n"
        "  const int64_t size = 1;\n"
        "  struct DLManagedTensorVersioned *managed = NULL;\n"
        "  ctorch_tensor *x = NULL, *y = NULL;\n"
        "  double value = 0;\n"
        "  if (ctorch_tensor_from_data(&x, &one, sizeof one, &size, 1, CTORCH_DTYPE_FLOAT32) != NULL) return 1;\n"
        "  if (ctorch_tensor_to_dlpack(&managed, x, NULL, NULL, NULL, false) != NULL) return 2;\n"
        "  if (ctorch_tensor_from_dlpack(&y, NULL, managed) != NULL) return 3;\n"
        "  if (ctorch_tensor_item_double(&value, y) != NULL) return 4;\n"
        "  ctorch_tensor_release(x);\n"
        "  ctorch_tensor_release(y);\n"
        "  return value == 1 ? 0 : 5;\n"
        "}\n"
    )
    program = tmp_path / "relay"
    subprocess.run(
        ["gcc", "-std=c11", f"-I{INCLUDE}", str(source), str(library), f"-Wl,-rpath,{library.parent}", "-o", program],
        check=True,
    )
    assert subprocess.run([program], check=False).returncode == 0
