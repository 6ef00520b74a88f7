"""Profiles beside torch.profiler: the same events, sums and tables."""

import json
import math
import random
import subprocess
import threading

import pytest
import torch
from torch.autograd import DeviceType
from torch.autograd.profiler_util import EventList, FunctionEvent, FunctionEventAvg
from torch.profiler import ProfilerActivity, _ExperimentalConfig, profile, record_function

from tests.harness.capi import BUILD, fails, ffi, lib, ok, out, string, text

NULL = ffi.NULL
SHAPES, MEMORY, FLOPS, ALL_THREADS, OVERLOADS = 1, 2, 8, 32, 64


def stop():
    result = out("ctorch_profiler_result *")
    ok(lib.ctorch_profiler_stop(result))
    return ffi.gc(result[0], lib.ctorch_profiler_result_release)


def profiled(program, options=0):
    ok(lib.ctorch_profiler_start(NULL, 0, options))
    try:
        program()
    finally:
        result = stop()
    return result


class c_range:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        ok(lib.ctorch_record_function_push(self.name.encode(), NULL))

    def __exit__(self, *_):
        ok(lib.ctorch_record_function_pop())


def small(range_=record_function):
    torch.manual_seed(0)
    weight = torch.randn(8, 8, requires_grad=True)
    with range_("forward"):
        y = torch.mm(weight, weight).relu().sum()
    y.backward()


def network(range_=record_function):
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3, padding=1), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.Flatten(1)
    )
    head = torch.nn.Linear(4 * 6 * 6, 5)
    optimizer = torch.optim.SGD([*model.parameters(), *head.parameters()], 0.1)
    for step in range(2):
        with range_(f"step {step}"), range_("äußere Grenze"):
            loss = torch.nn.functional.cross_entropy(head(model(torch.ones(2, 3, 6, 6))), torch.tensor([0, 1]))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


def attention(range_=record_function):
    torch.manual_seed(0)
    q = torch.randn(2, 4, 10, 16)
    with range_("attention"):
        torch.nn.functional.scaled_dot_product_attention(q, q, q)
        torch.cat([q, q]).softmax(-1).contiguous(memory_format=torch.channels_last).double().sum()
        [torch.addmm(torch.ones(5), torch.ones(3, 4), torch.ones(4, 5)) for _ in range(5)]


PROGRAMS = [small, network, attention]


def python_profile(program, options):
    with profile(
        activities=[ProfilerActivity.CPU],
        record_shapes=bool(options & SHAPES),
        profile_memory=bool(options & MEMORY),
        with_flops=bool(options & FLOPS),
        experimental_config=_ExperimentalConfig(
            profile_all_threads=bool(options & ALL_THREADS), capture_overload_names=bool(options & OVERLOADS)
        ),
    ) as result:
        program()
    return result


class Events:
    """What the C functions say of a profile's events."""

    def __init__(self, c_profile):
        self.profile = c_profile
        self.len = lib.ctorch_profiler_result_len(c_profile)

    def __getattr__(self, name):
        function = getattr(lib, f"ctorch_profiler_result_event_{name}")

        def converted(event, *arguments):
            value = function(self.profile, event, *arguments)
            return text(value) if isinstance(value, ffi.CData) else value

        return converted

    def input_shapes(self, event):
        shapes = []
        for i in range(self.num_inputs(event)):
            data, length = out("int64_t const *"), out("size_t")
            assert lib.ctorch_profiler_result_event_input_shape(self.profile, event, i, data, length)
            shapes.append([data[0][n] for n in range(length[0])])
        return shapes

    def as_python(self, **settings):
        """The same events as Python's own objects, with the tree left to Python."""
        events = [
            FunctionEvent(
                id=i,
                name=self.name(i),
                overload_name=self.overload_name(i),
                thread=self.thread(i),
                start_us=self.start_ns(i) / 1000,
                end_us=(self.start_ns(i) + self.duration_ns(i)) / 1000,
                fwd_thread=self.forward_thread(i),
                input_shapes=self.input_shapes(i),
                stack=[self.stack(i, n) for n in range(self.stack_len(i))],
                scope=self.scope(i),
                cpu_memory_usage=self.cpu_memory(i),
                is_async=self.is_async(i),
                sequence_nr=self.sequence_number(i),
                flops=self.flops(i),
                is_user_annotation=self.is_user_annotation(i),
            )
            for i in range(self.len)
        ]
        result = EventList(events, **settings)
        result._build_tree()
        return result


def c_averages(c_profile, shapes=False, stack=0, overloads=False):
    result = out("ctorch_profiler_averages *")
    ok(lib.ctorch_profiler_result_key_averages(result, c_profile, shapes, stack, overloads))
    return ffi.gc(result[0], lib.ctorch_profiler_averages_release)


