"""Nodes: walks over many graphs see the nodes, names, edges, shapes and leaves that Python sees."""

import pytest
import torch
from torch import nn
from torch.autograd.graph import get_gradient_edge

from tests.autograd.test_autograd import leaf, tensors_of
from tests.harness.capi import fails, ffi, handle, handles, lib, ok, out, string, tensor

DTYPES = {torch.float32: "FLOAT32", torch.float64: "FLOAT64", torch.complex128: "COMPLEX128"}


def node_of(function, *args):
    """The node that a function gives out, released with the result; None for NULL."""
    node = out("ctorch_node *")
    ok(function(node, *args))
    return ffi.gc(node[0], lib.ctorch_node_release) if node[0] else None


def grad_fn(t):
    return node_of(lib.ctorch_tensor_grad_fn, handle(t))


def name(node):
    result = out("ctorch_string *")
    ok(lib.ctorch_node_name(result, node))
    return string(result[0])


def variable(node):
    result = out("ctorch_tensor *")
    ok(lib.ctorch_node_variable(result, node))
    return tensor(result[0]) if result[0] else None


def next_of(node, i):
    input_nr = out("int64_t")
    return node_of(lib.ctorch_node_next, input_nr, node, i), input_nr[0]


def metadata(node, i):
    dtype, device, sizes, length = out("ctorch_dtype"), out("ctorch_device"), ffi.new("const int64_t **"), out("size_t")
    ok(lib.ctorch_node_input_metadata(dtype, device, sizes, length, node, i))
    return dtype[0], device[0].type, tuple(sizes[0][0 : length[0]])


def walk(root):
    """Every node in the order of a depth-first walk: name, sequence number, edges, leaf, shapes."""
    order, todo, nodes = {}, [root], []
    while todo:
        node = todo.pop()
        key = lib.ctorch_node_id(node)
        if key in order:
            continue
        order[key] = len(order)
        nodes.append(node)
        edges = [next_of(node, i) for i in range(lib.ctorch_node_num_outputs(node))]
        todo += [n for n, _ in edges if n is not None]
    result = []
    for node in nodes:
        edges = [next_of(node, i) for i in range(lib.ctorch_node_num_outputs(node))]
        result.append(
            (
                name(node),
                lib.ctorch_node_sequence_nr(node),
                [(None if n is None else order[lib.ctorch_node_id(n)], k) for n, k in edges],
                variable(node),
            )
        )
    return result, nodes


def python_walk(root):
    order, todo = {}, [root]
    while todo:
        node = todo.pop()
        if node in order:
            continue
        order[node] = len(order)
        todo += [n for n, _ in node.next_functions if n is not None]
    result = []
    for node in order:
        edges = [(None if n is None else order[n], k) for n, k in node.next_functions]
        # AccumulateGrad's sequence number is 2^64 - 1, which Python reads as a signed number
        number = node._sequence_nr() % 2**64 if hasattr(node, "_sequence_nr") else None
        result.append((node.name(), number, edges, getattr(node, "variable", None)))
    return result, list(order)


def conv_net():
    net = nn.Sequential(
        nn.Conv2d(3, 4, 3, padding=1),
        nn.BatchNorm2d(4),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(64, 10),
        nn.LogSoftmax(1),
    )
    return nn.functional.nll_loss(net(torch.randn(2, 3, 8, 8)), torch.tensor([1, 2]))


def residual():
    x = leaf(4, 4)
    for _ in range(3):
        x = x + torch.tanh(x @ x)
    return x.mean()


def views():
    x = leaf(4, 6)
    y = x.t().reshape(3, 8)[1:, ::2].transpose(0, 1).unsqueeze(0).expand(2, 4, 2)
    return y.contiguous().view(-1).narrow(0, 1, 5)


def in_place():
    x = leaf(4)
    y = x * 2
    v = y[1:3]
    v.mul_(3)
    y.add_(1)
    return (y * v.sum()).relu_()


def several_results():
    a, b, c = leaf(6).split(2)
    values, _ = torch.stack([a, b, c]).max(0)
    u, s, _ = torch.linalg.svd(leaf(3, 2), full_matrices=False)
    return (values.sum() + s.prod()) * u.sum()


def lists():
    parts = [leaf(2, seed=i) for i in range(4)]
    return torch.cat([*parts, torch.ones(2).double()]).sum() + torch.einsum("i,i->", parts[0], parts[1])


def complex_numbers():
    z = leaf(3, dtype=torch.complex128)
    return (z * z.conj()).real.sum() + torch.view_as_real(z).abs().sum()


