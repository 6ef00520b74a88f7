"""Packages through cffi, beside Python's own.

with Package(path) as model:
    assert torch.equal(model.run(x)[0], eager(x))
    assert model.call(x, mask=None) == …
"""

from __future__ import annotations

import json
from typing import Any

import torch

from tests.harness.capi import ffi, handles, lib, ok, out, string, tensor
from tests.harness.values import device as made_device
from tests.harness.values import made, python, value, values


class Package:
    def __init__(self, path, name=None, *, single_threaded=False, num_runners=1, device=None):
        loaded = out("ctorch_package *")
        place = ffi.NULL if device is None else made_device(device)
        name = ffi.NULL if name is None else name.encode()
        ok(lib.ctorch_package_load(loaded, str(path).encode(), name, single_threaded, num_runners, place))
        self.owned = ffi.gc(loaded[0], lib.ctorch_package_release)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self) -> None:
        ffi.release(self.owned)

    def run(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        listed = out("ctorch_tensor_list *")
        ok(lib.ctorch_package_run(listed, self.owned, *handles(list(inputs))))
        return tensors(listed[0])

    def call(self, *args: Any, **kwargs: Any) -> Any:
        data, length, _kept = values(args)
        named = value(kwargs) if kwargs else ffi.NULL
        return python(made("ctorch_package_call", self.owned, data, length, named))

    def metadata(self) -> dict[str, str]:
        return python(made("ctorch_package_metadata", self.owned))

    def inputs(self) -> list[dict[str, Any]]:
        return python(made("ctorch_package_inputs", self.owned))

    def call_spec(self) -> tuple[Any, Any]:
        arguments, results = out("ctorch_string *"), out("ctorch_string *")
        ok(lib.ctorch_package_call_spec(arguments, results, self.owned))
        return json.loads(string(arguments[0])), json.loads(string(results[0]))

    def constant_names(self) -> list[str]:
        return python(made("ctorch_package_constant_names", self.owned))

    def constants(self, *, inactive=False) -> dict[str, torch.Tensor]:
        return python(made("ctorch_package_constants", self.owned, inactive))

    def update(self, constants, *, inactive=False, full=True, user_managed=False) -> None:
        ok(lib.ctorch_package_update_constants(self.owned, value(constants), inactive, full, user_managed))

    def swap(self) -> None:
        ok(lib.ctorch_package_swap_constants(self.owned))

    def free_inactive(self) -> None:
        ok(lib.ctorch_package_free_inactive_constants(self.owned))


def tensors(listed) -> list[torch.Tensor]:
    """The tensors of a list, which is released."""
    found = []
    for i in range(lib.ctorch_tensor_list_len(listed)):
        one = out("ctorch_tensor *")
        ok(lib.ctorch_tensor_list_get(one, listed, i))
        found.append(tensor(one[0]))
    lib.ctorch_tensor_list_release(listed)
    return found


def model_names(path) -> list[str]:
    return python(made("ctorch_package_model_names", str(path).encode()))


__all__ = ["Package", "model_names", "tensors"]