def c_table(
    averages, sort_by=None, row_limit=None, source=None, name=None, shapes=None, header=None, top=False, unit=None
):
    def encoded(value):
        return NULL if value is None else value.encode()

    def number(value):
        return NULL if value is None else ffi.new("int64_t *", value)

    result = out("ctorch_string *")
    widths = number(source), number(name), number(shapes)
    ok(
        lib.ctorch_profiler_averages_table(
            result, averages, encoded(sort_by), number(row_limit), *widths, encoded(header), top, encoded(unit)
        )
    )
    return string(result[0])


OPTIONS = [0, SHAPES, MEMORY, FLOPS, SHAPES | MEMORY | FLOPS, MEMORY | OVERLOADS]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_events_and_sums_are_pythons(program, options):
    """The same program under each profiler: everything but the times is the same."""
    program()
    expected = python_profile(program, options)
    ours = Events(profiled(program, options))
    python_events = expected.events()
    facts = [
        (
            e.name, e.overload_name, e.input_shapes, e.flops or 0,  # Python has None for memory
             e.cpu_memory_usage, e.self_cpu_memory_usage, e.scope,
            e.is_async, e.is_user_annotation, e.cpu_parent and e.cpu_parent.name, [c.name for c in e.cpu_children],
        )
        for e in python_events
    ]  # fmt: skip
    assert [
        (
            ours.name(i), ours.overload_name(i), ours.input_shapes(i), ours.flops(i), ours.cpu_memory(i),
            ours.self_cpu_memory(i), ours.scope(i), ours.is_async(i), ours.is_user_annotation(i),
            None if ours.parent(i) < 0 else ours.name(ours.parent(i)),
            [ours.name(ours.child(i, n)) for n in range(ours.num_children(i))],
        )
        for i in range(ours.len)
    ] == facts  # fmt: skip
    for grouping in ((False, 0, False), (True, 0, False), (False, 0, True), (True, 3, True)):
        python_rows = expected.key_averages(*grouping[:2], group_by_overload_name=grouping[2])
        averages = c_averages(ours.profile, *grouping)
        assert [
            (
                text(lib.ctorch_profiler_averages_key(averages, i)),
                text(lib.ctorch_profiler_averages_overload_name(averages, i)),
                text(lib.ctorch_profiler_averages_input_shapes(averages, i)),
                lib.ctorch_profiler_averages_count(averages, i),
                lib.ctorch_profiler_averages_cpu_memory(averages, i),
                lib.ctorch_profiler_averages_self_cpu_memory(averages, i),
                lib.ctorch_profiler_averages_flops(averages, i),
            )
            for i in range(lib.ctorch_profiler_averages_len(averages))
        ] == [
            (
                r.key, r.overload_name, str(r.input_shapes), r.count, r.cpu_memory_usage, r.self_cpu_memory_usage,
                r.flops,
            )
            for r in python_rows
        ]  # fmt: skip


TABLES = [
    {},
    {"sort_by": "cpu_time_total"},
    {"sort_by": "self_cpu_time_total", "row_limit": 5},
    {"sort_by": "count", "row_limit": -1},
    {"sort_by": "cpu_memory_usage", "header": "größte zuerst"},
    {"sort_by": "self_cuda_memory_usage", "top": True},
    {"sort_by": "key", "unit": "ms"},
    {"sort_by": "flops", "unit": "us", "name": 20, "shapes": 12},
    {"row_limit": 0, "unit": "s"},
    {"name": -1, "shapes": -1},
    {"name": 2, "shapes": 0},
]


def python_table(rows, sort_by=None, row_limit=100, name=55, shapes=80, source=75, header=None, top=False, unit=None):
    return rows.table(
        sort_by=sort_by,
        row_limit=row_limit,
        max_src_column_width=None if source < 0 else source,
        max_name_column_width=None if name < 0 else name,
        max_shapes_column_width=None if shapes < 0 else shapes,
        header=header,
        top_level_events_only=top,
        time_unit=unit,
    )


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_tables_are_those_that_python_makes_of_the_same_events(program, options):
    """One profile, of C: its events as Python's objects give the same tree, the same sums and the same text."""
    ours = Events(profiled(lambda: program(c_range), options))
    python = ours.as_python(profile_memory=bool(options & MEMORY), with_flops=bool(options & FLOPS))
    assert len(python) == ours.len
    for i, event in enumerate(python):
        assert (event.cpu_parent.id if event.cpu_parent else -1) == ours.parent(i)
        assert [c.id for c in event.cpu_children] == [ours.child(i, n) for n in range(ours.num_children(i))]
        assert event.cpu_time_total == ours.cpu_time_total(i)
        assert event.self_cpu_time_total == ours.self_cpu_time_total(i)
    compared = 0
    for grouping in ((False, 0, False), (True, 0, False), (True, 2, True)):
        rows = python.key_averages(grouping[0], grouping[1], grouping[2])
        averages = c_averages(ours.profile, *grouping)
        for layout in TABLES:
            assert c_table(averages, **layout) == python_table(rows, **layout), (grouping, layout)
            compared += 1
    assert compared == 33


