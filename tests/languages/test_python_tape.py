"""Captured steps as a user of the Python package writes them, beside Python's torch."""

import gc

import pytest
import torch

from tests.languages.test_python import ctorch, ours, same


def model_and_twin():
    torch.manual_seed(3)
    weights = [torch.randn(5, 4), torch.randn(5), torch.randn(3, 5), torch.randn(3)]
    model = ctorch.nn.Sequential(ctorch.nn.Linear(4, 5), ctorch.nn.Tanh(), ctorch.nn.Linear(5, 3))
    twin = torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.Tanh(), torch.nn.Linear(5, 3))
    with torch.no_grad(), ctorch.no_grad():
        for mine, other, weight in zip(model.parameters(), twin.parameters(), weights, strict=True):
            mine.copy_(ours(weight))
            other.copy_(weight)
    return model, twin


@pytest.mark.parametrize("verify", [False, True])
def test_a_function_is_captured_and_called(verify):
    model, twin = model_and_twin()
    with ctorch.no_grad():
        step = ctorch.capture(ctorch.zeros(2, 4), verify=verify)(model)
        for _ in range(3):
            x = torch.randn(2, 4)
            same(step(ours(x)), twin(x).detach())
        assert step.outputs is step(ours(x))
        assert step.nbytes > 0
        assert "aten::addmm" in str(step)
        with pytest.raises(ctorch.Error, match="sizes"):
            step(ctorch.zeros(3, 4))


def test_a_step_of_training_is_captured():
    model, twin = model_and_twin()
    optimizer = ctorch.optim.AdamW(model.parameters(), lr=0.05)
    other = torch.optim.AdamW(twin.parameters(), lr=0.05, fused=True)
    loss = ctorch.nn.CrossEntropyLoss()

    def train(x, y):
        result = loss(model(x), y)
        result.backward()
        optimizer.step()
        optimizer.zero_grad()
        return result.detach()

    batches = [(torch.randn(6, 4), torch.randint(3, (6,))) for _ in range(8)]
    losses = [train(*map(ours, batches[0])).item()]
    step = ctorch.capture(*map(ours, batches[1]))(train)
    losses.append(step.outputs.item())
    for i, batch in enumerate(batches[2:]):
        if i == 3:
            optimizer.param_groups[0]["lr"] = other_rate = 0.01
        losses.append(step(*map(ours, batch)).item())
    for i, (x, y) in enumerate(batches):
        if i == 5:
            other.param_groups[0]["lr"] = other_rate
        expected = torch.nn.functional.cross_entropy(twin(x), y)
        expected.backward()
        other.step()
        other.zero_grad()
        assert losses[i] == expected.item()


def test_several_outputs_and_none():
    @ctorch.capture(ctorch.zeros(3))
    def both(x):
        return x + 1, x * 2

    added, doubled = both(ctorch.ones(3))
    assert added.tolist() == doubled.tolist() == [2.0, 2.0, 2.0]
    total = ctorch.zeros(3)

    @ctorch.capture(ctorch.zeros(3))
    def add(x):
        total.add_(x)

    assert add(ctorch.ones(3)) == ()
    assert total.tolist() == [1.0, 1.0, 1.0]


def test_what_fails_ends_the_capture():
    with pytest.raises(ZeroDivisionError):
        ctorch.capture(ctorch.zeros(2))(lambda x: x + 1 / 0)
    gc.collect()
    with pytest.raises(ctorch.Error, match="aten::nonzero"):
        ctorch.capture(ctorch.zeros(2))(lambda x: x.nonzero())
    assert ctorch.capture(ctorch.zeros(2))(lambda x: x + 1)(ctorch.ones(2)).tolist() == [2.0, 2.0]


def test_modules_optimizers_and_trainers_capture_themselves():
    model, twin = model_and_twin()
    model.set_tape()
    with ctorch.no_grad():
        for _ in range(5):
            x = torch.randn(2, 4)
            same(model(ours(x)), twin(x).detach())
    model.set_tape(0)
    optimizer = ctorch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.set_tape()
    trainer = ctorch.Trainer(model, optimizer, ctorch.nn.CrossEntropyLoss(), epochs=2)
    trainer.set_tape(2)
    data = ctorch.data.TensorDataset(ctorch.ones(12, 4), ctorch.zeros(12, dtype=ctorch.int64))
    trainer.fit(ctorch.data.DataLoader(data, batch_size=4))
    assert len(trainer.history) == 2
