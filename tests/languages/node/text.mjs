// What tokenizers, metrics and event files give (text_sample.expected), one thing a line.
import { readFileSync } from "node:fs";
import {
  aten,
  data,
  liveHandles,
  Logger,
  Metric,
  MetricCollection,
  metrics,
  nn,
  optim,
  SummaryReader,
  SummaryWriter,
  tensor,
  Tiktoken,
  Tokenizer,
  Trainer,
} from "ctorch";
import { equal, fails } from "./check.mjs";

const folder = process.argv[2];
const path = (name) => `${folder}/${name}`;
const TEXT = "A great film, déjà vu 🙂!";

function texts() {
  const tokenizer = new Tokenizer(path("tokenizer.json"));
  const encoding = tokenizer.encode(TEXT);
  console.log("tokens", encoding.tokens.join(" "));
  console.log("ids", encoding.ids.join(" "));
  console.log("offsets", encoding.offsets.map((between) => between.join("-")).join(" "));
  console.log("pair", tokenizer.encode("not bad", "great fun").typeIds.join(" "));
  const batch = tokenizer.enablePadding().encodeBatch(["not bad", "great fun, and a great film", ""]);
  console.log("batch", batch.length, batch.tensor().toArray().flat().join(" "));
  console.log("mask", batch.tensor("attention_mask").toArray().flat().join(" "));
  console.log("decoded", tokenizer.decode(encoding.ids));
  console.log("rows", tokenizer.decodeBatch(batch.tensor()).join("|"));
  const stream = tokenizer.decodeStream();
  console.log("stream", encoding.ids.map((id) => stream.step(id)).join("|"));
  console.log("great", tokenizer.tokenToId("great"));
  console.log("missing", tokenizer.tokenToId("nothing") ?? "none");
  console.log("cut", tokenizer.noPadding().enableTruncation(4).encode(TEXT).ids.join(" "));

  const again = new Tokenizer(Buffer.from(tokenizer.toJson({ pretty: true }))).noTruncation();
  equal(again.encode(TEXT).wordIds.slice(0, 3), [null, 0, 1]);
  equal(again.encode("a", "b").sequenceIds, [null, 0, null, 1, null]);
  equal(again.encode("a", null, { addSpecialTokens: false }).specialTokensMask, [0]);
  equal(again.encodeWords(["great", "film"]).ids, again.encodeTensor("great film").toArray());
  equal(Buffer.from(TEXT).subarray(...again.encode(TEXT).byteOffsets.at(5)).toString(), "d");
  equal([batch.at(-1).tokens[0], batch.at(3)], ["[CLS]", undefined]);
  equal(again.enableTruncation(4, { stride: 1 }).encode("a great film").overflowing.length, 1);
  equal([again.vocab().get("great"), again.idToToken(again.vocabSize)], [5, undefined]);
  equal([again.addTokens(["great film"]), again.encode("great film").tokens[1]], [1, "great film"]);
  fails("TYPE", "encode: text: expected a string", () => again.encode(null));
}

function tiktoken() {
  const pattern = "\\p{L}+|\\s|[^\\s\\p{L}]+";
  const ranks = new Tiktoken(path("ranks.tiktoken"), { pattern, specialTokens: { "<|end|>": 300 } });
  const ids = ranks.encode("a great film<|end|>", { allowedSpecial: "all" });
  console.log("tiktoken", ids.join(" "));
  console.log("text", ranks.decode(ids));
  equal(ranks.decode([97, 0, 98]), "a\0b");
  equal(ranks.encodeOrdinary("a film"), ranks.encode("a film"));
  equal([...ranks.decodeBytes([97, 300])], [...Buffer.from("a<|end|>")]);
  equal(ranks.vocabSize, 301);
  fails("VALUE", "<|end|>", () => ranks.encode("<|end|>"));
  fails("TYPE", "one of name and pattern", () => new Tiktoken(path("ranks.tiktoken")));
}

