"""What plugins of TensorBoard show, beside torch.utils.tensorboard: the messages and files are the same."""

import numpy as np
import pytest
import torch
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData
from torch.utils.tensorboard import SummaryWriter

from tests.harness.capi import fails, lib
from tests.harness.values import value
from tests.tensorboard.events import NULL, Writer, files, messages, same, texts, wall

HPARAMS = {"lr": 0.1, "bsize": 4, "name": "größe", "flag": True, "none": None, "t": torch.tensor([2.5])}


def test_hparams(tmp_path):
    metrics, domain = {"hparam/accuracy": 10, "hparam/loss": 0.25}, {"lr": [0.1, 0.2], "name": ["a", "größe"]}
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        writer.add_hparams(HPARAMS, metrics, domain, "run", 3)
    with Writer(tmp_path / "ours") as writer:
        writer.add_hparams(value(HPARAMS), value(metrics), value(domain), "run", 3, wall(9))
        writer.close()
    expected, got = messages(tmp_path / "theirs" / "run"), messages(tmp_path / "ours" / "run")
    assert len(got) == 5 and all(event.wall_time == 9 for event in got)
    for left, right in zip(expected, got, strict=True):
        left.wall_time = right.wall_time
        parts = [event.summary.value[0].metadata.plugin_data for event in (left, right)]
        if parts[0].content:  # a map, whose order is free
            assert HParamsPluginData.FromString(parts[0].content) == HParamsPluginData.FromString(parts[1].content)
            parts[0].content = parts[1].content
        assert left == right


def test_hparams_that_are_none_are_refused(tmp_path):
    with Writer(tmp_path) as writer:
        add = lib.ctorch_summary_writer_add_hparams
        empty = value({})
        assert fails(add(writer.handle, value([1]), empty, NULL, NULL, 0, NULL))[0] == "TYPE"
        assert fails(add(writer.handle, value({"a": [1]}), empty, NULL, NULL, 0, NULL))[0] == "VALUE"
        assert fails(add(writer.handle, value({1: 2}), empty, NULL, NULL, 0, NULL))[0] == "TYPE"
        assert fails(add(writer.handle, value({"a": 2}), empty, value({"b": [1]}), NULL, 0, NULL))[0] == "TYPE"
        assert fails(add(writer.handle, value({"a": 2}), empty, value({"a": 1}), NULL, 0, NULL))[0] == "TYPE"
        assert fails(add(writer.handle, value({"a": "x"}), empty, value({"a": [1]}), NULL, 0, NULL))[0] == "TYPE"
    assert [path.name for path in tmp_path.iterdir()] == [path.name for path in files(tmp_path)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("thresholds", [127, 500, 10, 2])
def test_precision_recall_curves(tmp_path, dtype, weighted, thresholds):
    torch.manual_seed(0)
    labels, predictions = torch.randint(2, (300,)), torch.rand(300, dtype=dtype)
    predictions[:2] = torch.tensor([0, 1])
    weights = torch.rand(300, dtype=torch.float64) if weighted else None
    same(
        tmp_path,
        lambda w: w.add_pr_curve("p", labels, predictions, 3, thresholds, weights.numpy() if weighted else None, 4.0),
        lambda w: w.add_pr_curve("p", labels, predictions, 3, thresholds, weights, wall(4)),
    )


def test_precision_recall_curves_that_were_counted(tmp_path):
    curves = torch.rand(6, 9)
    same(
        tmp_path,
        lambda writer: writer.add_pr_curve_raw("p", *curves.numpy(), 3, 200, None, 4.0),
        lambda writer: writer.add_pr_curve_raw("p", curves, 3, 200, wall(4)),
    )


def test_meshes(tmp_path):
    vertices, colors = torch.rand(1, 4, 3), torch.randint(0, 256, (1, 4, 3))
    faces = torch.tensor([[[0, 1, 2], [1, 2, 3]]])
    config = {"b": 1, "a": {"c": [2]}}
    same(
        tmp_path,
        lambda writer: [
            writer.add_mesh("m", vertices, colors, faces, config, 3, 4.0),
            writer.add_mesh("n", vertices, global_step=1, walltime=5.0),
        ],
        lambda writer: [
            writer.add_mesh("m", vertices, colors, faces, '{"a": {"c": [2]}, "b": 1}', 3, wall(4)),
            writer.add_mesh("n", vertices, None, None, None, 1, wall(5)),
        ],
    )


def test_layouts_of_custom_scalars(tmp_path):
    layout = {
        "Taiwan": {"twse": ["Multiline", ["twse/0050", "twse/2330"]]},
        "USA": {
            "dow": ["Margin", ["dow/aaa", "dow/bbb", "dow/ccc"]],
            "nasdaq": ["Margin", ["nasdaq/aaa", "nasdaq/bbb", "nasdaq/ccc"]],
        },
    }
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        writer.add_custom_scalars(layout)
        writer.add_custom_scalars_multilinechart(["a", "b"])
        writer.add_custom_scalars_marginchart(["a", "b", "c"], "category", "title")
    with Writer(tmp_path / "ours") as writer:
        writer.add_custom_scalars(value(layout), wall(4))
        writer.add_custom_scalars_multilinechart(*texts(["a", "b"]), None, None, wall(4))
        writer.add_custom_scalars_marginchart(*texts(["a", "b", "c"]), "category", "title", wall(4))
        for wrong in {"a": 1}, {"a": {"b": ["Margin", ["x"]]}}, {"a": {"b": ["Multiline", [1]]}}, [1], {1: {}}:
            error = lib.ctorch_summary_writer_add_custom_scalars(writer.handle, value(wrong), NULL)
            assert fails(error)[0] == "VALUE"
        writer.close()
    expected, got = messages(tmp_path / "theirs"), messages(tmp_path / "ours")
    assert len(got) == 3
    for event in expected:
        event.wall_time = 4
    assert got == expected


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "tfevents" not in path.name
    }


