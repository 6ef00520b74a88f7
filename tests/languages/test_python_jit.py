"""TorchScript as a user of the Python package writes it, beside Python's torch: what one saves the other loads."""

import gc
import io
import typing

import numpy
import pytest
import torch

from tests.languages.test_python import ctorch, ours, same

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)
        self.register_buffer("shift", torch.ones(2))
        self.names = ["a", "b"]

    def forward(self, x, by: float = 2.0):
        return self.linear(x) * by + self.shift

    @torch.jit.export
    def parts(self, x: dict[str, torch.Tensor], n: int) -> tuple[list[torch.Tensor], str]:
        return [v * n for v in x.values()], "-".join(self.names)


def saved(module, **extra_files):
    file = io.BytesIO()
    torch.jit.save(module, file, _extra_files=extra_files)
    return file.getvalue()


@pytest.fixture
def both():
    torch.manual_seed(0)
    theirs = torch.jit.script(Scaled())
    return ctorch.jit.load(saved(theirs)), theirs


def test_a_model_is_loaded_and_run(both, tmp_path):
    mine, theirs = both
    x = torch.randn(4, 3)
    same(mine(ours(x)), theirs(x))
    same(mine(ours(x), by=3), theirs(x, by=3.0))
    array = ctorch.from_numpy(numpy.ones((2, 3), dtype=numpy.float32))
    same(mine(array), theirs(torch.ones(2, 3)))
    tensors, names = mine.parts({"x": ours(x), "y": ours(x * 2)}, 3)
    same(tensors[1], x * 6)
    assert names == "a-b" and mine.names == ["a", "b"]
    assert mine.original_name == "Scaled" and mine.training
    assert [n for n, _ in mine.named_parameters()] == ["linear.weight", "linear.bias"]
    assert [n for n, _ in mine.named_buffers()] == ["shift"]
    assert [n for n, _ in mine.named_modules()] == ["", "linear"]
    same(mine.linear.weight, theirs.linear.weight.detach())
    assert "self.shift" in mine.code and "aten::" in mine.inlined_graph
    assert set(mine.method_names()) == {"forward", "parts"}
    mine.eval().save(tmp_path / "again.pt")
    again = torch.jit.load(tmp_path / "again.pt")
    assert not again.training
    same(mine(ours(x)), again(x))


def test_streams_and_extra_files(both):
    mine, theirs = both
    files = {"labels": "", "none": ""}
    loaded = ctorch.jit.load(io.BytesIO(saved(theirs, labels="cat")), _extra_files=files)
    assert files == {"labels": b"cat", "none": ""}
    stream = io.BytesIO()
    ctorch.jit.save(loaded, stream, {"a": b"\1", "b": "text"})
    stream.seek(0)
    files = {"a": "", "b": ""}
    torch.jit.load(stream, _extra_files=files)
    assert files == {"a": b"\1", "b": b"text"}


def test_what_is_wrong_is_told(both):
    mine, theirs = both
    with pytest.raises(ctorch.Error, match="Traceback of TorchScript"):
        mine(ctorch.zeros(2, 5))
    with pytest.raises(TypeError, match="argument 'x' must be Tensor, not int"):
        mine(1)
    with pytest.raises(AttributeError, match="none"):
        mine.none  # noqa: B018
    with pytest.raises(ctorch.errors.FormatError if hasattr(ctorch.errors, "FormatError") else ctorch.Error):
        ctorch.jit.load(saved(theirs)[:-100])
    with pytest.raises(ctorch.Error, match="undefined value"):
        ctorch.jit.compile("def f(x):\n    return y\n")


def test_functions_are_compiled():
    module = ctorch.jit.compile("def f(x: Tensor, n: int) -> List[Tensor]:\n    return [x * i for i in range(n)]\n")
    same(module.f(ctorch.ones(2), 3)[2], torch.full((2,), 2.0))


def test_freezing_keeps_results(both):
    mine, theirs = both
    x = torch.randn(4, 3)
    frozen = ctorch.jit.freeze(mine.eval())
    same(frozen(ours(x)), torch.jit.freeze(theirs.eval())(x))
    optimized = ctorch.jit.optimize_for_inference(frozen)(ours(x))
    torch.testing.assert_close(torch.from_dlpack(optimized), theirs(x).detach())  # oneDNN may round otherwise


class Residual(ctorch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = ctorch.nn.Linear(6, 6)
        self.second = ctorch.nn.Linear(6, 6, bias=False)
        self.norm = ctorch.nn.LayerNorm(6)

    def forward(self, x, y):
        z = self.first(x).relu() + self.second(y)
        return self.norm(z), {"sum": z.sum()}


def sequential():
    nn = ctorch.nn
    return nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(4 * 3 * 3, 5)
    )


def transformer():
    return ctorch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)


# What reads sizes to make views of them, as attention does, is traced for these sizes; the rest for any batch.
FOR_ONE_SIZE = ["transformer"]
TRACED = [
    ("sequential", sequential, lambda n: (torch.randn(n, 1, 8, 8),)),
    ("residual", Residual, lambda n: (torch.randn(n, 6), torch.randn(n, 6))),
    ("lstm", lambda: ctorch.nn.LSTM(4, 5, num_layers=2, batch_first=True), lambda n: (torch.randn(n, 3, 4),)),
    ("transformer", transformer, lambda n: (torch.randn(n, 5, 8),)),
    ("embedding", lambda: ctorch.nn.Embedding(9, 4), lambda n: (torch.randint(9, (n, 3)),)),
]


