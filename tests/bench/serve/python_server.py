"""The opponents of examples/serve: servers in Python for the same model and the same requests, in JSON or bytes.

python_server.py KIND WEIGHTS, where KIND is

- threads: the standard library's ThreadingHTTPServer, a thread for each connection
- aiohttp: one thread, each request computed when it is read
- batching: aiohttp, and what waits is computed at once, up to 32 rows
"""

from __future__ import annotations

import asyncio
import http.server
import json
import signal
import sys

import torch
from safetensors.torch import load_file

BINARY = "application/octet-stream"
SIZE = 64


def network() -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(SIZE, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))


def read(body: bytes, is_binary: bool) -> torch.Tensor:
    if is_binary:
        return torch.frombuffer(bytearray(body), dtype=torch.float32).view(-1, SIZE)
    (one,) = json.loads(body)["inputs"]
    if one["name"] != "INPUT__0" or one["datatype"] != "FP32":
        raise ValueError("another input")
    return torch.tensor(one["data"], dtype=torch.float32).view(one["shape"])


def write(y: torch.Tensor, is_binary: bool) -> tuple[bytes, dict[str, str]]:
    output = {"name": "OUTPUT__0", "datatype": "FP32", "shape": [*y.shape]}
    if not is_binary:
        output["data"] = y.flatten().tolist()
        return json.dumps({"model_name": "model", "outputs": [output]}).encode(), {"Content-Type": "application/json"}
    data = y.contiguous().numpy().tobytes()
    output["parameters"] = {"binary_data_size": len(data)}
    head = json.dumps({"model_name": "model", "outputs": [output]}).encode()
    return head + data, {"Content-Type": BINARY, "Inference-Header-Content-Length": str(len(head))}


def serve_threads(model: torch.nn.Module) -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet for an answer
        disable_nagle_algorithm = True

        def do_POST(self) -> None:  # noqa: N802
            is_binary = self.headers["Content-Type"] == BINARY
            with torch.inference_mode():
                y = model(read(self.rfile.read(int(self.headers["Content-Length"])), is_binary))
            body, headers = write(y, is_binary)
            self.send_response(200)
            for name, text in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:  # clients that have gone
            pass

    server = Server(("127.0.0.1", 0), Handler)
    print(f"listening at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


def serve_aiohttp(model: torch.nn.Module, batching: bool) -> None:
    from aiohttp import web

    waiting: list[tuple[torch.Tensor, asyncio.Future]] = []

    def compute() -> None:
        batch, waiting[:] = waiting[:32], waiting[32:]
        if waiting:
            asyncio.get_running_loop().call_soon(compute)
        with torch.inference_mode():
            outputs = model(torch.cat([x for x, _ in batch])).split([len(x) for x, _ in batch])
        for (_, future), y in zip(batch, outputs, strict=True):
            if not future.done():
                future.set_result(y)

    async def infer(request: web.Request) -> web.Response:
        is_binary = request.content_type == BINARY
        x = read(await request.read(), is_binary)
        if batching:
            future = asyncio.get_running_loop().create_future()
            if not waiting:
                asyncio.get_running_loop().call_soon(compute)
            waiting.append((x, future))
            y = await future
        else:
            with torch.inference_mode():
                y = model(x)
        body, headers = write(y, is_binary)
        return web.Response(body=body, headers=headers)

    async def main() -> None:
        application = web.Application()
        application.router.add_post("/v2/models/model/infer", infer)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        print(f"listening at http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
        await asyncio.Event().wait()

    asyncio.run(main())


def main() -> None:
    kind, weights = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    torch.set_num_threads(1)
    model = network().eval()
    model.load_state_dict(load_file(weights))
    if kind == "threads":
        serve_threads(model)
    else:
        serve_aiohttp(model, kind == "batching")


if __name__ == "__main__":
    main()