EMBEDDINGS = {
    "plain": {"mat": torch.randn(5, 3)},
    "labels": {
        "mat": torch.arange(6.0, dtype=torch.float64).reshape(3, 2),
        "metadata": ["a", 2, 1.5],
        "global_step": 7,
    },
    "header": {
        "mat": torch.arange(4).reshape(2, 2),
        "metadata": [["a", 1], ["ü\t", None]],
        "metadata_header": ["name", "n"],
        "tag": 'a/b%\\"c',
    },
    "sprite": {"mat": torch.randn(5, 3).half(), "label_img": torch.rand(5, 3, 4, 6), "global_step": 123456},
    "grey": {"mat": torch.tensor([[True], [False]]), "label_img": torch.rand(2, 1, 4, 4)},
}


@pytest.mark.parametrize("name", EMBEDDINGS)
def test_embeddings(tmp_path, name):
    from google.protobuf import text_format
    from PIL import Image
    from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

    given = EMBEDDINGS[name]
    other = torch.zeros(1, 1)
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        writer.add_embedding(**given)
        writer.add_embedding(other, global_step=1, tag="other")
    with Writer(tmp_path / "ours") as writer:
        header = given.get("metadata_header")
        writer.add_embedding(
            given["mat"],
            value(given["metadata"]) if "metadata" in given else None,
            given.get("label_img"),
            given.get("global_step", 0),
            given.get("tag"),
            *(texts(header) if header else (NULL, 0)),
        )
        writer.add_embedding(other, None, None, 1, "other", NULL, 0)
        writer.close()
    expected, got = contents(tmp_path / "theirs"), contents(tmp_path / "ours")
    assert expected.keys() == got.keys()
    for file in expected:
        if file.endswith(".png"):
            left, right = (np.asarray(Image.open(tmp_path / side / file)) for side in ("theirs", "ours"))
            assert left.shape == right.shape and (left == right).all()
        elif file.endswith(".pbtxt"):
            left, right = (text_format.Parse(files[file], ProjectorConfig()) for files in (expected, got))
            assert left == right and len(left.embeddings) == 2
        else:
            assert expected[file] == got[file], file
