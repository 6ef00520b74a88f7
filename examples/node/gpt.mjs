// A small GPT that learns a text byte by byte and then writes one: ../gpt.c in JavaScript, with the same text.
//
//     node gpt.mjs TEXT STEPS
//
// Tensors that nobody uses any more are closed when garbage is collected.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { aten, core, fromData, liveHandles, noGrad, optim, tensor } from "ctorch";

const [BYTES, CONTEXT, WIDTH, HEADS, BLOCKS] = [256, 64, 64, 4, 2];
const [BATCH, STEPS, SAMPLE, TEMPERATURE, TOP_K] = [16, 200, 200, 0.8, 40];

function readText(path) {
  const bytes = readFileSync(path);
  return fromData(bytes, [bytes.length], "uint8").to({ dtype: "int64" });
}

// GPT-2's blocks, without parameters in the norms, over embeddings of bytes and places.
class GPT {
  parameters = [];

  constructor() {
    this.blocks = Array.from({ length: BLOCKS }, () => ({
      qkv: this.parameter(3 * WIDTH),
      projection: this.parameter(WIDTH),
      widen: this.parameter(4 * WIDTH),
      narrow: this.parameter(WIDTH, 4 * WIDTH),
    }));
    this.embedding = this.parameter(BYTES);
    this.places = this.parameter(CONTEXT);
  }

  parameter(rows, columns = WIDTH) {
    const made = aten.randn([rows, columns]).mul_(0.08).requiresGrad_();
    this.parameters.push(made);
    return made;
  }

  // Scores of the byte after each place: of a batch of texts, (batch, len, BYTES).
  forward(text) {
    const [batch, len] = text.shape;
    let x = aten.embedding(this.embedding, text).add(this.places.narrow(0, 0, len));
    for (const block of this.blocks) {
      let y = aten.linear(aten.layer_norm(x, [WIDTH]), block.qkv);
      const [q, k, v] = y.view([batch, len, 3, HEADS, WIDTH / HEADS]).permute([2, 0, 3, 1, 4]).unbind();
      y = aten.scaled_dot_product_attention(q, k, v, { is_causal: true });
      x = x.add(aten.linear(y.transpose(1, 2).reshape([batch, len, WIDTH]), block.projection));
      y = aten.linear(aten.layer_norm(x, [WIDTH]), block.widen);
      x = x.add(aten.linear(aten.gelu(y), block.narrow));
    }
    return aten.linear(aten.layer_norm(x, [WIDTH]), this.embedding);
  }
}

function trainStep(model, optimizer, text) {
  const places = aten.randint(text.size(0) - CONTEXT, [BATCH, 1]).add(aten.arange(CONTEXT + 1));
  const rows = text.take(places);
  const scores = model.forward(rows.narrow(1, 0, CONTEXT)).transpose(1, 2); // the classes come second
  const loss = aten.cross_entropy_loss(scores, rows.narrow(1, 1, CONTEXT));
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

// One of the classes by their scores, of the best ones alone.
function draw(scores) {
  const x = scores.div(TEMPERATURE);
  const [best] = x.topk(TOP_K);
  const worse = x.lt(best.narrow(1, TOP_K - 1, 1));
  return x.masked_fill(worse, -Infinity).softmax(-1).multinomial(1);
}

// Let the model go on after a line feed, a byte at a time.
function writeOn(model) {
  let text = tensor([["\n".charCodeAt(0)]], { dtype: "int64" });
  for (let i = 0; i < SAMPLE; i++) {
    const len = Math.min(text.size(1), CONTEXT);
    const scores = model.forward(text.narrow(1, -len, len)).select(1, -1);
    text = aten.cat([text, draw(scores)], 1);
  }
  return Uint8Array.from(text.narrow(1, 1, SAMPLE).view([-1]).toArray());
}

function main(path = fileURLToPath(new URL("../data/sonnets.txt", import.meta.url)), steps = STEPS) {
  core.threads_set_num(1); // the tensors are too small for more
  core.random_manual_seed(1);
  const text = readText(path);
  const model = new GPT();
  const optimizer = new optim.AdamW(model.parameters, { lr: 3e-3, betas: [0.9, 0.95], eps: 1e-8, weight_decay: 0.1 });
  for (let step = 1; step <= steps; step++) {
    const loss = trainStep(model, optimizer, text);
    if (step % 50 === 0 || steps < 50) {
      console.log(`step ${step}: loss ${loss.toFixed(3)}`);
    }
  }
  process.stdout.write(noGrad(() => writeOn(model)));
}

try {
  const [path, steps] = process.argv.slice(2);
  main(path, steps && Number(steps));
  const leaked = liveHandles() ?? 0; // counted with CTORCH_DEBUG_HANDLES=1
  if (leaked > 0) {
    throw new Error(`${leaked} handles leaked`);
  }
} catch (failure) {
  console.error(`gpt: ${failure.message}`);
  process.exit(1);
}
