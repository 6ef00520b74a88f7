"""Event files and loggers as a user of the Python package has them, read back by TensorBoard."""

import csv
import json
import re

import numpy
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from tests.languages.test_python import ROOT, ctorch, run

summary = ctorch.summary
X = [[0.0, 1.0], [2.0, 3.0]]


def read_back(folder):
    found = EventAccumulator(str(folder), size_guidance={"tensors": 0, "scalars": 0})
    found.Reload()
    return found


def test_what_is_written_is_read_by_tensorboard(tmp_path):
    with summary.SummaryWriter(tmp_path / "run", flush_secs=1) as writer:
        assert writer.get_logdir() == writer.log_dir == str(tmp_path / "run")
        for step in range(5):
            writer.add_scalar("loss", ctorch.tensor(step / 4), step, walltime=100.0 + step)
        writer.add_scalar("double", 0.1, double_precision=True, new_style=True)
        writer.add_histogram("weights", X, 1)
        writer.add_histogram("edges", numpy.array(X), 1, bins=[0, 1, 2, 3])
        writer.add_image("image", numpy.zeros((3, 2, 2), dtype="uint8"))
        writer.add_images("images", ctorch.zeros(4, 3, 2, 2))
        writer.add_image_with_boxes("boxes", numpy.zeros((3, 9, 9), dtype="uint8"), [[1, 1, 5, 6]], rescale=2)
        writer.add_audio("sound", ctorch.zeros(1, 100), sample_rate=8000)
        writer.add_text("note", "a *text*", 3)
        writer.add_tensor("tensor", X)
        writer.add_graph(ctorch.nn.Linear(2, 3), ctorch.zeros(1, 2))
        writer.add_embedding(X, metadata=["a", "b"])
        writer.add_pr_curve("curve", [0, 1, 1], [0.1, 0.6, 0.4])
        writer.add_custom_scalars({"all": {"losses": ["Multiline", ["loss"]]}})
        writer.flush()
    found = read_back(tmp_path / "run")
    assert [(e.step, e.value, e.wall_time) for e in found.Scalars("loss")] == [(i, i / 4, 100.0 + i) for i in range(5)]
    assert {"weights", "edges"} <= set(found.Tags()["histograms"])
    assert {"image", "images", "boxes"} <= set(found.Tags()["images"])
    assert found.Tags()["audio"] == ["sound"] and found.Tags()["graph"]
    assert {"note/text_summary", "tensor", "curve"} <= set(found.Tags()["tensors"])
    with pytest.raises(ctorch.Error):
        writer.add_scalar("late", 1)


def test_runs_are_read(tmp_path):
    with summary.SummaryWriter(tmp_path / "a") as writer:
        writer.add_scalar("loss", 0.5, 7, walltime=12.0)
        writer.add_text("note", "hello", 8)
        writer.add_histogram("h", [1.0, 2.0], 9)
        writer.add_tensor("t", X, 10)
    with summary.SummaryWriter(tmp_path / "b") as writer:
        writer.add_scalars("both", {"x": 1, "y": 2}, 3)
    assert summary.runs(tmp_path) == ["a", "b", "b/both_x", "b/both_y"]
    events = {event.tag: event for event in summary.read(tmp_path / "a") if event.tag}
    assert events["loss"][1:3] == (7, 12.0) and events["loss"].value == 0.5
    assert (events["note/text_summary"].value, events["note/text_summary"].step) == ("hello", 8)
    edges, counts = events["h"].value
    assert counts.sum().item() == 2 and edges.shape == counts.shape
    assert events["t"].value.tolist() == X


def test_hparams(tmp_path):
    with summary.SummaryWriter(tmp_path) as writer:
        writer.add_hparams({"lr": 0.1, "bias": True, "kind": "small"}, {"score": 0.75}, run_name="first")
    assert [event.value for event in summary.read(tmp_path / "first") if event.tag == "score"] == [0.75]


def test_a_trainer_logs_and_accumulates(tmp_path):
    inputs = ctorch.tensor([[float(i % 2), 1.0] for i in range(8)])
    target = ctorch.tensor([i % 2 for i in range(8)])
    loader = ctorch.data.DataLoader(ctorch.data.TensorDataset(inputs, target), batch_size=4)
    ctorch.manual_seed(0)
    model = ctorch.nn.Linear(2, 2)
    optimizer = ctorch.optim.SGD(model.parameters(), lr=0.5)
    trainer = ctorch.Trainer(model, optimizer, ctorch.nn.CrossEntropyLoss(), epochs=3)
    trainer.add_metric("accuracy", ctorch.metrics.MulticlassAccuracy(num_classes=2, average="micro"))
    seen = []
    trainer.add_logger(summary.Logger.csv(tmp_path / "log.csv"))
    trainer.add_logger(summary.Logger.json_lines(tmp_path / "log.jsonl"), every_steps=1)
    writer = summary.SummaryWriter(tmp_path / "run")
    trainer.add_logger(summary.Logger.of(writer))
    trainer.add_logger(summary.Logger.of(lambda *given: seen.append(given)))
    trainer.fit(loader)
    writer.close()
    history = [epoch["loss"] for epoch in trainer.history]
    with open(tmp_path / "log.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["loss/train"]) for row in rows] == history
    assert [float(row["accuracy/train"]) for row in rows] == [epoch["accuracy"] for epoch in trainer.history]
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["loss/train"] for line in lines if "loss/train" in line] == history
    assert sum("loss/step" in line for line in lines) == 6
    scalars = read_back(tmp_path / "run").Scalars("loss/train")
    assert [event.value for event in scalars] == [numpy.float32(loss) for loss in history]
    assert len(seen) == 3


def test_the_fourth_program_of_the_readme(tmp_path):
    text = (ROOT / "bindings-gen/languages/python/README.md").read_text()
    program = tmp_path / "program.py"
    program.write_text(
        re.findall(r"```python\n(.*?)```", text, re.DOTALL)[3].replace('"runs/first"', f'"{tmp_path}/runs"')
    )
    assert run(program).stdout == "tensor([[1],\n        [0]])\n[('accuracy', 1, 0.75)]\n"