def test_ranges_of_both_languages_nest():
    def program():
        with record_function("python"), c_range("c"), record_function("inner"):
            torch.ones(1)

    events = Events(profiled(program))
    assert [events.name(i) for i in range(4)] == ["python", "c", "inner", "aten::ones"]
    assert [events.parent(i) for i in range(4)] == [-1, 0, 1, 2]
    assert [events.is_user_annotation(i) for i in range(4)] == [True, True, True, False]
    with profile(activities=[ProfilerActivity.CPU]) as python:
        program()
    assert [e.name for e in python.events()][:4] == ["python", "c", "inner", "aten::ones"]


@pytest.mark.parametrize("options", [0, ALL_THREADS])
def test_threads_are_those_that_python_records(options):
    def program():
        def work():
            torch.ones(3).add(1)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        torch.zeros(2)

    expected = sorted(e.name for e in python_profile(program, options).events())
    events = Events(profiled(program, options))
    assert sorted(events.name(i) for i in range(events.len)) == expected
    assert len({events.thread(i) for i in range(events.len)}) == (4 if options else 1)
    assert expected.count("aten::add") == (3 if options else 0)


def test_backward_on_threads_of_autograd():
    """Nested backward passes go to autograd's own threads, whose events belong to the profile."""

    class Nested(torch.autograd.Function):
        depth = 0

        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            if Nested.depth < 70:  # beyond 60 another thread takes over
                Nested.depth += 1
                with torch.enable_grad():
                    inner = x.detach().requires_grad_()
                    Nested.apply(inner * 2).sum().backward()
            return grad

    def program():
        Nested.depth = 0
        Nested.apply(torch.ones(1, requires_grad=True)).sum().backward()

    python = python_profile(program, 0).events()
    events = Events(profiled(program))
    names = [events.name(i) for i in range(events.len)]
    assert sorted(names) == sorted(e.name for e in python)
    assert len({e.thread for e in python}) == len({events.thread(i) for i in range(events.len)}) == 2
    assert names.count("NestedBackward") == 71


def test_a_chrome_trace_has_the_same_events(tmp_path):
    names = ['with "quotes" and \\ and ä', "tab\tand\nnewline", "x" * 300]

    def program():
        for name in names:
            with c_range(name):
                torch.mm(torch.ones(2, 3), torch.ones(3, 4))

    def of(path):
        trace = json.loads(path.read_text())
        found = [e for e in trace["traceEvents"] if e.get("cat") in ("cpu_op", "user_annotation")]
        return sorted((e["name"], e["cat"], str(e["args"].get("Input Dims"))) for e in found)

    ours, python = tmp_path / "ours.json", tmp_path / "python.json"
    c_profile = profiled(program, SHAPES)
    ok(lib.ctorch_profiler_result_export_chrome_trace(c_profile, str(ours).encode()))
    python_profile(program, SHAPES).export_chrome_trace(str(python))
    assert of(ours) == of(python)
    assert len(of(ours)) > 12
    kind, message = fails(lib.ctorch_profiler_result_export_chrome_trace(c_profile, str(ours).encode()))
    assert kind == "RUNTIME" and "already saved" in message
    kind, message = fails(lib.ctorch_profiler_result_export_chrome_trace(c_profile, str(tmp_path).encode()))
    assert kind == "IO"


def test_python_and_c_do_not_profile_at_once():
    with profile(activities=[ProfilerActivity.CPU]) as python:
        kind, message = fails(lib.ctorch_profiler_start(NULL, 0, 0))
        assert kind == "RUNTIME" and "did not start" in message
        refused = []
        thread = threading.Thread(target=lambda: refused.append(fails(lib.ctorch_profiler_start(NULL, 0, 0))))
        thread.start()
        thread.join()
        torch.ones(1)
    assert refused[0][0] == "RUNTIME"
    assert "aten::ones" in [e.name for e in python.events()]
    assert Events(profiled(lambda: torch.ones(1))).len > 0


# Tables of rows that no profile here can have: of devices, with stacks, very long and very large.


