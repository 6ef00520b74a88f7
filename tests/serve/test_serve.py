"""examples/serve: what it answers is what Python computes with the same model; what it refuses, and what it survives.

Where a test needs requests that wait, the server is told to wait for a batch that does not become full: nothing here
depends on how long anything takes.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import http.client
import json
import math
import os
import random
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.examples.test_examples import BUILT, torch
from tests.examples.test_training_examples import one_thread

safetensors_torch = pytest.importorskip("safetensors.torch")
parser = pytest.importorskip("prometheus_client.parser")

SERVE = BUILT / "serve/serve"
pytestmark = pytest.mark.skipif(
    not os.environ.get("CTORCH_BUILD") or not SERVE.exists(),
    reason="CTORCH_BUILD names no build of the examples with libmicrohttpd",
)

INFER = "/v2/models/model/infer"
LONG = 60  # seconds: what is waited for comes long before
FOREVER = ("--delay", str(LONG * 1000 * 1000), "--timeout", str(2 * LONG * 1000))  # until a batch is full


class Answer:
    def __init__(self, got: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.body = got.status, got.headers, got.read()

    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        assert self.headers["Content-Type"] == "application/json"
        return self.json()["error"]


class Server:
    """A server in a process of its own."""

    def __init__(self, *arguments: str | Path, **environment: str) -> None:
        self.process = subprocess.Popen(
            [SERVE, *map(str, arguments)],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.is_stopping = False
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            raise AssertionError(self.process.stderr.read())
        self.where = line.removeprefix("listening at ").strip()
        self.port = int(self.where.rpartition(":")[2]) if self.where.startswith("http") else 0

    def connect(self) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        if self.port == 0:
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.settimeout(LONG)
            connection.sock.connect(self.where)
        return connection

    def raw(self, data: bytes = b"") -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.port), timeout=LONG)
        client.sendall(data)
        return client

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        with contextlib.closing(self.connect()) as connection:
            connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
            return Answer(connection.getresponse())

    def infer(self, body: dict | bytes, **headers: str) -> Answer:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask("POST", INFER, data, **{"Content_Type": "application/json", **headers})

    def metrics(self) -> dict[str, float]:
        """By name, with the labels as the text has them."""
        found = {}
        for family in parser.text_string_to_metric_families(self.ask("GET", "/metrics").body.decode()):
            for sample in family.samples:
                labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
                found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
        return found

    def wait_for(self, name: str, value: float) -> None:
        end = time.monotonic() + LONG
        while self.metrics().get(name, 0) != value:
            assert time.monotonic() < end, f"{name} does not become {value}"

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Tell it to end, once: the second time would be for the impatient."""
        if not self.is_stopping:
            self.is_stopping = True
            self.process.send_signal(how)

    def ended(self) -> str:
        """Standard error, after it has ended in order."""
        _, says = self.process.communicate(timeout=LONG)
        assert self.process.returncode == 0, says
        return says


@contextlib.contextmanager
def serving(*arguments: str | Path, **environment: str) -> Iterator[Server]:
    port = () if "--socket" in arguments else ("--port", "0")
    server = Server(*arguments, *port, **environment)
    try:
        yield server
        server.stop()
        assert server.ended() == ""
    finally:
        server.process.kill()
        server.process.communicate()


def module(name: str, *args: object, **kwargs: object) -> dict:
    return {"module": name, "args": [*args], "kwargs": kwargs}


def write(path: Path, described: dict) -> Path:
    path.write_text(json.dumps(described))
    return path


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> tuple[torch.nn.Module, tuple]:
    """A network for images of 8 times 8, and what the server is told of it."""
    folder = tmp_path_factory.mktemp("network")
    torch.manual_seed(1)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3, padding=1),
        torch.nn.BatchNorm2d(4),
        torch.nn.ReLU(),
        torch.nn.Dropout(0.5),
        torch.nn.Flatten(),
        torch.nn.Linear(256, 10),
    ).eval()
    model[1].running_mean.uniform_(-1, 1)
    layers = [
        module("Conv2d", 1, 4, [3, 3], padding=1),
        module("BatchNorm2d", 4),
        module("ReLU"),
        module("Dropout", 0.5),
        module("Flatten"),
        module("Linear", 256, 10),
    ]
    described = write(folder / "model.json", module("Sequential", *layers))
    safetensors_torch.save_file(model.state_dict(), folder / "model.safetensors")
    return model, (described, "--weights", folder / "model.safetensors", "--input", "FP32:1,8,8")


@pytest.fixture(scope="module")
def server(network) -> Iterator[Server]:
    with serving(*network[1], CTORCH_DEBUG_HANDLES="1") as started:
        yield started


@pytest.fixture
def embedding(tmp_path) -> tuple[torch.nn.Module, tuple]:
    """What takes rows of several lengths, and fails with an index that it has not."""
    torch.manual_seed(2)
    model = torch.nn.Embedding(10, 3)
    torch.save(model.state_dict(), tmp_path / "model.pt")
    described = write(tmp_path / "model.json", module("Embedding", 10, 3))
    return model, (described, "--weights", tmp_path / "model.pt", "--input", "INT64:?")