def second_derivative():
    x = leaf(3)
    (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    return (g**2).sum()


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * 2, y * 2

    @staticmethod
    def backward(ctx, a, b):
        return a * 2, b * 2


def custom():
    a, b = Doubled.apply(leaf(2).exp(), leaf(2))
    return (a * b).sum()


def lstm():
    cell = nn.LSTM(3, 4)
    output, _ = cell(torch.randn(2, 1, 3))
    return output.sum()


def attention():
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    return layer(torch.randn(1, 3, 8)).sum()


def indexing():
    x = leaf(5, 5)
    y = x[torch.tensor([0, 2]), 1:]
    y = y.index_put((torch.tensor([0]),), leaf(4, seed=2))
    return torch.where(y > 0, y, -y).masked_fill(y > 1, 0.0).cumsum(0)


def a_leaf_alone():
    return leaf(2).view_as(leaf(2))


def checkpointed():
    x = leaf(3)
    return torch.utils.checkpoint.checkpoint(lambda t: t.sin().cos(), x, use_reentrant=True).sum()


GRAPHS = [
    conv_net,
    residual,
    views,
    in_place,
    several_results,
    lists,
    complex_numbers,
    second_derivative,
    custom,
    lstm,
    attention,
    indexing,
    a_leaf_alone,
    checkpointed,
]


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda f: f.__name__)
def test_a_walk_sees_what_python_sees(graph):
    torch.manual_seed(0)
    y = graph()
    expected, python_nodes = python_walk(y.grad_fn)
    got, nodes = walk(grad_fn(y))
    assert len(got) == len(expected)
    for ours, theirs, node, python_node in zip(got, expected, nodes, python_nodes, strict=True):
        assert ours[0] == theirs[0] == python_node.name()
        assert theirs[1] is None or ours[1] == theirs[1]
        assert ours[2] == theirs[2]
        assert ours[3] is theirs[3]
        if hasattr(python_node, "_input_metadata"):
            described = python_node._input_metadata
            assert lib.ctorch_node_num_inputs(node) == len(described)
            for i, m in enumerate(described):
                try:
                    shape = tuple(m.shape)
                except RuntimeError:
                    assert fails(metadata_of_nothing(node, i))[0] == "RUNTIME"
                    continue
                dtype = getattr(lib.c, f"CTORCH_DTYPE_{DTYPES[m.dtype]}")
                assert metadata(node, i) == (dtype, lib.c.CTORCH_DEVICE_TYPE_CPU, shape)


def metadata_of_nothing(node, i):
    return lib.ctorch_node_input_metadata(ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL, node, i)


def test_a_leaf_has_an_edge_but_no_grad_fn():
    x = leaf(2)
    assert grad_fn(x) is None
    input_nr = out("int64_t")
    edge = node_of(lib.ctorch_tensor_gradient_edge, input_nr, handle(x))
    assert name(edge) == get_gradient_edge(x).node.name() == "torch::autograd::AccumulateGrad"
    assert variable(edge) is x and input_nr[0] == 0
    assert lib.ctorch_node_sequence_nr(edge) == 2**64 - 1
    again = node_of(lib.ctorch_tensor_gradient_edge, ffi.NULL, handle(x))
    assert again != edge and lib.ctorch_node_equal(again, edge)
    assert lib.ctorch_node_id(again) == lib.ctorch_node_id(edge)


def test_the_edge_of_a_result_says_which_one_it_is():
    parts = leaf(6).split(2)
    for i, part in enumerate(parts):
        input_nr = out("int64_t")
        edge = node_of(lib.ctorch_tensor_gradient_edge, input_nr, handle(part))
        assert input_nr[0] == i == get_gradient_edge(part).output_nr
        assert lib.ctorch_node_equal(edge, grad_fn(parts[0]))
    assert variable(grad_fn(parts[0])) is None


def test_an_edge_needs_grad():
    t = torch.ones(2)
    with pytest.raises(RuntimeError) as expected:
        get_gradient_edge(t)
    node = out("ctorch_node *")
    kind, message = fails(lib.ctorch_tensor_gradient_edge(node, ffi.NULL, handle(t)))
    assert kind == "RUNTIME" and str(expected.value) in message and node[0] == ffi.NULL


def test_indices_are_checked():
    y = leaf(3) * leaf(3)
    node, found = grad_fn(y), out("ctorch_node *")
    for i in (-1, 2, 2**62, -(2**63)):
        kind, message = fails(lib.ctorch_node_next(found, ffi.NULL, node, i))
        assert kind == "INDEX" and str(i) in message
    for i in (-1, 1):
        assert fails(metadata_of_nothing(node, i))[0] == "INDEX"
    assert found[0] == ffi.NULL


def call_node(node, grads):
    result = out("ctorch_tensor_list *")
    ok(lib.ctorch_node_call(result, node, *handles(grads)))
    return tensors_of(result[0])


def test_a_node_can_be_called_like_pythons():
    x, w = leaf(3, seed=1), leaf(3, seed=2)
    for y in (x * w, x.exp(), x[1:], torch.cat([x, w]), x * 2.0):
        g = torch.randn_like(y)
        expected = y.grad_fn(g)
        expected = expected if isinstance(expected, tuple) else (expected,)
        got = call_node(grad_fn(y), [g])
        assert len(got) == len(expected)
        assert all(a is b is None or torch.equal(a, b) for a, b in zip(got, expected, strict=True))
    edge = node_of(lib.ctorch_tensor_gradient_edge, ffi.NULL, handle(x))
    assert call_node(edge, [torch.ones(3).double()]) == []
    assert torch.equal(x.grad, torch.ones(3).double())


def test_calling_a_node_fails_like_pythons():
    x = leaf(3)
    y = x.exp()
    node, result, g = grad_fn(y), out("ctorch_tensor_list *"), torch.ones(3).double()
    with pytest.raises(TypeError) as expected:
        y.grad_fn()
    kind, message = fails(lib.ctorch_node_call(result, node, ffi.NULL, 0))
    assert kind == "TYPE" and str(expected.value) in message
    wrong = torch.ones(7).double()
    kind, _ = fails(lib.ctorch_node_call(result, node, *handles([wrong])))
    assert kind in ("RUNTIME", "SHAPE_MISMATCH")
    y.sum().backward()
    kind, message = fails(lib.ctorch_node_call(result, node, *handles([g])))
    assert kind == "RUNTIME" and "second time" in message
    assert result[0] == ffi.NULL


def test_a_node_keeps_the_graph_alive():
    y = leaf(3, seed=1).exp()
    node = grad_fn(y)
    expected = y.detach().clone()
    del y
    (g,) = call_node(node, [torch.ones(3).double()])
    assert torch.equal(g, expected)
    assert variable(next_of(node, 0)[0]) is not None
