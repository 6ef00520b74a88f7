"""Batch norms as part of the layer before them, and weights in another memory format, beside torch.nn.utils."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import utils

from tests.nn.net import Net, make, raw, sequential
from tests.nn.test_nn import ctorch, theirs
from tests.nn_utils.test_utils import ours, same

LAYERS = {
    "Conv1d": ((4, 6, 3), (2, 4, 7)),
    "Conv2d": ((4, 6, 3), (2, 4, 5, 5)),
    "Conv3d": ((2, 6, 2), (1, 2, 4, 4, 4)),
    "ConvTranspose2d": ((4, 6, 3), (2, 4, 5, 5)),
    "Linear": ((4, 6), (3, 4)),
}


def loaded(expected, mine):
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    return expected, mine


def layers(name, bias=True, affine=True, features=6, dtype=torch.float32):
    torch.manual_seed(0)
    kind = f"BatchNorm{max(1, len(LAYERS[name][1]) - 2)}d"
    layer = loaded(getattr(nn, name)(*LAYERS[name][0], bias=bias), make(name, *LAYERS[name][0], bias=bias))
    norm = loaded(getattr(nn, kind)(features, affine=affine), make(kind, features, affine=affine))
    with torch.no_grad():
        for b in norm[0].state_dict().values():
            if b.is_floating_point():
                b.uniform_(0.5, 2)
    loaded(*norm)
    for expected, mine in (layer, norm):
        expected.eval()
        mine.eval()
        expected.to(dtype)
        mine.to(dtype=ours(torch.zeros(0, dtype=dtype)).dtype)
    return layer, norm


def fuse(layer, norm, which, transpose=False):
    """Both, or what both refuse."""
    mine = Net(layer[1].module), norm[1].module
    try:
        if which == "linear":
            expected = utils.fuse_linear_bn_eval(layer[0], norm[0])
        else:
            expected = utils.fuse_conv_bn_eval(layer[0], norm[0], transpose)
    except Exception as error:  # noqa: BLE001
        kind = ValueError if isinstance(error, AssertionError) else type(error)
        with pytest.raises(kind) as found:
            fuse_ours(mine[0].module, mine[1], which, transpose)
        return error, found.value
    return expected, Net(fuse_ours(mine[0].module, mine[1], which, transpose))


def fuse_ours(layer, norm, which, transpose):
    if which == "linear":
        return raw.module_fuse_linear_bn_eval(layer, norm)
    return raw.module_fuse_conv_bn_eval(layer, norm, transpose)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("name", LAYERS)
def test_fused(name, bias, affine, frozen, dtype):
    layer, norm = layers(name, bias, affine, dtype=dtype)
    if frozen:
        layer[0].requires_grad_(False)
        layer[1].requires_grad_(False)
    before = layer[1].state_dict()
    which = "linear" if name == "Linear" else "conv"
    expected, mine = fuse(layer, norm, which, "Transpose" in name)
    if name == "Linear" and not affine:
        assert isinstance(expected, TypeError) and "must not be None" in str(mine)
        return
    assert repr(mine) == repr(expected) and list(mine.state_dict()) == list(expected.state_dict())
    for a, b in zip(mine.parameters(), expected.parameters(), strict=True):
        assert same(a, b) and a.requires_grad == b.requires_grad and a.is_leaf
    x = torch.randn(LAYERS[name][1]).to(dtype)
    assert same(mine(ours(x)), expected(x))
    for k, v in layer[1].state_dict().items():
        assert same(v, theirs(before[k]))


def test_one_feature_for_all():
    layer, norm = layers("Linear", features=1)
    expected, mine = fuse(layer, norm, "linear")
    assert same(mine.get_parameter("weight"), expected.weight) and same(mine.get_parameter("bias"), expected.bias)


def test_what_is_refused():
    for which, name in (("linear", "Linear"), ("conv", "Conv2d")):
        for i in (0, 1):
            both = layers(name)
            for module in both[i]:
                module.train()
            assert "Fusion only for eval!" in str(fuse(*both, which)[1])
        layer, norm = layers(name)
        norm[0].running_mean = None
        norm[1].register_buffer("running_mean", None)
        assert "must not be None" in str(fuse(layer, norm, which)[1])
        layer, norm = layers(name, features=4)
        fuse(layer, norm, which)
        with pytest.raises(TypeError, match="bn must be a batch norm, not "):
            fuse_ours(layer[1].module, layer[1].module, which, False)
        layer, norm = layers(name)
        raw.module_weight_norm(layer[1].module, "weight", 0)
        with pytest.raises(RuntimeError, match="computed from other parameters"):
            fuse_ours(layer[1].module, norm[1].module, which, False)
        with pytest.raises((KeyError, AttributeError, IndexError), match="no attribute 'weight'"):
            bare = make("ReLU")
            bare.eval()
            fuse_ours(bare.module, norm[1].module, which, False)


def strides(module):
    return {name: theirs(p).stride() for name, p in module.named_parameters()}


@pytest.mark.parametrize("dims, form", [(2, "channels_last"), (3, "channels_last_3d"), (2, "contiguous_format")])
def test_weights_in_another_memory_format(dims, form):
    def build(of, sequence):
        conv, transposed = getattr(of, f"Conv{dims}d"), getattr(of, f"ConvTranspose{dims}d")
        return sequence(conv(3, 4, 3), sequence(transposed(4, 2, 2)), getattr(of, f"Conv{5 - dims}d")(2, 2, 2))

    expected, mine = loaded(build(nn, nn.Sequential), build(ctorch_modules, lambda *children: sequential(*children)))
    getattr(utils, f"convert_conv{dims}d_weight_memory_format")(expected, getattr(torch, form))
    weight = mine.get_parameter("0.weight")
    getattr(raw, f"module_convert_conv{dims}d_weight_memory_format")(mine.module, getattr(ctorch, form))
    assert strides(mine) == {name: p.stride() for name, p in expected.named_parameters()}
    assert all(same(a, b) for a, b in zip(mine.parameters(), expected.parameters(), strict=True))
    assert theirs(mine.get_parameter("0.weight")).data_ptr() == theirs(weight).data_ptr()
    wrong = {2: "channels_last_3d", 3: "channels_last"}[dims]
    with pytest.raises(RuntimeError):
        getattr(utils, f"convert_conv{dims}d_weight_memory_format")(expected, getattr(torch, wrong))
    with pytest.raises(RuntimeError):
        getattr(raw, f"module_convert_conv{dims}d_weight_memory_format")(mine.module, getattr(ctorch, wrong))


class ctorch_modules:  # noqa: N801
    Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d = (
        staticmethod(lambda *args, name=name: make(name, *args))
        for name in ("Conv2d", "Conv3d", "ConvTranspose2d", "ConvTranspose3d")
    )
