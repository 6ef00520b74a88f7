"""A small GPT that learns a text byte by byte and then writes one: examples/gpt.c in Python, with the same text.

PYTHONPATH=build/cmake/generated/bindings/python python3 examples/python/gpt.py TEXT STEPS
"""

import sys
from pathlib import Path

import ctorch
from ctorch import aten, optim

BYTES, CONTEXT, WIDTH, HEADS, BLOCKS = 256, 64, 64, 4, 2
BATCH, STEPS, SAMPLE, TEMPERATURE, TOP_K = 16, 200, 200, 0.8, 40


class GPT:
    """GPT-2's blocks, without parameters in the norms, over embeddings of bytes and places."""

    def __init__(self):
        def parameter(rows, columns=WIDTH):
            return aten.randn([rows, columns]).mul_(0.08).requires_grad_()

        self.blocks = [
            (parameter(3 * WIDTH), parameter(WIDTH), parameter(4 * WIDTH), parameter(WIDTH, 4 * WIDTH))
            for _ in range(BLOCKS)
        ]
        self.embedding, self.places = parameter(BYTES), parameter(CONTEXT)

    def parameters(self):
        return [*(weight for block in self.blocks for weight in block), self.embedding, self.places]

    def __call__(self, text):
        """Scores of the byte after each place: of a batch of texts, (batch, len, BYTES)."""
        batch, length = text.shape
        x = aten.embedding(self.embedding, text) + self.places[:length]
        for qkv, projection, widen, narrow in self.blocks:
            y = aten.linear(aten.layer_norm(x, [WIDTH]), qkv)
            q, k, v = y.view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4).unbind()
            y = aten.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + aten.linear(y.transpose(1, 2).reshape(batch, length, WIDTH), projection)
            y = aten.linear(aten.layer_norm(x, [WIDTH]), widen)
            x = x + aten.linear(aten.gelu(y), narrow)
        return aten.linear(aten.layer_norm(x, [WIDTH]), self.embedding)


def train_step(model, optimizer, text):
    places = aten.randint(text.numel() - CONTEXT, [BATCH, 1]) + aten.arange(CONTEXT + 1)
    rows = text.take(places)
    scores = model(rows[:, :-1]).transpose(1, 2)  # the classes come second
    loss = aten.cross_entropy_loss(scores, rows[:, 1:])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def draw(scores):
    """One of the classes by their scores, of the best ones alone."""
    scores = scores / TEMPERATURE
    best, _ = scores.topk(TOP_K)
    return scores.masked_fill(scores < best[:, -1:], float("-inf")).softmax(-1).multinomial(1)


def write_on(model):
    """Let the model go on after a line feed, a byte at a time."""
    text = ctorch.tensor([[ord("\n")]])
    for _ in range(SAMPLE):
        text = aten.cat([text, draw(model(text[:, -CONTEXT:])[:, -1])], 1)
    return bytes(text[0, 1:].tolist())


def main(path=Path(__file__).parents[1] / "data/sonnets.txt", steps=STEPS):
    steps = int(steps)
    ctorch.raw.threads_set_num(1)  # the tensors are too small for more
    ctorch.manual_seed(1)
    text = ctorch.frombuffer(bytearray(Path(path).read_bytes()), dtype=ctorch.uint8).to(ctorch.int64)
    model = GPT()
    optimizer = optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1)
    for step in range(1, steps + 1):
        loss = train_step(model, optimizer, text)
        if step % 50 == 0 or steps < 50:
            print(f"step {step}: loss {loss:.3f}", flush=True)
    with ctorch.no_grad():
        sys.stdout.buffer.write(write_on(model))


if __name__ == "__main__":
    main(*sys.argv[1:])
