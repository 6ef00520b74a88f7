"""Exported programs and compiled models as a user of the Python package runs them, beside Python's torch."""

import io

import pytest
import torch

from tests.export import package_models as models
from tests.languages.test_python import ctorch, ours, same


def exported(name):
    file = io.BytesIO()
    torch.export.save(models.exported(name), file)
    return file


def test_a_program_is_loaded_and_run(tmp_path):
    file = exported("gpt")
    twin = models.eager("gpt")
    (tmp_path / "gpt.pt2").write_bytes(file.getvalue())
    file.seek(0)
    for source in (file, file.getvalue(), tmp_path / "gpt.pt2"):
        program = ctorch.export.load(source)
        tokens, cache = models.MODELS["gpt"].args()
        with torch.no_grad(), ctorch.no_grad():
            logits, (keys, values) = program.module()(ours(tokens), tuple(ours(part) for part in cache))
            expected, (expected_keys, expected_values) = twin(tokens, cache)
        same(logits, expected)
        same(keys, expected_keys)
        same(values, expected_values)
    assert program.missing_operators() == []
    assert "aten::embedding" in str(program)
    assert program.metadata["torch_version"] == torch.__version__
    assert list(program.range_constraints.values()) == [[2, 100]]
    assert list(program.state_dict) == list(twin.state_dict())
    args, kwargs = program.example_inputs
    assert len(args) == 2 and kwargs == {}


def test_a_program_is_trained():
    twin, model = models.eager("mlp"), ctorch.export.load(exported("mlp")).module()
    optimizer = ctorch.optim.SGD(model.parameters(), lr=0.1)
    other = torch.optim.SGD(twin.parameters(), lr=0.1)
    x = torch.randn(4, 16, generator=torch.Generator().manual_seed(5))
    for _ in range(3):
        loss, expected = model(ours(x)).square().mean(), twin(x).square().mean()
        loss.backward()
        expected.backward()
        for each in (optimizer, other):
            each.step()
            each.zero_grad()
    same(loss, expected.detach())
    for mine, theirs in zip(model.parameters(), twin.parameters(), strict=True):
        same(mine, theirs.detach())


def test_what_is_no_program_is_refused():
    with pytest.raises(ctorch.Error, match="FORMAT|zip"):
        ctorch.export.load(b"nothing of the kind")
    with pytest.raises(TypeError, match="the model takes 1 positional arguments, got 0"):
        ctorch.export.load(exported("mlp")).module()()


@pytest.mark.turns
def test_a_package_is_loaded_and_run():
    path = models.package("mlp")
    theirs = torch._inductor.aoti_load_package(str(path))
    assert ctorch.package.model_names(path) == ["model"]
    model = ctorch.package.load(path, num_runners=2)
    x = torch.randn(4, 16, generator=torch.Generator().manual_seed(6))
    same(model(ours(x)), theirs(x))
    (result,) = model.run(ours(x))
    same(result, theirs(x))
    assert "AOTI_DEVICE_KEY" in model.metadata
    weights = model.constants
    model.update_constants({name: weight * 0 for name, weight in weights.items()}, inactive=True)
    same(model(ours(x)), theirs(x))
    model.swap_constants()
    same(model(ours(x)), torch.zeros(4, 4))
    with pytest.raises(TypeError, match="takes 1 positional"):
        model()
