#!/usr/bin/env python3
"""What examples/serve answers in a second, and how long a request takes, beside servers in Python with the same model:
Markdown.

    tests/bench/serve.py                         JSON and bytes, at several numbers of connections
    tests/bench/serve.py --connections 64 --seconds 10 --rounds 3
    tests/bench/serve.py --memory 1000000        the memory of serve over so many requests instead

It needs the example, wrk (Debian: wrk), and the Python packages torch and safetensors; aiohttp for two of the
opponents. Each server computes with one thread, an MLP of 64, 32 and 10. Servers take turns, and of the rounds the best
one of each counts. wrk shares the processors with them: on a machine of two, serve, which reads on one thread and
computes on another, has no two for itself. All give the same answers, which is looked at first. Nothing here passes or
fails.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench/serve"))
OPPONENTS = ("threads", "aiohttp", "batching")
INFER = "/v2/models/model/infer"


class Load:
    """The model, and a request for it in each form."""

    def __init__(self, folder: Path) -> None:
        import torch
        from python_server import SIZE, network
        from safetensors.torch import save_file

        torch.manual_seed(1)
        model = network()
        save_file(model.state_dict(), folder / "model.safetensors")
        linear = [{"module": "Linear", "args": [*reversed(layer.weight.shape)]} for layer in (model[0], model[2])]
        described = {"module": "Sequential", "args": [linear[0], {"module": "ReLU"}, linear[1]]}
        (folder / "model.json").write_text(json.dumps(described))
        x = torch.randn(1, SIZE)
        self.expected = model(x).flatten().tolist()
        one = {"name": "INPUT__0", "datatype": "FP32", "shape": [1, SIZE], "data": x.flatten().tolist()}
        self.folder = folder
        self.bodies = {"JSON": json.dumps({"inputs": [one]}).encode(), "bytes": x.numpy().tobytes()}
        self.headers = {
            "JSON": {"Content-Type": "application/json"},
            "bytes": {"Content-Type": "application/octet-stream", "Inference-Header-Content-Length": "0"},
        }
        for form in self.bodies:
            (folder / f"{form}.body").write_bytes(self.bodies[form])
            headers = "".join(f'wrk.headers["{name}"] = "{text}"\n' for name, text in self.headers[form].items())
            body = f'local file = io.open("{folder / form}.body", "rb")\nwrk.body = file:read("*a")\nfile:close()\n'
            (folder / f"{form}.lua").write_text(f'wrk.method = "POST"\n{headers}{body}')

    def check(self, where: str) -> None:
        request = urllib.request.Request(where + INFER, self.bodies["JSON"], self.headers["JSON"])
        with urllib.request.urlopen(request) as answer:
            got = json.load(answer)["outputs"][0]["data"]
        if max(abs(ours - theirs) for ours, theirs in zip(got, self.expected, strict=True)) > 1e-5:
            raise SystemExit(f"{where} computes something else")

    def run(self, server: Server, form: str, connections: int, seconds: int) -> tuple[float, float, float, float]:
        """Requests a second, the percentiles 50 and 99 of their time in ms, and the server's processor time in µs."""
        before = server.processor_seconds()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--latency", "-s", f"{self.folder}/{form}.lua"]
        text = subprocess.run([*command, server.where + INFER], capture_output=True, text=True, check=True).stdout
        if "Non-2xx" in text or "Socket errors" in text:
            raise SystemExit(text)
        (rate,) = re.findall(r"Requests/sec: +([\d.]+)", text)
        (half,) = re.findall(r" 50% +(\S+)", text)
        (most,) = re.findall(r" 99% +(\S+)", text)
        (count,) = re.findall(r"(\d+) requests in", text)
        spent = 1e6 * (server.processor_seconds() - before) / int(count)
        return float(rate), milliseconds(half), milliseconds(most), spent


class Server:
    """A server that runs: where it listens, and what it has taken of processors."""

    def __init__(self, process: subprocess.Popen) -> None:
        self.where = process.stdout.readline().removeprefix("listening at ").strip()
        self.stat = Path(f"/proc/{process.pid}/stat")

    def processor_seconds(self) -> float:
        fields = self.stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def serving(command: list[str]) -> Iterator[Server]:
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield Server(server)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def commands(given: argparse.Namespace, folder: Path) -> dict[str, list[str]]:
    weights = str(folder / "model.safetensors")
    serve = [given.program, str(folder / "model.json"), "--weights", weights, "--input", "FP32:64", "--port", "0"]
    opponents = [name for name in OPPONENTS if name == "threads" or importlib.util.find_spec("aiohttp")]
    python = [sys.executable, str(ROOT / "tests/bench/serve/python_server.py")]
    return {"serve": serve} | {name: [*python, name, weights] for name in opponents}


def milliseconds(text: str) -> float:
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]


def rates(given: argparse.Namespace, load: Load) -> None:
    best: dict[tuple, tuple] = {}
    all_commands = commands(given, load.folder)
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(serving(command)) for name, command in all_commands.items()}
        for server in servers.values():
            load.check(server.where)
        for _ in range(given.rounds):
            for form in load.bodies:
                for connections in given.connections:
                    for name, server in servers.items():
                        got = load.run(server, form, connections, given.seconds)
                        best[form, connections, name] = max(best.get((form, connections, name), got), got)
    print("| form | connections | server | requests/s | serve to it | 50 % (ms) | 99 % (ms) | processor (µs) |")
    print("|---|---:|---|---:|---:|---:|---:|---:|")
    for (form, connections, name), (rate, half, most, spent) in best.items():
        ratio = "" if name == "serve" else f"{best[form, connections, 'serve'][0] / rate:.1f}"
        print(f"| {form} | {connections} | {name} | {rate:,.0f} | {ratio} | {half:.2f} | {most:.2f} | {spent:.0f} |")


def metric(where: str, name: str) -> float:
    with urllib.request.urlopen(where + "/metrics") as answer:
        found = re.search(rf"^{re.escape(name)} (\S+)$", answer.read().decode(), re.MULTILINE)
    return float(found[1]) if found else 0


def memory(given: argparse.Namespace, load: Load) -> None:
    with serving(commands(given, load.folder)["serve"]) as server:
        print("| requests | resident memory (KiB) |")
        print("|---:|---:|")
        forms = [*load.bodies]
        turn, done = 0, 0.0
        while done < given.memory:
            load.run(server, forms[turn % 2], given.connections[-1], given.seconds)
            turn += 1
            done = metric(server.where, 'serve_responses_total{code="200"}')
            print(f"| {done:,.0f} | {metric(server.where, 'process_resident_memory_bytes') / 1024:,.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/cmake/examples/serve/serve"))
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--memory", type=int, metavar="REQUESTS")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        load = Load(Path(folder))
        if given.memory:
            memory(given, load)
        else:
            rates(given, load)


if __name__ == "__main__":
    main()
