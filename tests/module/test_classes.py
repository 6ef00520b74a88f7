"""Which modules of torch.nn ctorch has, and that their constructors take what Python's take."""

from __future__ import annotations

import inspect

import pytest
import torch

from tests.nn.compare import ctorch

BASE = "what Python's classes inherit from: ctorch's are structs of their own"
ABSENT = {
    "Module": BASE,
    "RNNBase": BASE,
    "RNNCellBase": BASE,
    "Container": "deprecated: Module has its methods",
    "NLLLoss2d": "deprecated: NLLLoss is the same",
    "DataParallel": "copies over devices in threads of one process, which DistributedDataParallel does better",
}
DEPRECATED = {"size_average", "reduce", "min_value", "max_value", "eps_"}
# Arguments that ctorch's constructors lack, or have in another form.
DIFFERENT = {
    "LinearCrossEntropyLoss": {"options": "its fields are arguments of the overload `chunked`"},
    "SyncBatchNorm": {"process_group": "of several processes"},
}
# Constructors of another form: Python takes modules or parameters there.
CONTAINERS = {"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"}


def pythons() -> dict[str, type]:
    found = {name: getattr(torch.nn, name) for name in dir(torch.nn)}
    return {k: v for k, v in found.items() if isinstance(v, type) and issubclass(v, torch.nn.Module)}


@pytest.mark.skipif(not torch.__version__.startswith("2.13."), reason="other versions have other classes")
def test_every_class_is_there_or_known_to_be_absent():
    offered = set(dir(ctorch.nn)) - {"Module"}  # which is there as the type of them all
    assert {name for name in pythons() if name not in offered} == ABSENT.keys()


@pytest.mark.skipif(not torch.__version__.startswith("2.13."), reason="other versions have other arguments")
@pytest.mark.parametrize("name", sorted(pythons().keys() - ABSENT.keys() - CONTAINERS))
def test_arguments(name):
    """Names, their order, and which have defaults; the default overload has Python's first type where there are two."""
    overloads = getattr(ctorch.nn, name)
    function = getattr(overloads, "default", overloads)
    mine = inspect.signature(function).parameters
    signature = inspect.signature(getattr(torch.nn, name).__init__)
    if any(p.kind == p.VAR_POSITIONAL for p in signature.parameters.values()):  # checked by the samples of its test
        return
    left_out = DEPRECATED | DIFFERENT.get(name, {}).keys() | {"self"}
    expected = {k: v for k, v in signature.parameters.items() if k not in left_out}
    assert list(mine) == list(expected)
    for key, parameter in mine.items():
        wanted = expected[key].default
        assert (parameter.default is inspect.Parameter.empty) == (wanted is inspect.Parameter.empty), key