def random_row(generator, device):
    choose, uniform = generator.choice, generator.uniform

    def time():
        return choose(
            [0.0, uniform(0, 1), uniform(1, 999), uniform(1e3, 1e6), uniform(1e6, 1e9), 999.9996, 1e6, 0.5e-3]
        )

    def memory():
        return choose(
            [0, 1, -1, 1023, 1024, -1025, 2**20, 2**30 - 1, 2**30, -(2**31), generator.randrange(-(2**44), 2**44)]
        )

    row = FunctionEventAvg()
    row.key = choose(
        ["aten::mm", "ä" * 60, "x" * generator.randrange(1, 120), "日本語の名前", "Memcpy HtoD", "y" * 51, "y" * 52]
    )
    row.overload_name = choose(["", "", "Tensor", "o" * 70])
    row.input_shapes = choose(["", [], [[2, 3], []], [[[1, 2], [3]], [10**6] * 30], [[i] for i in range(40)]])
    row.device_type = choose([DeviceType.CPU, DeviceType.CPU, device]) if device else DeviceType.CPU
    row.is_async = generator.random() < 0.2
    row.is_user_annotation = generator.random() < 0.2
    row.is_legacy = generator.random() < 0.2
    row.node_id = -1
    row.cpu_parent = choose([None, row])
    row.count = choose([1, 2, 10**9, generator.randrange(1, 10**6)])
    row.cpu_time_total, row.self_cpu_time_total = time(), time()
    row.device_time_total, row.self_device_time_total = (time(), time()) if device else (0.0, 0.0)
    row.cpu_memory_usage, row.self_cpu_memory_usage = memory(), memory()
    row.device_memory_usage, row.self_device_memory_usage = (memory(), memory()) if device else (0, 0)
    row.flops = choose([0, 0, 1, 999, 1000, 123456789, 10**18, generator.randrange(1, 2**60)])
    row.stack = choose([[], [], ["file.py(3): f"], ["s" * 100, "ö" * 80, "b"]])
    return row


def as_line(row):
    shapes = row.input_shapes if isinstance(row.input_shapes, str) else str(row.input_shapes)
    fields = [
        row.key, row.overload_name, shapes, int(row.device_type), int(row.is_async), int(row.is_user_annotation),
        int(row.is_legacy), int(row.cpu_parent is not None), row.count, repr(row.cpu_time_total),
        repr(row.self_cpu_time_total), repr(row.device_time_total), repr(row.self_device_time_total),
        row.cpu_memory_usage, row.self_cpu_memory_usage, row.device_memory_usage, row.self_device_memory_usage,
        row.flops, "\x1f".join(row.stack),
    ]  # fmt: skip
    return "\t".join(map(str, fields))


@pytest.mark.turns(9)
@pytest.mark.parametrize("seed", range(150))
def test_tables_of_any_rows_are_pythons(seed):
    generator = random.Random(seed)
    name, device, number = generator.choice(
        [(None, None, -1), ("cuda", DeviceType.CUDA, 1), ("xpu", DeviceType.XPU, 12), ("mtia", DeviceType.MTIA, 19)]
    )
    rows = EventList(
        [random_row(generator, device) for _ in range(generator.randrange(1, 12))],
        use_device=name,
        profile_memory=generator.random() < 0.6,
        with_flops=generator.random() < 0.6,
    )
    for row in rows:
        row.use_device = name
        if generator.random() < 0.5:
            row.stack = []
    if generator.random() < 0.5:
        for row in rows:
            row.stack = []
    keys = ["cpu_time", "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "count", "flops", "key"]
    keys += ["device_time", "xpu_time_total", "self_cuda_time_total", "self_cuda_memory_usage"]
    layout = {
        "sort_by": generator.choice([None, *keys]),
        "row_limit": generator.choice([100, -1, 0, 3]),
        "name": generator.choice([55, -1, 0, 1, 2, 3, 4, 30]),
        "shapes": generator.choice([80, -1, 0, 5, 20]),
        "source": generator.choice([75, -1, 0, 2, 3, 4, 30]),
        "header": generator.choice([None, "Kopf", "Überschrift"]),
        "top": generator.random() < 0.3,
        "unit": generator.choice([None, None, "s", "ms", "us"]),
    }
    lines = [f"device {number}", f"memory {int(rows._profile_memory)}", f"flops {int(rows._with_flops)}"]
    lines += [f"{k} {layout[k]}" for k in ("sort_by", "header") if layout[k] is not None]
    lines += [f"time_unit {layout['unit']}"] if layout["unit"] else []
    lines += [f"row_limit {layout['row_limit']}", f"top_level {int(layout['top'])}"]
    lines += [f"{k}_width {layout[k]}" for k in ("name", "shapes", "source")]
    lines += [as_line(row) for row in rows]
    total = sum(row.self_cpu_time_total for row in rows)
    if total == 0 and any(row.cpu_time_total for row in rows):
        rows[0].self_cpu_time_total = 1.0  # which Python's own assertion asks for
        lines[-len(rows)] = as_line(rows[0])
    try:
        expected = python_table(rows, **layout)
    except AssertionError:  # of device times without a total
        assert not math.isfinite(total) or device
        return
    ours = subprocess.run(
        [BUILD / "tests" / "profiler_table"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    assert ours.stdout == expected
