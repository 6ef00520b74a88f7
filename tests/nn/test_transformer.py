"""Transformers beside Python's."""

from __future__ import annotations

import warnings

import pytest
import torch

from tests.nn.compare import across, compare, compare_call, compare_state, create, ctorch, raw, refuses, same

pytestmark = pytest.mark.filterwarnings("ignore:enable_nested_tensor", "ignore:The PyTorch API of nested tensors")
BOTH = ("train", "eval")
L, S, N, E, H = 4, 3, 2, 8, 2
LAYER = [
    {},
    {"batch_first": True, "activation": "gelu", "norm_first": True},
    {"bias": False, "dropout": 0.0},
    {"layer_norm_eps": 0.1, "batch_first": True},
]


def masked(length):
    padding = torch.zeros(N, length, dtype=torch.bool)
    padding[1, -1] = True
    return torch.ones(length, length).triu(1).bool(), padding


@pytest.mark.parametrize("options", LAYER, ids=str)
@pytest.mark.parametrize("batched", [True, False])
def test_encoder_layer(options, batched):
    shape = (L, E) if not batched else (N, L, E) if options.get("batch_first") else (L, N, E)
    mask, padding = masked(L)
    for keywords in ({}, {"src_mask": mask}, {"src_key_padding_mask": padding if batched else padding[1]}):
        torch.manual_seed(0)
        x = torch.randn(shape, requires_grad=True)
        compare("TransformerEncoderLayer", {"args": (E, H, 16)} | options, [x], keywords, modes=BOTH)


@pytest.mark.parametrize("options", LAYER, ids=str)
@pytest.mark.parametrize("batched", [True, False])
def test_decoder_layer(options, batched):
    first = options.get("batch_first")
    shapes = [(n, E) if not batched else (N, n, E) if first else (n, N, E) for n in (L, S)]
    mask, padding = masked(L)
    _, memory_padding = masked(S)
    for keywords in (
        {},
        {"tgt_mask": mask, "memory_mask": torch.zeros(L, S).bool(), "tgt_is_causal": True},
        {
            "tgt_key_padding_mask": padding if batched else padding[1],
            "memory_key_padding_mask": memory_padding if batched else memory_padding[1],
        },
    ):
        torch.manual_seed(0)
        inputs = [torch.randn(s, requires_grad=True) for s in shapes]
        compare("TransformerDecoderLayer", {"args": (E, H, 16)} | options, inputs, keywords, modes=BOTH)


@pytest.mark.parametrize("activation", ["ReLU", "GELU", "SiLU"])
def test_activations_of_ones_own(activation):
    for name, inputs in (("TransformerEncoderLayer", 1), ("TransformerDecoderLayer", 2)):
        torch.manual_seed(5)
        expected = getattr(torch.nn, name)(E, H, 16, activation=getattr(torch.nn, activation)())
        torch.manual_seed(5)
        module = getattr(ctorch.nn, name)(E, H, 16, activation=getattr(ctorch.nn, activation)())
        assert str(raw.module_repr(module)) == repr(expected)
        compare_state(module, expected)
        compare_call(module, expected, [torch.randn(L, N, E) for _ in range(inputs)], {})


def stacks(name, norm, **options):
    """An encoder or decoder of two layers in both libraries."""
    made = []
    for library in (torch.nn, ctorch.nn):
        torch.manual_seed(5)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            layer = getattr(library, f"Transformer{name}Layer")(E, H, 16, **options)
            made.append(getattr(library, f"Transformer{name}")(layer, 2, library.LayerNorm(E) if norm else None))
    expected, module = made
    assert str(raw.module_repr(module)) == repr(expected)
    compare_state(module, expected)
    return module, expected


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("options", LAYER, ids=str)
def test_encoder(options, norm):
    module, expected = stacks("Encoder", norm, **options)
    mask, padding = masked(L)
    causal = torch.nn.Transformer.generate_square_subsequent_mask(L)
    shape = (N, L, E) if options.get("batch_first") else (L, N, E)
    for mode in BOTH:
        raw.module_train(module, mode == "train")
        expected.train(mode == "train")
        for keywords in (
            {},
            {"mask": mask},
            {"mask": causal},
            {"mask": causal, "is_causal": True},
            {"src_key_padding_mask": padding},
        ):
            compare_call(module, expected, [torch.randn(shape, requires_grad=True)], keywords)