def images(rows: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(rows, 1, 8, 8, generator=torch.Generator().manual_seed(seed))


def as_json(x: torch.Tensor, **more: object) -> dict:
    datatype = {torch.float32: "FP32", torch.int64: "INT64"}[x.dtype]
    one = {"name": "INPUT__0", "datatype": datatype, "shape": [*x.shape], "data": x.flatten().tolist()}
    return {"inputs": [one], **more}


def raw_bytes(x: torch.Tensor) -> bytes:
    return bytes(x.contiguous().flatten().view(torch.uint8).tolist())


def as_bytes(x: torch.Tensor, datatype: str, **more: object) -> tuple[bytes, dict[str, str]]:
    data = raw_bytes(x)
    parameters = {"binary_data_size": len(data)}
    one = {"name": "INPUT__0", "datatype": datatype, "shape": [*x.shape], "parameters": parameters}
    head = json.dumps({"inputs": [one], **more}).encode()
    headers = {"Inference_Header_Content_Length": str(len(head)), "Content_Type": "application/octet-stream"}
    return head + data, headers


def computed(answer: Answer, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """The only output, of JSON or of bytes."""
    assert answer.status == 200, answer.body
    length = answer.headers["Inference-Header-Content-Length"]
    head = json.loads(answer.body[: int(length)] if length else answer.body)
    (output,) = head["outputs"]
    assert output["name"] == "OUTPUT__0"
    if length is None:
        assert answer.headers["Content-Type"] == "application/json"
        return torch.tensor(output["data"], dtype=dtype).reshape(output["shape"])
    data = answer.body[int(length) :]
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert output["parameters"] == {"binary_data_size": len(data)}
    return torch.frombuffer(bytearray(data), dtype=dtype).reshape(output["shape"])


def in_python(model: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    with one_thread(), torch.inference_mode():
        return model(x)


def all_at_once(count: int) -> concurrent.futures.ThreadPoolExecutor:
    return concurrent.futures.ThreadPoolExecutor(count)


# What is answered


@pytest.mark.parametrize("rows", [1, 2, 7])
def test_numbers_in_json_give_what_python_computes_bit_for_bit(server, network, rows):
    x = images(rows)
    answer = server.infer(as_json(x, id='a "text" of é'))
    assert (answer.json()["model_name"], answer.json()["model_version"]) == ("model", "1")
    assert answer.json()["id"] == 'a "text" of é'
    assert torch.equal(computed(answer), in_python(network[0], x))


@pytest.mark.parametrize("rows", [1, 2, 7])
def test_bytes_give_what_python_computes_bit_for_bit(server, network, rows):
    x = images(rows)
    body, headers = as_bytes(x, "FP32", parameters={"binary_data_output": True})
    assert torch.equal(computed(server.infer(body, **headers)), in_python(network[0], x))
    outputs = [{"name": "OUTPUT__0", "parameters": {"binary_data": True}}]
    assert torch.equal(computed(server.infer(as_json(x, outputs=outputs))), in_python(network[0], x))


def test_a_tensor_alone_is_a_request(server, network):
    x = images(3)
    answer = server.infer(raw_bytes(x), Content_Type="application/octet-stream", Inference_Header_Content_Length="0")
    assert torch.equal(computed(answer), in_python(network[0], x))


def test_numbers_may_stand_in_nested_lists(server, network):
    x = images(2)
    body = as_json(x)
    body["inputs"][0]["data"] = x.tolist()
    assert torch.equal(computed(server.infer(body)), in_python(network[0], x))


def test_many_requests_go_over_one_connection(server, network):
    with contextlib.closing(server.connect()) as connection:
        for seed in range(20):
            connection.request("GET", "/v2/health/live")
            assert Answer(connection.getresponse()).status == 200
            connection.request("POST", INFER, json.dumps(as_json(images(1, seed))))
            used = connection.sock
            assert torch.equal(computed(Answer(connection.getresponse())), in_python(network[0], images(1, seed)))
            assert connection.sock is used


def test_a_body_may_come_in_chunks(server, network):
    x = images(2)
    body = json.dumps(as_json(x)).encode()
    with contextlib.closing(server.connect()) as connection:
        connection.request("POST", INFER, iter([body[:5], body[5:]]), encode_chunked=True)
        assert torch.equal(computed(Answer(connection.getresponse())), in_python(network[0], x))


DATATYPES = {
    "BOOL": torch.bool,
    "UINT8": torch.uint8,
    "INT8": torch.int8,
    "INT16": torch.int16,
    "UINT16": torch.uint16,
    "INT32": torch.int32,
    "INT64": torch.int64,
    "FP16": torch.float16,
    "BF16": torch.bfloat16,
    "FP32": torch.float32,
    "FP64": torch.float64,
}


@pytest.mark.parametrize("datatype", DATATYPES)
def test_numbers_of_each_type_come_back_as_they_were(tmp_path, datatype):
    dtype = DATATYPES[datatype]
    if dtype == torch.bool:
        x = torch.tensor([[True, False, True]])
    elif dtype.is_floating_point:
        x = torch.tensor([[1 / 3, -1e-5, torch.finfo(dtype).max]], dtype=dtype)
    else:
        x = torch.tensor([[torch.iinfo(dtype).min, 7, torch.iinfo(dtype).max]], dtype=dtype)
    with serving(write(tmp_path / "model.json", module("Identity")), "--input", f"{datatype}:3") as server:
        body, headers = as_bytes(x, datatype, parameters={"binary_data_output": True})
        assert raw_bytes(computed(server.infer(body, **headers), dtype)) == raw_bytes(x)
        one = {"name": "INPUT__0", "datatype": datatype, "shape": [1, 3], "data": x.tolist()}
        answer = server.infer({"inputs": [one]})
        if datatype in ("FP16", "BF16"):
            assert (answer.status, answer.error) == (400, f"data: JSON is no {datatype}")
            body, headers = as_bytes(x, datatype)
            assert "ask for binary_data" in server.infer(body, **headers).error
        else:
            assert torch.equal(computed(answer, dtype), x)
            assert answer.json()["outputs"][0]["datatype"] == datatype


def echoed(server: Server, numbers: str, datatype: str, len_: int) -> Answer:
    """Numbers as they are written, through a model that gives what it gets."""
    one = f'{{"name":"INPUT__0","data":{numbers},"datatype":"{datatype}","shape":[1,{len_}]}}'
    return server.infer(f'{{"parameters":{{"data":[7]}},"inputs":[{one}]}}'.encode())


def doubles() -> list[str]:
    """Numbers of many kinds and lengths, whose nearest double is not the easiest to find."""
    drawn = random.Random(1)
    bits = [struct.unpack("d", drawn.randbytes(8))[0] for _ in range(3000)]
    texts = [repr(number) for number in bits if math.isfinite(number)]
    texts += [repr(struct.unpack("f", drawn.randbytes(4))[0]) for _ in range(3000)]
    for _ in range(3000):
        digits = "".join(drawn.choices("0123456789", k=drawn.randint(1, 25)))
        texts.append(f"-{drawn.randint(0, 9)}.{digits}e{drawn.randint(-30, 30)}")
    for _ in range(1000):  # halfway between two doubles, and beside that
        low = drawn.randrange(1 << 52, 1 << 53)
        texts += [str(2 * low + 1), f"{2 * low + 1}.0000000000000001", f"{2 * low}.9999999999999999"]
    texts += ["0", "-0", "0.0", "-0.0", "1E5", "1e+5", "4.9e-324", "2.4e-324", "1.7976931348623157e308", "1" * 300]
    texts += ["0." + "0" * 400 + "1", "1e-100000000000", "9007199254740993", "18446744073709551616", "0e999999999"]
    return [text for text in texts if math.isfinite(float(text)) and "n" not in text]


def test_numbers_in_json_are_the_nearest_ones(tmp_path):
    texts = doubles()
    model = write(tmp_path / "model.json", module("Identity"))
    with serving(model, "--input", "FP64:?") as server:
        got = computed(echoed(server, "[" + ", ".join(texts) + "]", "FP64", len(texts)), torch.float64)
        assert raw_bytes(got) == raw_bytes(torch.tensor([[float(text) for text in texts]], dtype=torch.float64))
        assert "beyond its range" in echoed(server, "[1e309]", "FP64", 1).error
    with serving(model, "--input", "FP32:?") as server:
        near = [text for text in texts if abs(float(text)) < 3.4e38]
        got = computed(echoed(server, "[" + ",".join(near) + "]", "FP32", len(near)))
        expected = torch.tensor([[float(text) for text in near]], dtype=torch.float64).float()
        assert raw_bytes(got) == raw_bytes(expected)
    with serving(model, "--input", "UINT64:?") as server:
        body = echoed(server, "[0,18446744073709551615]", "UINT64", 2)
        assert body.json()["outputs"][0]["data"] == [0, 2**64 - 1]
        assert "beyond its range" in echoed(server, "[18446744073709551616]", "UINT64", 1).error
        assert "beyond its range" in echoed(server, "[-1]", "UINT64", 1).error


def test_lists_of_numbers_are_as_json_has_them(tmp_path):
    with serving(write(tmp_path / "model.json", module("Identity")), "--input", "FP32:?") as server:
        for numbers in ("[1,2]", " [ 1 ,\n\t2\r] ", "[[1],[2]]", "[[[1,2]],[]]"):
            assert computed(echoed(server, numbers, "FP32", 2)).tolist() == [[1, 2]]
        for numbers in ("[1,,2]", "[1 2]", "[1,2,]", "[,1,2]", "[1,[2]", "[1]2]", "[1,2}", "[01,2]", "[1.,2]", "[.5,2]",
                        "[+1,2]", "[1e,2]", "[0x1,2]", "[NaN,2]", "[1,Infinity]", "[--1,2]", "[1,2e+]", "[1,-]",
                        "[1,{}]", '[1,"]"]', "[1][2]", "[1,true]", "[1,2"):  # fmt: skip
            assert echoed(server, numbers, "FP32", 2).status == 400, numbers


def test_what_is_no_number_is_null_in_json(tmp_path):
    x = torch.tensor([[float("inf"), float("nan"), -1.5]])
    with serving(write(tmp_path / "model.json", module("Identity")), "--input", "FP32:3") as server:
        body, headers = as_bytes(x, "FP32")
        assert server.infer(body, **headers).json()["outputs"][0]["data"] == [None, None, -1.5]


def test_what_the_server_is_can_be_asked(server):
    assert server.ask("GET", "/v2/health/live").status == 200
    assert server.ask("GET", "/v2/health/ready").status == 200
    assert server.ask("GET", "/v2/models/model/ready").status == 200
    assert server.ask("HEAD", "/v2/health/ready").body == b""
    assert server.ask("GET", "/v2").json()["extensions"] == ["binary_tensor_data"]
    assert server.ask("GET", "/v2/models/model").json() == {
        "name": "model",
        "versions": ["1"],
        "platform": "ctorch_module",
        "inputs": [{"name": "INPUT__0", "datatype": "FP32", "shape": [-1, 1, 8, 8]}],
        "outputs": [{"name": "OUTPUT__0", "datatype": "FP32", "shape": [-1, 10]}],
    }


def test_the_only_version_of_a_model_can_be_named(server, network):
    x = images(2)
    body = json.dumps(as_json(x)).encode()
    for path in ("/v2/models/model/versions/1", "/v2/models/model"):
        assert server.ask("GET", path).json()["versions"] == ["1"]
        assert server.ask("GET", f"{path}/ready").status == 200
        assert torch.equal(computed(server.ask("POST", f"{path}/infer", body)), in_python(network[0], x))
    assert server.ask("POST", "/v2/models/model/versions/2/infer", body).status == 404


def test_an_address_of_ipv6_serves_too(network):
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 here")
    for address, host in (("::1", "::1"), ("::", "127.0.0.1")):
        with serving(*network[1], "--address", address) as server:
            assert server.where == f"http://[{address}]:{server.port}"
            with contextlib.closing(http.client.HTTPConnection(host, server.port, timeout=LONG)) as connection:
                connection.request("POST", INFER, json.dumps(as_json(images(1))))
                assert torch.equal(computed(Answer(connection.getresponse())), in_python(network[0], images(1)))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 that signs itself, and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    names = ("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "cert.pem")
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    return folder / "cert.pem", folder / "key.pem"


def test_tls_serves_with_a_certificate(network, certificate):
    cert, key = certificate
    trusted = ssl.create_default_context(cafile=cert)
    with serving(*network[1], "--tls-cert", cert, "--tls-key", key, CTORCH_DEBUG_HANDLES="1") as server:
        assert server.where == f"https://127.0.0.1:{server.port}"
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=LONG, context=trusted)
        with contextlib.closing(connection):
            for seed in range(3):
                connection.request("POST", INFER, json.dumps(as_json(images(1, seed))))
                assert torch.equal(computed(Answer(connection.getresponse())), in_python(network[0], images(1, seed)))
        with pytest.raises((http.client.HTTPException, OSError)):  # plain HTTP
            server.ask("GET", "/v2")


def test_a_certificate_that_is_none_is_refused(network, certificate, tmp_path):
    cert, key = certificate
    nonsense = write(tmp_path / "cert.pem", {})
    for arguments, code, says in (
        (("--tls-cert", cert), 2, "--tls-cert and --tls-key need each other"),
        (("--tls-cert", tmp_path / "none", "--tls-key", key), 1, "none: No such file"),
        (("--tls-cert", cert, "--tls-key", cert), 1, "does not start: .* Is --tls-cert PEM"),
        (("--tls-cert", nonsense, "--tls-key", key), 1, "does not start: .* Is --tls-cert PEM"),
    ):
        status, text = refused(*network[1], "--port", "0", *arguments)
        assert status == code, text
        assert re.search(says, text), text


def test_a_socket_in_the_file_system_serves_too(network, tmp_path):
    path = tmp_path / "socket"
    with serving(*network[1], "--socket", path) as server:
        assert path.stat().st_mode & 0o777 == 0o700
        assert torch.equal(computed(server.infer(as_json(images(1)))), in_python(network[0], images(1)))
    assert not path.exists()


# Other kinds of models


def test_a_program_of_torchscript_is_served(network, tmp_path):
    path = tmp_path / "model.pt"
    torch.jit.save(torch.jit.script(network[0]), path)
    with serving(path, "--input", "FP32:1,8,8", "--workers", "2") as server:
        assert torch.equal(computed(server.infer(as_json(images(3)))), in_python(network[0], images(3)))
        assert server.ask("GET", "/v2/models/model").json()["platform"] == "pytorch_torchscript"


def test_a_package_of_aotinductor_is_served(network, tmp_path):
    path = tmp_path / "model.pt2"
    rows = torch.export.Dim("rows", min=1, max=64)
    exported = torch.export.export(network[0], (images(2),), dynamic_shapes=({0: rows},))
    torch._inductor.aoti_compile_and_package(exported, package_path=str(path))
    with serving(path, "--input", "FP32:1,8,8", "--workers", "2") as server:
        expected = in_python(network[0], images(3))
        torch.testing.assert_close(computed(server.infer(as_json(images(3)))), expected, rtol=1e-5, atol=1e-6)
        assert server.ask("GET", "/v2/models/model").json()["platform"] == "pytorch_aotinductor"


def test_a_program_of_torch_export_is_served(network, tmp_path):
    path = tmp_path / "model.pt2"
    rows = torch.export.Dim("rows", min=1, max=64)
    torch.export.save(torch.export.export(network[0], (images(2),), dynamic_shapes=({0: rows},)), path)
    with serving(path, "--input", "FP32:1,8,8", "--workers", "2") as server:
        assert torch.equal(computed(server.infer(as_json(images(3)))), in_python(network[0], images(3)))
        assert server.ask("GET", "/v2/models/model").json()["platform"] == "pytorch_exported_program"


# Batches


def test_concurrent_requests_are_one_batch_with_the_answers_of_each(network):
    with serving(*network[1], "--batch", "8", *FOREVER) as server, all_at_once(8) as pool:
        answers = [*pool.map(lambda seed: server.infer(as_json(images(1, seed))), range(8))]
        for seed, answer in enumerate(answers):
            torch.testing.assert_close(computed(answer), in_python(network[0], images(1, seed)), rtol=1e-5, atol=1e-6)
        metrics = server.metrics()
        assert metrics["serve_batch_rows_count"] == 1
        assert metrics["serve_batch_rows_sum"] == 8
        assert metrics['serve_batch_rows_bucket{le="4"}'] == 0
        assert metrics['serve_batch_rows_bucket{le="8"}'] == 1


def test_requests_of_several_rows_share_a_batch(network):
    with serving(*network[1], "--batch", "8", *FOREVER) as server, all_at_once(3) as pool:
        answers = [*pool.map(lambda rows: server.infer(as_json(images(rows, rows))), (1, 5, 2))]
        for rows, answer in zip((1, 5, 2), answers, strict=True):
            expected = in_python(network[0], images(rows, rows))
            torch.testing.assert_close(computed(answer), expected, rtol=1e-5, atol=1e-6)
        assert server.metrics()["serve_batch_rows_sum"] == 8
        assert server.metrics()["serve_batch_rows_count"] == 1


def test_more_rows_than_a_batch_are_computed_by_themselves(network):
    with serving(*network[1], "--batch", "2", *FOREVER) as server:
        assert torch.equal(computed(server.infer(as_json(images(5)))), in_python(network[0], images(5)))


def test_what_has_waited_long_enough_is_computed_though_nobody_came(network):
    with serving(*network[1], "--batch", "100", "--delay", "20000") as server:
        assert torch.equal(computed(server.infer(as_json(images(1)))), in_python(network[0], images(1)))
        assert server.metrics()["serve_queue_duration_seconds_sum"] >= 0.02


def test_rows_of_several_lengths_are_batches_each(embedding):
    model, arguments = embedding
    with serving(*arguments, "--batch", "2", *FOREVER) as server, all_at_once(4) as pool:
        rows = [torch.tensor([row]) for row in ([1, 2, 3], [4], [5, 6, 7], [8])]
        waiting = []
        for x, queue_len in zip(rows, (1, 2, 1, 0), strict=True):
            waiting.append(pool.submit(server.infer, as_json(x)))
            server.wait_for("serve_queue_length", queue_len)
        for x, future in zip(rows, waiting, strict=True):
            assert torch.equal(computed(future.result()), in_python(model, x))
        assert server.metrics()["serve_batch_rows_count"] == 2


def test_a_request_that_fails_in_a_batch_fails_alone(embedding):
    model, arguments = embedding
    with serving(*arguments, "--batch", "4", *FOREVER) as server, all_at_once(4) as pool:
        rows = [torch.tensor([row]) for row in ([1, 2], [3, 10], [5, 6], [8, 9])]
        answers = [*pool.map(lambda x: server.infer(as_json(x)), rows)]
        assert [answer.status for answer in answers] == [200, 400, 200, 200]
        assert answers[1].error == "index out of range in self"
        for i in (0, 2, 3):
            assert torch.equal(computed(answers[i]), in_python(model, rows[i]))


def test_several_workers_and_threads_answer_everybody(network):
    x = [images(1 + seed % 3, seed) for seed in range(200)]
    expected = [in_python(network[0], one) for one in x]
    arguments = (*network[1], "--workers", "3", "--http-threads", "2", "--batch", "4")
    with serving(*arguments, CTORCH_DEBUG_HANDLES="1") as server, all_at_once(8) as pool:
        for want, answer in zip(expected, pool.map(lambda one: server.infer(as_json(one)), x), strict=True):
            torch.testing.assert_close(computed(answer), want, rtol=1e-5, atol=1e-6)
        assert server.metrics()['serve_responses_total{code="200"}'] >= 200


# What is refused


def changed(**member: object) -> dict:
    body = as_json(images(1))
    body["inputs"][0].update(member)
    return body


MALFORMED = {
    "nothing": (b"", "body: no JSON"),
    "no JSON": (b"{", "body: no JSON: line 1, column 1"),
    "two members of one name": (b'{"inputs":[],"inputs":[]}', "duplicate"),
    "a list": (b"[1]", "inputs: a list of one input is expected"),
    "a deep list": (b"[" * 100000, "body: no JSON"),
    "what is no UTF-8": (b'{"id":"\xff"}', "body: no JSON"),
    "no inputs": ({}, "inputs: a list of one input is expected"),
    "two inputs": ({"inputs": as_json(images(1))["inputs"] * 2}, "inputs: a list of one"),
    "an input that is no object": ({"inputs": [1]}, r"inputs\[0\].name"),
    "another name": (changed(name="x"), r'inputs\[0\].name: the model\'s input is "INPUT__0"'),
    "no type": (changed(datatype="FP31"), r"inputs\[0\].datatype"),
    "another type": (changed(datatype="INT64"), r"inputs\[0\]: INT64\[1,1,8,8\] does not fit FP32\[-1,1,8,8\]"),
    "another size": (changed(shape=[1, 1, 8, 9]), r"FP32\[1,1,8,9\] does not fit"),
    "another rank": (changed(shape=[1, 64]), r"FP32\[1,64\] does not fit"),
    "no rows": (changed(shape=[0, 1, 8, 8]), r"inputs\[0\].shape: .*at least one row"),
    "a negative size": (changed(shape=[1, 1, -8, -8]), r"inputs\[0\].shape"),
    "a fraction": (changed(shape=[1.0, 1, 8, 8]), r"inputs\[0\].shape"),
    "no shape": (changed(shape=64), r"inputs\[0\].shape: a list"),
    "more rows than numbers": (changed(shape=[2000000000, 1, 8, 8]), r"inputs\[0\].data: fewer numbers"),
    "a number too few": (changed(data=[0.0] * 63), "data: fewer numbers"),
    "a number too many": (changed(data=[0.0] * 65), "data: more numbers"),
    "a text among the numbers": (changed(data=[0.0] * 63 + ["1"]), "data: what is no number"),
    "null among the numbers": (changed(data=[None] * 64), "data: what is no number"),
    "a number beyond the type": (changed(data=[1e39] * 64), "data: a number beyond its range"),
    "no data": (changed(data=None), "data: a list is expected"),
    "a list that does not end": (b'{"inputs":[{"data":[1,2', "body: no JSON"),
    "a text that does not end": (b'{"inputs":[{"data":["1', "body: no JSON"),
    "two lists of numbers": (b'{"inputs":[{"data":[1],"data":[2]}]}', "duplicate"),
    "brackets that do not match": (b"]]{}", "body: no JSON"),
    "numbers elsewhere": (
        {"outputs": [{"data": [0.0] * 64}], "inputs": [{**changed()["inputs"][0], "data": "inputs"}]},
        "data: a list is expected",
    ),
    "bytes that are not there": (changed(parameters={"binary_data_size": 256}), "binary_data_size"),
    "an id that is no text": (as_json(images(1), id=1), "id"),
    "outputs that are no list": (as_json(images(1), outputs={}), "outputs"),
    "an output of no name": (as_json(images(1), outputs=[{}]), "outputs"),
    "an output that there is not": (as_json(images(1), outputs=[{"name": "OUTPUT__1"}]), "no such output"),
    "an absurd output": (as_json(images(1), outputs=[{"name": "OUTPUT__99999999999999999999"}]), "no such output"),
    "a timeout of nothing": (as_json(images(1), parameters={"timeout": 0}), "parameters.timeout"),
    "a classification": (
        as_json(images(1), outputs=[{"name": "OUTPUT__0", "parameters": {"classification": 2}}]),
        "outputs.parameters.classification: this server does not have this extension",
    ),
    "shared memory": (
        changed(parameters={"shared_memory_region": "a"}),
        r"inputs\[0\].parameters.shared_memory_region",
    ),
    "a sequence": (as_json(images(1), parameters={"sequence_id": 1}), "parameters.sequence_id"),
    "a flag that is none": (as_json(images(1), parameters={"binary_data_output": 1}), "binary_data_output"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_request_is_told_what_is_wrong(server, name):
    body, says = MALFORMED[name]
    answer = server.infer(body)
    assert answer.status == 400
    assert re.search(says, answer.error), answer.error


def test_requests_that_were_changed_anywhere_are_answered(server):
    """Bytes that are other ones, gone, or there twice."""
    drawn = random.Random(3)
    whole, headers = as_bytes(images(1), "FP32", id="a", outputs=[{"name": "OUTPUT__0"}], parameters={"timeout": 10**6})
    text = json.dumps(as_json(images(1), id="a", parameters={"timeout": 10**6})).encode()
    seen = set()
    with contextlib.closing(server.connect()) as connection:
        for turn in range(1000):
            body = bytearray(whole if turn % 2 else text)
            for _ in range(drawn.randint(1, 3)):
                begin = drawn.randrange(min(300, len(body)))
                end = begin + drawn.randint(0, 4)
                body[begin:end] = drawn.choice(
                    [b"", drawn.randbytes(1), bytes([drawn.choice(b'[]{}",:-.e0')]), body[begin:end] * 2]
                )
            names = {name.replace("_", "-"): value for name, value in headers.items()} if turn % 2 else {}
            connection.request("POST", INFER, bytes(body), names)
            answer = Answer(connection.getresponse())
            seen.add(answer.status)
            assert answer.status == 200 or (answer.status == 400 and answer.error)
    assert seen == {200, 400}


def test_a_malformed_tensor_is_told_what_is_wrong(server):
    binary = {"Content_Type": "application/octet-stream"}
    body, headers = as_bytes(images(1), "FP32")
    answer = server.infer(body + b"x", **headers)
    assert (answer.status, "binary_data_size" in answer.error) == (400, True)
    answer = server.infer(body, **binary, Inference_Header_Content_Length=str(len(body) + 1))
    assert (answer.status, answer.error) == (400, "Inference-Header-Content-Length: more than the body has")
    for text in ("-1", "x", "1x", "99999999999999999999999"):
        answer = server.infer(body, **binary, Inference_Header_Content_Length=text)
        assert (answer.status, "whole numbers" in answer.error) == (400, True)
    for data in (b"", b"x" * 255, b"x" * 257):
        answer = server.infer(data, **binary, Inference_Header_Content_Length="0")
        assert (answer.status, answer.error) == (400, f"body: {len(data)} bytes are no number of rows of 256")


def test_integers_and_bools_are_in_their_range(tmp_path):
    model = write(tmp_path / "model.json", module("Identity"))
    one = {"name": "INPUT__0", "datatype": "UINT8", "shape": [1, 1]}
    with serving(model, "--input", "UINT8:1") as server:
        for number, says in ((256, "beyond"), (-1, "beyond"), (1.0, "no integer"), (True, "no number")):
            assert says in server.infer({"inputs": [{**one, "data": [number]}]}).error
    with serving(model, "--input", "BOOL:1") as server:
        assert "neither true nor false" in server.infer({"inputs": [{**one, "datatype": "BOOL", "data": [1]}]}).error
        body = server.infer(b"\2", Content_Type="application/octet-stream", Inference_Header_Content_Length="0")
        assert body.error == "inputs[0]: a BOOL is a byte of 0 or 1"


def test_paths_methods_and_types_that_are_not_there_are_refused(server):
    for path in ("/", "/v2/models/other", "/v2/models/other/infer", "/v2/models/model/", "/v2/models/mode/ready"):
        assert server.ask("GET", path).status == 404
    for method, path, allowed in (("GET", INFER, "POST"), ("POST", "/metrics", "GET, HEAD"), ("PUT", INFER, "POST")):
        answer = server.ask(method, path)
        assert (answer.status, answer.headers["Allow"]) == (405, allowed)
    body = json.dumps(as_json(images(1))).encode()
    for headers in (
        {"Content_Type": "text/plain"},
        {"Content_Encoding": "gzip"},
        {"Content_Type": "application/jsonx"},
    ):
        assert server.infer(body, **headers).status == 415
    assert server.infer(body, Content_Type="Application/JSON; charset=utf-8").status == 200


def test_a_body_that_is_too_large_is_refused(network):
    body = json.dumps(as_json(images(8))).encode()
    with serving(*network[1], "--max-body", str(len(body))) as server:
        assert server.infer(body).status == 200
        assert server.infer(body + b" ").status == 413
        with contextlib.closing(server.connect()) as connection:  # in chunks nobody says so before
            connection.request("POST", INFER, iter([body, b" " * 10]), encode_chunked=True)
            assert Answer(connection.getresponse()).status == 413
        sent = head_of(**{"Content-Length": 50_000_000})
        with server.raw(sent) as client:  # which sends everything before it reads
            for _ in range(50):
                client.sendall(b" " * 1_000_000)
            assert answer_to(client).status == 413


def test_what_is_refused_by_its_headers_is_answered_though_a_body_comes(server):
    for request in (
        head_of(**{"Content-Length": 8_000_000}).replace(b"/infer", b"/infer2"),
        head_of(**{"Content-Length": 8_000_000, "Content-Type": "text/plain"}),
        head_of(**{"Content-Length": "8000000x"}),  # the library's own refusal
    ):
        with server.raw(request) as client:
            for _ in range(8):
                client.sendall(b" " * 1_000_000)
            got = http.client.HTTPResponse(client)
            got.begin()
            assert got.status in (400, 404, 415)


def test_a_full_queue_refuses_and_goes_on(network):
    with serving(*network[1], "--queue", "4", "--batch", "100", *FOREVER) as server, all_at_once(4) as pool:
        waiting = [pool.submit(server.infer, as_json(images(1, seed))) for seed in range(4)]
        server.wait_for("serve_queue_length", 4)
        answer = server.infer(as_json(images(1)))
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
        assert answer.error == "the queue is full"
        assert server.metrics()['serve_responses_total{code="503"}'] == 1
        server.stop()
        for seed, future in enumerate(waiting):
            torch.testing.assert_close(
                computed(future.result()), in_python(network[0], images(1, seed)), rtol=1e-5, atol=1e-6
            )


def test_a_request_past_its_deadline_is_answered_then(network):
    with serving(*network[1], "--batch", "100", *FOREVER) as server:
        answer = server.infer(as_json(images(1), parameters={"timeout": 1000}))
        assert (answer.status, "deadline" in answer.error) == (504, True)
        assert server.metrics()["serve_queue_length"] == 0
    with serving(*network[1], "--batch", "100", "--delay", "60000000", "--timeout", "1000") as server:
        assert server.infer(as_json(images(1))).status == 504


# Clients that are slow, broken, or gone


def request_of(x: torch.Tensor) -> bytes:
    body = json.dumps(as_json(x)).encode()
    return f"POST {INFER} HTTP/1.1\r\nHost: here\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def head_of(version: str = "1.1", host: str = "Host: here\r\n", **headers: object) -> bytes:
    lines = "".join(f"{name}: {text}\r\n" for name, text in headers.items())
    return f"POST {INFER} HTTP/{version}\r\n{host}{lines}\r\n".encode()


def answer_to(client: socket.socket) -> Answer:
    got = http.client.HTTPResponse(client)
    got.begin()
    return Answer(got)


def test_a_slow_client_holds_up_nobody(server, network):
    data = request_of(images(1, 5))
    with server.raw() as slow:
        for at in range(0, len(data) - 1, 97):
            slow.sendall(data[at : min(at + 97, len(data) - 1)])
            assert torch.equal(computed(server.infer(as_json(images(1)))), in_python(network[0], images(1)))
        slow.sendall(data[-1:])
        assert torch.equal(computed(answer_to(slow)), in_python(network[0], images(1, 5)))


def test_a_client_that_takes_too_long_is_cut_off(network):
    head = f"POST {INFER} HTTP/1.1\r\nHost: here\r\nContent-Length: 4000000\r\n\r\n".encode()
    with serving(*network[1], "--timeout", "100") as server, server.raw(head) as slow:
        with pytest.raises(OSError):  # noqa: PT011 broken pipe, or reset
            while True:
                slow.sendall(b" ")
        assert server.infer(as_json(images(1))).status == 200


@pytest.mark.parametrize(
    ("begin", "drop"),
    [
        (b"", b"G"),
        (b"GET /v2 HTTP/1.1\r\nHost: here\r\n", b"a: b\r\n"),
        (head_of(**{"Transfer-Encoding": "chunked"}) + b"5;", b"x"),
        (head_of(**{"Transfer-Encoding": "chunked"}) + b"0\r\n", b"a: b\r\n"),
        (b"GET /v2 HTTP/1.1\r\nHost: here\r\n\r\nGET /v2 HTTP/1.1\r\n", b"a: b\r\n"),
    ],
    ids=["a request line", "headers", "a chunk's length", "trailers", "a second request's headers"],
)
def test_what_drips_in_is_cut_off(network, begin, drop):
    with serving(*network[1], "--timeout", "300", "--idle-timeout", "1", "--connections", "2") as server:
        clients = [server.raw(begin) for _ in range(2)]
        left = [*clients]
        for client in clients:
            client.settimeout(0.1)
        end = time.monotonic() + LONG
        while left:  # never silent for as long as --idle-timeout
            assert time.monotonic() < end
            for client in [*left]:
                try:
                    client.sendall(drop)
                    if not client.recv(1000):
                        left.remove(client)
                except TimeoutError:
                    pass
                except OSError:  # closed
                    left.remove(client)
        assert server.infer(as_json(images(1))).status == 200


def test_a_client_that_does_not_take_its_answer_is_cut_off(tmp_path):
    x = torch.zeros(1, 4_000_000, dtype=torch.uint8)
    body, headers = as_bytes(x, "UINT8", parameters={"binary_data_output": True})
    head = head_of(**{name.replace("_", "-"): text for name, text in headers.items()}, **{"Content-Length": len(body)})
    model = write(tmp_path / "model.json", module("Identity"))
    arguments = ("--input", "UINT8:?", "--max-body", "5000000", "--idle-timeout", "1", "--connections", "2")
    with serving(model, *arguments) as server:
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(LONG)
        client.connect(("127.0.0.1", server.port))
        with client:
            client.sendall(head + body)
            with contextlib.suppress(ConnectionResetError):
                for _ in range(20_000):  # a little at a time, and never silent
                    server.infer(b"{")
                    if not client.recv(10):
                        break
            assert server.metrics()["serve_connections"] == 1


def test_a_silent_client_is_cut_off(network):
    with serving(*network[1], "--idle-timeout", "1") as server, server.raw(b"POST ") as silent:
        assert silent.recv(1) == b""


@pytest.mark.parametrize(
    "data",
    [
        b"nonsense\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /metrics HTTP/9.9\r\n\r\n",
        b"GET /" + b"x" * 100000 + b" HTTP/1.1\r\n\r\n",
        b"GET /metrics HTTP/1.1\r\n" + b"a: b\r\n" * 20000 + b"\r\n",
        f"POST {INFER} HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n".encode(),
        f"POST {INFER} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n".encode(),
        f"POST {INFER} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".encode(),
    ],
)
def test_broken_http_is_refused_and_disturbs_nobody(server, network, data):
    with server.raw() as broken:
        got = b""
        with contextlib.suppress(OSError):  # it may be closed before all of it is sent
            broken.sendall(data)
            broken.shutdown(socket.SHUT_WR)
            got = broken.recv(1000)
        assert got == b"" or re.match(rb"HTTP/1\.[01] (4\d\d|50[15]) ", got), got
    assert torch.equal(computed(server.infer(as_json(images(1)))), in_python(network[0], images(1)))


CHUNKED = {"Transfer-Encoding": "chunked"}
AMBIGUOUS = {
    "a length and an encoding": (head_of(**{"Content-Length": 5}, **CHUNKED), "exclude each other"),
    "an encoding and a length": (head_of(**CHUNKED, **{"Content-Length": 5}), "exclude each other"),
    "two lengths": (head_of(**{"Content-Length": 5, "content-length": 6}), "more than one Content-Length"),
    "twice the same length": (head_of(**{"Content-Length": 5, "content-length": 5}), "more than one Content-Length"),
    "a list of lengths": (head_of(**{"Content-Length": "5, 5"}), ""),
    "a length with a sign": (head_of(**{"Content-Length": "+5"}), ""),
    "an unknown encoding": (head_of(**{"Transfer-Encoding": "gzip"}), 'must be "chunked"'),
    "an encoding under chunks": (head_of(**{"Transfer-Encoding": "gzip, chunked"}), 'must be "chunked"'),
    "two encodings": (head_of(**CHUNKED, **{"transfer-encoding": "identity"}), 'must be "chunked"'),
    "an encoding in HTTP/1.0": (head_of("1.0", **CHUNKED), "HTTP/1.0 has no Transfer-Encoding"),
    "no host": (head_of(host="", **{"Content-Length": 0}), "a Host is missing"),
    "two hosts": (head_of(**{"HOST": "there", "Content-Length": 0}), "more than one Host"),
    "a space before the colon": (head_of(**{"Content-Length ": 5}), "a character that it must not have"),
    "a control character": (head_of(**{"a": "b\x01c", "Content-Length": 0}), "a character that it must not have"),
    "two lengths of JSON": (
        head_of(**{"Inference-Header-Content-Length": 5, "inference-header-content-length": 6, "Content-Length": 5}),
        "each there once at most",
    ),
}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_what_two_servers_could_read_differently_is_refused(server, name):
    """RFC 9112: a 400, and no byte behind it becomes a request."""
    data, says = AMBIGUOUS[name]
    with server.raw(data + b"0\r\n\r\nGET /v2/health/live HTTP/1.1\r\nHost: here\r\n\r\n") as client:
        got = b""
        while more := client.recv(1000):
            got += more
    assert re.match(rb"HTTP/1\.[01] 400 ", got), got
    assert not re.search(rb"HTTP/1\.[01] 200 ", got)
    assert says in json.loads(got.partition(b"\r\n\r\n")[2])["error"] if says else True


def test_http_1_0_needs_no_host(server):
    with server.raw(b"GET /v2/health/live HTTP/1.0\r\n\r\n") as client:
        assert answer_to(client).status == 200


def test_clients_that_vanish_are_dropped_from_the_queue(network):
    with serving(*network[1], "--queue", "4", "--batch", "5", *FOREVER) as server:
        clients = [server.raw(request_of(images(1))) for _ in range(4)]
        server.wait_for("serve_queue_length", 4)
        for i, client in enumerate(clients):
            if i % 2 == 0:  # with a reset
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        with all_at_once(4) as pool:
            waiting = [pool.submit(server.infer, as_json(images(1, seed))) for seed in range(4)]
            server.wait_for("serve_queue_length", 4)
            assert server.metrics()["serve_vanished_total"] == 4
            server.stop()
            for seed, future in enumerate(waiting):
                torch.testing.assert_close(
                    computed(future.result()), in_python(network[0], images(1, seed)), rtol=1e-5, atol=1e-6
                )


def test_who_vanishes_is_not_computed(network):
    with serving(*network[1], "--batch", "3", *FOREVER) as server, all_at_once(2) as pool:
        server.raw(request_of(images(1))).close()
        server.wait_for("serve_queue_length", 1)
        answers = [*pool.map(lambda seed: server.infer(as_json(images(1, seed))), range(2))]
        assert [answer.status for answer in answers] == [200, 200]
        metrics = server.metrics()
        assert (metrics["serve_vanished_total"], metrics["serve_batch_rows_sum"]) == (1, 2)


def test_clients_that_vanish_while_they_send_or_read_disturb_nobody(server, network):
    data = request_of(images(1))
    for end in range(0, len(data) + 1, 61):
        server.raw(data[:end]).close()
    server.raw(data).close()
    server.wait_for("serve_requests", 1)  # the one that asks
    assert torch.equal(computed(server.infer(as_json(images(1)))), in_python(network[0], images(1)))


# Its end


def test_on_sigterm_what_is_in_flight_is_answered(network):
    with serving(*network[1], "--batch", "100", *FOREVER, CTORCH_DEBUG_HANDLES="1") as server, all_at_once(6) as pool:
        data = request_of(images(1))
        waiting = [pool.submit(server.infer, as_json(images(1, seed))) for seed in range(6)]
        with server.raw(data[:300]) as halfway:
            server.wait_for("serve_queue_length", 6)
            server.wait_for("serve_requests", 8)
            server.stop()
            for seed, future in enumerate(waiting):
                expected = in_python(network[0], images(1, seed))
                torch.testing.assert_close(computed(future.result()), expected, rtol=1e-5, atol=1e-6)
                assert future.result().headers["Connection"] == "close"
            with pytest.raises(ConnectionRefusedError):
                server.raw()
            halfway.sendall(data[300:])
            answer = answer_to(halfway)
            assert (answer.status, answer.error) == (503, "the server is stopping")


def test_on_sigterm_who_waits_for_a_connection_is_answered(network):
    arguments = ("--connections", "3", "--batch", "100", *FOREVER)
    with serving(*network[1], *arguments) as server:
        taken = [server.raw(request_of(images(1, seed))) for seed in range(2)]
        server.wait_for("serve_queue_length", 2)
        taken.append(server.raw())
        waiting = [server.raw(request_of(images(1))) for _ in range(3)]  # in the system's queue: nobody takes them
        waiting.append(server.raw())
        server.stop()
        for client in waiting:
            with client:
                answer = answer_to(client)
                assert (answer.status, answer.headers["Connection"]) == (503, "close")
                assert answer.error == "the server is stopping"
        taken.pop().close()
        for seed, client in enumerate(taken):
            with client:
                expected = in_python(network[0], images(1, seed))
                torch.testing.assert_close(computed(answer_to(client)), expected, rtol=1e-5, atol=1e-6)


def test_who_never_ends_a_request_is_waited_for_no_longer_than_told(network):
    with serving(*network[1], "--grace", "0") as server, server.raw(request_of(images(1))[:300]) as halfway:
        server.wait_for("serve_requests", 2)
        server.stop()
        assert halfway.recv(1) == b""


def test_it_ends_on_ctrl_c_too(network):
    with serving(*network[1]) as server:
        server.stop(signal.SIGINT)


# Metrics


def test_metrics_count_what_was_done(network):
    with serving(*network[1]) as server:
        for seed in range(10):
            server.infer(as_json(images(1, seed)))
        server.infer(b"{")
        metrics = server.metrics()
        assert metrics['serve_responses_total{code="200"}'] == 10
        assert metrics['serve_responses_total{code="400"}'] == 1
        for name in ("request", "queue", "batch"):
            assert metrics[f"serve_{name}_duration_seconds_count"] == 10
            assert metrics[f'serve_{name}_duration_seconds_bucket{{le="+Inf"}}'] == 10
            assert metrics[f"serve_{name}_duration_seconds_sum"] > 0
        quantiles = [
            metrics[f'serve_request_duration_quantiles_seconds{{quantile="{q}"}}'] for q in (0.5, 0.9, 0.99, 0.999)
        ]
        assert quantiles == sorted(quantiles)
        assert 0 < quantiles[0] <= metrics["serve_request_duration_seconds_sum"]
        buckets = {
            float(name.split('"')[1]): count
            for name, count in metrics.items()
            if name.startswith("serve_request_duration_seconds_bucket")
        }
        assert [*buckets.values()] == sorted(buckets.values())
        for quantile, rank in ((quantiles[0], 5), (quantiles[1], 9), (quantiles[2], 10)):  # of the same numbers
            assert min(le for le, count in buckets.items() if count >= rank) >= quantile
            assert all(count < rank for le, count in buckets.items() if le < quantile * 15 / 16)
        assert metrics["process_resident_memory_bytes"] > 1 << 20


def test_buckets_and_quantiles_are_where_the_numbers_are(network):
    with serving(*network[1]) as server:
        server.infer(as_json(images(100)))
        metrics = server.metrics()
        assert (metrics["serve_batch_rows_sum"], metrics["serve_batch_rows_count"]) == (100, 1)
        assert metrics['serve_batch_rows_bucket{le="64"}'] == 0
        assert metrics['serve_batch_rows_bucket{le="128"}'] == 1
        exact = metrics["serve_request_duration_seconds_sum"]
        for quantile in (0.5, 0.999):
            estimate = metrics[f'serve_request_duration_quantiles_seconds{{quantile="{quantile}"}}']
            assert exact <= estimate <= exact * 17 / 16 + 1e-6


# Its command line


def refused(*arguments: str | Path) -> tuple[int, str]:
    done = subprocess.run([SERVE, *map(str, arguments)], capture_output=True, text=True, timeout=LONG, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_a_wrong_command_line_is_refused(network):
    model = network[1][0]
    for arguments, says in (
        ((), "no MODEL"),
        ((model,), "--input is needed"),
        ((model, "other", "--input", "FP32:3"), "more than one MODEL"),
        ((model, "--input", "FP33:3"), "--input must be"),
        ((model, "--input", "FP32:3,"), "--input must be"),
        ((model, "--input", "FP32:-3"), "--input must be"),
        ((model, "--input", "FP32:" + ",".join("1" * 16)), "--input must be"),
        ((model, "--input", "FP32:3", "--port", "65536"), "--port must be a whole number from 0 to 65535"),
        ((model, "--input", "FP32:3", "--workers", "0"), "--workers must be"),
        ((model, "--input", "FP32:3", "--queue", "1x"), "--queue must be"),
        ((model, "--input", "FP32:3", "--name", "a/b"), "--name"),
        (("--nonsense",), "nonsense"),
    ):
        status, text = refused(*arguments)
        assert (status, says in text) == (2, True), text
    done = subprocess.run([SERVE, "--help"], capture_output=True, text=True, timeout=LONG, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: serve")


def test_a_model_that_cannot_be_served_is_refused(network, tmp_path):
    model, _, weights, *form = network[1]
    for described, says in (
        ("{", "line 1"),
        ("{}", "a module: Object item not found: module"),
        ('{"module": "Nonsense"}', "Nonsense"),
        ('{"module": "Linear", "args": [1], "kwargs": {}}', "out_features"),
        ('{"module": "Linear", "arg": [1, 2]}', "arg"),
        ('{"module": "Linear", "args": {}}', '"args" is a list'),
    ):
        path = tmp_path / "model.json"
        path.write_text(described)
        status, text = refused(path, *form, "--port", "0")
        assert (status, says in text) == (1, True), text
    assert refused(tmp_path / "none.json", *form)[0] == 1
    assert refused(model, "--weights", tmp_path / "none.safetensors", *form)[0] == 1
    status, text = refused(model, "--weights", weights, "--input", "FP32:1,9,9")
    assert (status, "mat1 and mat2 shapes cannot be multiplied" in text) == (1, True), text
    status, text = refused(model, *form, "--address", "localhost")
    assert (status, "not an IPv4 or IPv6 address" in text) == (1, True), text
    status, text = refused(model, *form, "--socket", tmp_path)
    assert (status, "Address already in use" in text) == (1, True), text