function judged() {
  const preds = tensor([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3], [0.3, 0.3, 0.4]]).split(2);
  const target = tensor([0, 1, 2, 2], { dtype: "int64" }).split(2);
  const accuracy = metrics.MulticlassAccuracy(3, { average: "none" });
  const both = new MetricCollection({
    f1: Metric.create("MulticlassF1Score", { num_classes: 3 }),
    accuracy: metrics.MulticlassAccuracy(3, { average: "micro" }),
  });
  for (const metric of [accuracy, both]) {
    preds.forEach((batch, i) => metric.update(batch, target[i]));
  }
  const { format } = new Intl.NumberFormat("en", { minimumFractionDigits: 6 });
  console.log("accuracy", accuracy.compute().toArray().map(format).join(" "));
  console.log("f1", format(both.compute().get("f1").item()));
  console.log("micro", format(both.compute().get("accuracy").item()));
  const other = accuracy.clone().merge(accuracy);
  equal([other.updateCount, other.name], [4, "MulticlassAccuracy"]);
  other.loadStateDict(accuracy.stateDict());
  equal(other.compute().toArray(), accuracy.compute().toArray());
  equal(other.reductions.get("tp"), "sum");
  equal([accuracy instanceof Metric, accuracy instanceof metrics.MulticlassAccuracy], [true, true]);
  equal([both instanceof MetricCollection, both.clone() instanceof MetricCollection], [true, true]);
  const words = metrics.WordErrorRate();
  equal(words.forward(["a great film"], ["a bad film"]).item().toFixed(4), "0.3333");
  const before = accuracy.updateCount;
  accuracy.reset();
  console.log("updates", before, accuracy.updateCount);
}

function logged() {
  const board = new SummaryWriter(path("events"), { filenameSuffix: ".node" });
  board.addScalar("loss", 0.5, 1);
  board.addScalar("loss", tensor([0.25]), 2, { walltime: 12 });
  board.addText("note", "good", 3);
  board.addHistogram("weights", tensor([1, 2, 3, 4]), 4, { bins: [0, 2, 3, 5, 7] });
  board.flush();
  equal([board.logDir, board.path.endsWith(".node")], [path("events"), true]);
  const seen = [];
  const loggers = [Logger.of(board), Logger.of((...given) => void seen.push(given)), Logger.jsonLines(path("log.jsonl"))];
  const reader = new SummaryReader(path("events"));
  for (const { tag, step, kind, value } of reader) {
    if (tag !== "") {
      const shown = { scalar: () => value.toFixed(2), text: () => value, histogram: () => value[0].shape[0] }[kind]();
      console.log("event", tag, step, kind, shown);
    }
  }
  loggers.forEach((logger) => logger.log({ later: tensor(1), b: 2 }, 5, { walltime: 3 }));
  equal(seen, [[{ later: 1, b: 2 }, 5, 3]]);
  equal(JSON.parse(readFileSync(path("log.jsonl"))).later, 1);
  board.close();
  board.close();
  equal([...reader].map(({ tag, wallTime }) => [tag, wallTime]), [["later", 3], ["b", 3]]);
  equal(SummaryReader.runs(folder), ["events"]);
  fails("INVALID_HANDLE", "closed", () => board.addScalar("late", 1));
  loggers.forEach((logger) => logger.close());
}

function trained() {
  const model = nn.Linear(1, 1);
  const loader = data.DataLoader(data.TensorDataset([aten.ones([4, 1]), aten.ones([4, 1])]), { batch_size: 2 });
  new Trainer(model, new optim.SGD(model.parameters(), { lr: 0.1 }))
    .setLoss(nn.MSELoss())
    .addLogger(Logger.csv(path("trained.csv")), { everySteps: 1 })
    .fit(loader);
  const [names, ...rows] = readFileSync(path("trained.csv"), "utf8").trim().split("\n");
  equal([names.split(",").slice(0, 3), rows.length], [["step", "wall_time", "loss/step"], 3]);
}

texts();
tiktoken();
judged();
logged();
trained();
console.log("refused", fails("FORMAT", "", () => new Tokenizer(Buffer.from("{}"))).codeName);
console.log("refused", fails("INDEX", "NoSuch", () => Metric.create("NoSuch")).codeName);
await new Promise((resolve) => setImmediate(resolve));
equal(liveHandles(), 0);
