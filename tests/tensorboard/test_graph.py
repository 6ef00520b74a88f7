"""The graph of a module, beside that of Python's add_graph for such a module: the same nodes, connected alike."""

import pytest
import torch
from tensorboard.compat.proto.config_pb2 import RunMetadata
from tensorboard.compat.proto.graph_pb2 import GraphDef
from torch import nn
from torch.utils.tensorboard import SummaryWriter

from tests.harness.capi import ffi, lib, ok, text
from tests.harness.values import values
from tests.tensorboard.events import Writer, messages, wall
from tests.trainer.test_trainer import Model, module

INPUT = torch.rand(5, 1, 8, 8)


def sequential(*parts):
    result = Model.made("ctorch_nn_Sequential")
    for part in parts:
        ok(lib.ctorch_module_append(result.pointer, part.pointer))
    return result


PAIRS = {
    "flat": (
        lambda: nn.Sequential(nn.Flatten(), nn.Linear(64, 3), nn.ReLU()),
        lambda: sequential(module("Flatten"), module("Linear", 64, 3), module("ReLU")),
    ),
    "nested": (
        lambda: nn.Sequential(
            nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Dropout(0.5)),
            nn.Flatten(),
            nn.Sequential(nn.Linear(72, 4), nn.Sequential(nn.Tanh(), nn.Linear(4, 2))),
        ),
        lambda: sequential(
            sequential(module("Conv2d", 1, 2, 3), module("BatchNorm2d", 2), module("Dropout", 0.5)),
            module("Flatten"),
            sequential(module("Linear", 72, 4), sequential(module("Tanh"), module("Linear", 4, 2))),
        ),
    ),
}


def normal(graph):
    """What the output is computed from, without the names of values: (place, operator, shape, attributes, inputs)."""
    nodes = {node.name: node for node in graph.node}
    seen = {}

    def visit(name):
        if name not in seen:
            node = nodes.get(name)
            if node is None:  # a module that an attribute is of
                seen[name] = "module"
                return seen[name]
            shapes = [[d.size for d in s.dim] for s in node.attr["_output_shapes"].list.shape]
            place = name.rsplit("/", 1)[0]
            seen[name] = (place, node.op, shapes, node.attr["attr"].s.decode(), [visit(i) for i in node.input])
        return seen[name]

    return [visit(node.name) for node in graph.node if node.name.startswith("output/")]


@pytest.mark.parametrize("name", PAIRS)
def test_graphs(tmp_path, name):
    theirs, ours = (make() for make in PAIRS[name])
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        writer.add_graph(theirs, INPUT)
    with Writer(tmp_path / "ours") as writer:
        given, length, kept = values([INPUT])
        ok(lib.ctorch_summary_writer_add_graph(writer.handle, ours.pointer, given, length, wall(3)))
        assert kept and lib.ctorch_module_training(ours.pointer)
        writer.close()
    expected, got = messages(tmp_path / "theirs"), messages(tmp_path / "ours")
    assert [event.WhichOneof("what") for event in got] == ["graph_def", "tagged_run_metadata"]
    assert all(event.wall_time == 3 for event in got)
    graphs = [GraphDef.FromString(events[0].graph_def) for events in (expected, got)]
    assert normal(graphs[1]) == normal(graphs[0])
    assert len(graphs[1].node) == len(graphs[0].node)
    assert graphs[1].versions == graphs[0].versions
    assert got[1].tagged_run_metadata.tag == expected[1].tagged_run_metadata.tag
    metadata = [RunMetadata.FromString(events[1].tagged_run_metadata.run_metadata) for events in (expected, got)]
    assert metadata[0] == metadata[1]


def test_a_module_that_fails_is_as_before(tmp_path):
    ours = PAIRS["nested"][1]()
    with Writer(tmp_path) as writer:
        given, length, _kept = values([torch.rand(3)])
        error = lib.ctorch_summary_writer_add_graph(writer.handle, ours.pointer, given, length, ffi.NULL)
        assert error != ffi.NULL and text(lib.ctorch_error_function(error)) == "ctorch_summary_writer_add_graph"
        lib.ctorch_error_release(error)
        assert lib.ctorch_module_training(ours.pointer)
        given, length, _kept = values([INPUT])
        ok(lib.ctorch_summary_writer_add_graph(writer.handle, ours.pointer, given, length, ffi.NULL))
        writer.close()
    assert len(messages(tmp_path)) == 2
