"""Every public name of torch.nn.utils, its modules and torch.optim.swa_utils is there, or says here why it is not."""

from __future__ import annotations

import importlib
import inspect
import typing

import pytest
import torch

from tests.nn.net import raw
from tests.nn.test_nn import ctorch

MODULES = [
    "torch.nn.utils",
    "torch.nn.utils.parametrize",
    "torch.nn.utils.parametrizations",
    "torch.nn.utils.prune",
    "torch.nn.utils.rnn",
    "torch.nn.utils.stateless",
    "torch.optim.swa_utils",
]

# What has another name here, or one of several: what raw calls it.
NAMED = {
    "torch.nn.utils.weight_norm": "module_weight_norm",
    "torch.nn.utils.remove_weight_norm": "module_remove_weight_norm",
    "torch.nn.utils.spectral_norm": "module_spectral_norm",
    "torch.nn.utils.remove_spectral_norm": "module_remove_spectral_norm",
    "torch.nn.utils.parametrize.ParametrizationList": "module_register_parametrization",
    "torch.nn.utils.parametrize.cached": "module_cached_push",
    "torch.nn.utils.parametrize.is_parametrized": "module_is_parametrized",
    "torch.nn.utils.parametrize.register_parametrization": "module_register_parametrization",
    "torch.nn.utils.parametrize.remove_parametrizations": "module_remove_parametrizations",
    "torch.nn.utils.parametrize.transfer_parametrizations_and_params": ("module_transfer_parametrizations_and_params"),
    "torch.nn.utils.parametrize.type_before_parametrizations": "module_type_before_parametrizations",
    "torch.nn.utils.parametrizations.orthogonal": "module_parametrize_orthogonal",
    "torch.nn.utils.parametrizations.spectral_norm": "module_parametrize_spectral_norm",
    "torch.nn.utils.parametrizations.weight_norm": "module_parametrize_weight_norm",
    "torch.nn.utils.stateless.functional_call": "module_functional_call",
    "torch.optim.swa_utils.AveragedModel": "module_averaged_model",
    "torch.optim.swa_utils.get_ema_avg_fn": "module_averaged_model",
    "torch.optim.swa_utils.get_ema_multi_avg_fn": "module_averaged_model",
    "torch.optim.swa_utils.get_swa_avg_fn": "module_averaged_model",
    "torch.optim.swa_utils.get_swa_multi_avg_fn": "module_averaged_model",
    "torch.nn.utils.convert_conv2d_weight_memory_format": "module_convert_conv2d_weight_memory_format",
    "torch.nn.utils.convert_conv3d_weight_memory_format": "module_convert_conv3d_weight_memory_format",
    "torch.nn.utils.fuse_conv_bn_eval": "module_fuse_conv_bn_eval",
    "torch.nn.utils.fuse_linear_bn_eval": "module_fuse_linear_bn_eval",
    "torch.nn.utils.prune.is_pruned": "module_is_pruned",
    "torch.nn.utils.prune.BasePruningMethod": "module_prune_by",
    "torch.nn.utils.prune.CustomFromMask": "module_prune_custom_from_mask",
    "torch.nn.utils.prune.Identity": "module_prune_identity",
    "torch.nn.utils.prune.L1Unstructured": "module_prune_l1_unstructured",
    "torch.nn.utils.prune.LnStructured": "module_prune_ln_structured",
    "torch.nn.utils.prune.PruningContainer": "module_prune_by",
    "torch.nn.utils.prune.RandomStructured": "module_prune_random_structured",
    "torch.nn.utils.prune.RandomUnstructured": "module_prune_random_unstructured",
    "torch.optim.swa_utils.update_bn": "module_update_bn",
} | {
    f"torch.nn.utils.prune.{name}": f"module_prune_{name}"
    for name in """
custom_from_mask global_unstructured identity l1_unstructured ln_structured random_structured random_unstructured
remove""".split()
}

DATA = "packed sequences are their four tensors here"
LEFT_OUT = {
    "torch.nn.utils.clip_grad_norm": "deprecated name of clip_grad_norm_",
    "torch.nn.utils.skip_init": "ctorch_nn_skip_init, or the meta device, which every constructor takes",
    "torch.nn.utils.rnn.PackedSequence": DATA,
    "torch.nn.utils.rnn.PackedSequence_": DATA,
    "torch.nn.utils.rnn.bind": "a helper of PackedSequence",
    "torch.nn.utils.stateless.NamedMemberAccessor": "get_parameter and get_buffer",
    "torch.optim.swa_utils.SWALR": "a scheduler of learning rates, with the optimizers",
    "torch.optim.swa_utils.LRScheduler": "imported there",
    "torch.optim.swa_utils.PARAM_LIST": "a type for annotations",
}


def is_borrowed(thing) -> bool:
    """Whether a module only imported it: from the standard library, or from another part of torch that is no part of
    the modules above."""
    if inspect.ismodule(thing) or thing in (torch.Tensor, torch.nn.Module, torch.nn.Parameter):
        return True
    home = getattr(thing, "__module__", None) or ""
    return thing is typing.TYPE_CHECKING or not home.startswith(("torch.nn.utils", "torch.optim", "torch._C._nn"))


def public(module: str) -> list[str]:
    there = importlib.import_module(module)
    names = {n for n in there.__dict__ if not is_borrowed(getattr(there, n))}
    names |= {n for n in getattr(there, "__all__", []) if not inspect.ismodule(getattr(there, n))}
    return sorted(f"{module}.{n}" for n in names if not n.startswith("_"))


@pytest.mark.parametrize("module", MODULES)
def test_every_name_is_there_or_says_why_not(module):
    names = public(module)
    assert names
    for name in names:
        last = name.rpartition(".")[2]
        there = hasattr(raw, NAMED[name]) if name in NAMED else hasattr(ctorch.utils, last)
        assert there != (name in LEFT_OUT), f"{name}: {'it is there' if there else 'neither there nor left out'}"


def test_what_is_left_out_exists_in_python():
    for name in [*LEFT_OUT, *NAMED]:
        module, _, last = name.rpartition(".")
        assert hasattr(importlib.import_module(module), last), name
