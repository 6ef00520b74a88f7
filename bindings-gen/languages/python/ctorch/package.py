"""Compiled models: the packages that `torch._inductor.aoti_compile_and_package` makes.

model = ctorch.package.load("model.pt2")        # a program: load those alone whose origin you trust
y = model(x)                                    # as the model is called in torch; x: a ctorch.Tensor
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import objects, raw
from .plain_data import device as Device
from .streams import path_of
from .tensor import Tensor
from .values import from_value


class Package(objects.Package):
    """A compiled model, which several threads may call at once."""

    __slots__ = ()

    def __init__(self, made: objects.Package) -> None:
        self._package = made._package

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return from_value(raw.package_call(self, list(args), kwargs or None))

    def run(self, *inputs: Tensor) -> list[Tensor]:
        """Run it with its tensors in a row, which gives those of its results in a row."""
        return list(raw.package_run(self, list(inputs)))

    @property
    def metadata(self) -> dict[str, str]:
        return from_value(raw.package_metadata(self))

    @property
    def constants(self) -> dict[str, Tensor]:
        """Copies of the weights in use, by the names they have in torch."""
        return {name: weight.clone() for name, weight in from_value(raw.package_constants(self, False)).items()}

    def update_constants(
        self, constants: Mapping[str, Tensor], *, inactive: bool = False, full: bool = True, user_managed: bool = False
    ) -> None:
        """Replace weights; with `inactive` those that swap_constants brings into use."""
        raw.package_update_constants(self, dict(constants), inactive, full, user_managed)

    def swap_constants(self) -> None:
        raw.package_swap_constants(self)


def model_names(path: Any) -> list[str]:
    """The models in a file."""
    return from_value(raw.package_model_names(path_of(path)))


def load(
    path: Any,
    model_name: str | None = None,
    *,
    single_threaded: bool = False,
    num_runners: int = 1,
    device: str | Device | None = None,
) -> Package:
    """Load a model of a file, for `num_runners` calls at once."""
    return Package(raw.package_load(path_of(path), model_name, single_threaded, num_runners, device))


__all__ = ["Package", "load", "model_names"]