@pytest.mark.parametrize("options", [{"batch_first": True}, {"batch_first": True, "activation": "gelu"}], ids=str)
def test_the_fused_operators_where_python_takes_them(options):
    """Without gradients, in evaluation: a fused operator, on a nested tensor if padding hides rows."""
    module, expected = stacks("Encoder", True, **options)
    raw.module_train(module, False)
    expected.eval()
    mask, padding = masked(L)
    unaligned = torch.zeros(N, L, dtype=torch.bool)
    unaligned[0, 0] = True
    raw.grad_mode_push(False)
    try:
        with torch.no_grad():
            for keywords in (
                {},
                {"mask": mask},
                {"src_key_padding_mask": padding},
                {"src_key_padding_mask": unaligned},
                {"mask": mask, "src_key_padding_mask": padding},
            ):
                compare_call(module, expected, [torch.randn(N, L, E)], keywords)
    finally:
        raw.grad_mode_pop()


@pytest.mark.parametrize("norm", [False, True])
def test_decoder(norm):
    module, expected = stacks("Decoder", norm)
    mask, padding = masked(L)
    for keywords in ({}, {"tgt_mask": mask}, {"tgt_key_padding_mask": padding}):
        inputs = [torch.randn(L, N, E, requires_grad=True), torch.randn(S, N, E, requires_grad=True)]
        compare_call(module, expected, inputs, keywords)


@pytest.mark.parametrize("options", [{}, {"batch_first": True, "norm_first": True, "activation": "gelu"}], ids=str)
def test_transformer(options):
    arguments = {"args": (E, H, 2, 1, 16)} | options
    shapes = [(N, n, E) if options else (n, N, E) for n in (S, L)]
    mask, _ = masked(L)
    for keywords in ({}, {"tgt_mask": torch.nn.Transformer.generate_square_subsequent_mask(L)}, {"tgt_mask": mask}):
        torch.manual_seed(0)
        compare("Transformer", arguments, [torch.randn(s, requires_grad=True) for s in shapes], keywords, modes=BOTH)
    compare("Transformer", arguments, [torch.randn(n, E) for n in (S, L)])


def test_an_encoder_of_ones_own():
    made = []
    for library in (torch.nn, ctorch.nn):
        torch.manual_seed(5)
        own = library.TransformerEncoder(library.TransformerEncoderLayer(E, H, 16, 0.0), 1)
        made.append(library.Transformer(E, H, 1, 1, 16, custom_encoder=own))
    expected, module = made
    compare_state(module, expected)
    compare_call(module, expected, [torch.randn(S, N, E), torch.randn(L, N, E)], {})


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_the_mask_of_a_causal_model(dtype):
    expected = torch.nn.Transformer.generate_square_subsequent_mask(4, dtype=dtype)
    assert same(ctorch.nn.Transformer_generate_square_subsequent_mask(4, dtype=across(dtype)), expected)


@pytest.mark.parametrize(
    "name, options, inputs, kind",
    [
        ("TransformerEncoderLayer", {"args": (8, 3)}, None, ValueError),
        ("TransformerEncoderLayer", {"args": (8, 2), "activation": "silu"}, None, None),
        ("TransformerEncoderLayer", {"args": (8, 2), "dropout": 2.0}, None, None),
        ("TransformerDecoderLayer", {"args": (8, 2), "dim_feedforward": -1}, None, None),
        ("TransformerEncoderLayer", {"args": (8, 2, 4)}, [(4, 2, 6)], ValueError),
        ("Transformer", {"args": (8, 2, 1, 1, 4)}, [(4, 2, 8), (4, 3, 8)], None),
        ("Transformer", {"args": (8, 2, 1, 1, 4)}, [(4, 2, 6), (4, 2, 6)], None),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(name, options, inputs, kind):
    refuses(name, options, inputs and [torch.zeros(s) for s in inputs], kind=kind)


def test_no_layers():
    module, _ = stacks("Encoder", False)
    empty = ctorch.nn.TransformerEncoder(ctorch.nn.TransformerEncoderLayer(E, H, 16), 0)
    with pytest.raises(IndexError):
        raw.module_forward(empty, ctorch.aten.zeros([L, N, E]))
    raw.module_unregister(module, "layers")
    with pytest.raises(RuntimeError, match="the module has no layers"):
        raw.module_forward(module, ctorch.aten.zeros([L, N, E]))


def test_copies_compute_the_same():
    module, expected = create("Transformer", {"args": (E, H, 1, 1, 16), "dropout": 0.0})
    compare_call(raw.module_copy(module), expected, [torch.randn(S, N, E), torch.randn(L, N, E)], {})