def flat(value):
    if isinstance(value, dict):
        value = list(value.values())
    return [x for v in value for x in flat(v)] if isinstance(value, (list, tuple)) else [value]


@pytest.mark.parametrize(("name", "build", "batch"), TRACED, ids=[t[0] for t in TRACED])
@pytest.mark.parametrize("training", [False, True])
def test_a_traced_module_runs_and_trains_in_torch(name, build, batch, training):
    torch.manual_seed(0)
    ctorch.manual_seed(0)
    model = build().train(training)
    example, other = batch(2), batch(2 if name in FOR_ONE_SIZE else 7)
    traced = ctorch.jit.trace(model, tuple(map(ours, example)), check_trace=not training)
    stream = io.BytesIO()
    traced.save(stream)
    stream.seek(0)
    theirs = torch.jit.load(stream)
    assert theirs.training is training
    assert [n for n, _ in theirs.named_parameters()] == [n for n, _ in model.named_parameters()]
    assert {n for n, _ in theirs.named_buffers()} == {n for n, _ in model.named_buffers()}
    assert all(p.requires_grad for p in theirs.parameters())
    for given in (example, other):
        for got, expected in zip(flat(theirs(*given)), flat(model(*map(ours, given))), strict=True):
            same(expected, got)
    mine_sgd = ctorch.optim.SGD(model.parameters(), lr=0.5)
    their_sgd = torch.optim.SGD(theirs.parameters(), lr=0.5)
    (flat(model(*map(ours, other)))[0] ** 2).mean().backward()
    flat(theirs(*other))[0].pow(2).mean().backward()
    mine_sgd.step()
    their_sgd.step()
    for (_, mine), (_, parameter) in zip(model.named_parameters(), theirs.named_parameters(), strict=True):
        torch.testing.assert_close(torch.from_dlpack(mine.detach()), parameter.detach(), rtol=1e-6, atol=1e-7)


def test_a_function_is_traced_and_checked():
    weight = ctorch.ones(3)
    traced = ctorch.jit.trace(lambda x, y: (x @ y + weight).relu(), (ctorch.ones(2, 3), ctorch.ones(3, 3)))
    x, y = torch.randn(4, 3), torch.randn(3, 3)
    same(traced(ours(x), ours(y)), torch.relu(x @ y + 1))
    with pytest.raises(ctorch.Error, match="differs by"):
        ctorch.jit.trace(
            lambda x: x * 2 if x.sum().item() > 0 else x, ctorch.ones(2), check_inputs=[(-ctorch.ones(2),)]
        )

    class MineError(Exception):
        pass

    def fails(x):
        raise MineError("mine")

    with pytest.raises(MineError, match="mine"):
        ctorch.jit.trace(fails, ctorch.ones(2))


def test_nothing_is_left(both):
    mine, theirs = both
    del mine, theirs, both
    gc.collect()


class Point(typing.NamedTuple):
    x: torch.Tensor
    class_: int


class Points(torch.nn.Module):
    def forward(self, x) -> list[Point]:
        return [Point(x, 1), Point(x * 2, 2)]


def test_a_named_tuple_keeps_its_names():
    theirs = torch.jit.script(Points())
    mine, expected = ctorch.jit.load(saved(theirs))(ctorch.ones(2)), theirs(torch.ones(2))
    for found, wanted in zip(mine, expected, strict=True):
        assert found._fields == wanted._fields == ("x", "class_")
        same(found.x, wanted.x)
        assert found.class_ == wanted.class_ and found[1] == wanted[1] and type(found).__name__ == "Point"
        assert isinstance(found, tuple)


def test_attributes_and_state_dicts_of_script_modules(both):
    mine, theirs = both
    mine.names = ["c"]
    assert mine.parts({}, 1)[1] == "c" and mine.names == ["c"]
    with pytest.raises(ctorch.errors.Error):
        mine.names = 5
    assert list(mine.state_dict()) == list(theirs.state_dict())
    for key, value in theirs.state_dict().items():
        same(mine.state_dict()[key], value)
    state = {key: value + 1 for key, value in theirs.state_dict().items()}
    theirs.load_state_dict(state)
    found = mine.load_state_dict({key: ours(value) for key, value in state.items()})
    assert repr(found) == "<All keys matched successfully>"
    x = torch.randn(4, 3)
    same(mine(ours(x)), theirs(x))
    wrong = {"shift": ctorch.ones(3), "else": ctorch.ones(1)}
    with pytest.raises(RuntimeError, match="size mismatch for shift"):
        mine.load_state_dict(wrong, strict=False)
    with pytest.raises(RuntimeError, match="missing key: linear.bias\n.*unexpected key: else"):
        mine.load_state_dict({"shift": ctorch.ones(2), "else": ctorch.ones(1), "linear.weight": ctorch.ones(2, 3)})
    found = mine.load_state_dict({"shift": ctorch.zeros(2), "else": ctorch.ones(1)}, strict=False)
    assert found.missing_keys == ["linear.weight", "linear.bias"] and found.unexpected_keys == ["else"]
    assert mine.shift.tolist() == [0, 0]
    assert [name for name, _ in mine.named_children()] == ["linear"] and len(list(mine.modules())) == 2
