// Files of every kind: read those that Python has written to a folder, and write some for it to read.
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
  amp,
  aten,
  heldCallbacks,
  collect,
  load,
  manualSeed,
  nn,
  npy,
  npz,
  optim,
  Parameter,
  safetensors,
  save,
  sharded,
  Snapshots,
  Weights,
} from "ctorch";
import { done, equal, fails, raises, that } from "./check.mjs";

const folder = `${process.argv[2]}/`;
const mine = new Error("mine");
const fail = () => {
  throw mine;
};

function isContent(found) {
  equal([found.get("epoch"), found.get("lr"), found.get("name")], [3, 0.5, "größe"]);
  equal([found.get("data"), found.get("list")[3]], [Buffer.from("a\0\xff", "latin1"), 2n ** 70n]);
  equal(found.get("tensors").get("weight").at(2, 3).item(), 11);
  equal(found.get("tensors").get("half").dtype, "bfloat16");
}

function isTensors(found, half = true) {
  equal([found.get("weight").shape, found.get("number").item()], [[3, 4], 7]);
  equal(found.get("flags").toArray(), [true, false]);
  equal(found.get("half")?.toArray(), half ? [[1], [1]] : undefined);
}

// Call `body` with a file that is open.
function opened(name, mode, body) {
  const descriptor = openSync(folder + name, mode);
  try {
    return body(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

await that("files of torch.save are read by path, URL, bytes, descriptor and function", () => {
  const data = readFileSync(`${folder}python.pt`);
  isContent(load(`${folder}python.pt`));
  isContent(load(pathToFileURL(`${folder}python.pt`), { mmap: true }));
  isContent(load(data));
  isContent(load(new Uint8Array([...data])));
  isContent(opened("python.pt", "r", load));
  isContent(load({ nbytes: data.length, read: (nbytes, offset) => data.subarray(offset, offset + nbytes) }));
});

await that("what is saved is the same by path, as bytes, by descriptor and function", () => {
  const content = load(`${folder}python.pt`);
  save(content, `${folder}archive.pt`);
  const data = save(content);
  writeFileSync(`${folder}bytes.pt`, data);
  opened("stream", "w", (descriptor) => save(content, descriptor));
  const parts = [];
  equal(
    save(content, (part) => parts.push(part)),
    undefined,
  );
  equal([readFileSync(`${folder}stream`).equals(data), Buffer.concat(parts).equals(data)], [true, true]);
  equal(save(content, null, { skipData: true, crc32: false }).length, data.length);
});

await that("on a worker thread", async () => {
  const data = readFileSync(`${folder}python.pt`);
  const heard = [];
  const progress = (nbytes) => heard.push(nbytes);
  const read = { nbytes: data.length, read: (nbytes, offset) => data.subarray(offset, offset + nbytes) };
  const [content] = await Promise.all([load.async(data), load.async(read, { progress, allow: () => false })]);
  isContent(content);
  isContent(await load.async(`${folder}python.pt`, { mmap: true, mapLocation: "cpu" }));
  const parts = [];
  const found = await Promise.all([save.async(content), save.async(content, (part) => parts.push(part), { progress })]);
  equal([found[0].equals(save(content)), found[1], Buffer.concat(parts).equals(found[0])], [true, undefined, true]);
  await save.async(content, `${folder}async.pt`);
  isContent(load(`${folder}async.pt`));
  equal(heard.length > 2, true);
  const failures = [
    load.async(data.subarray(0, 1000)),
    load.async({ nbytes: 1000, read: fail }),
    save.async(1, fail),
    save.async(1, `${folder}none.pt`, { progress: fail }),
  ].map((promise) => promise.then(() => null, (failure) => failure));
  const [format, ...others] = await Promise.all(failures);
  equal([format.codeName, ...others], ["FORMAT", mine, mine, mine]);
  equal(existsSync(`${folder}none.pt`), false);
});

await that("what is read and written is copied", () => {
  const data = save([aten.ones([1000])]);
  const [found] = load(data);
  data.fill(0);
  equal(found.sum().item(), 1000);
});

await that("state dicts keep their metadata, and models load them", () => {
  const state = load(`${folder}python.state.pt`);
  equal([state.metadata.get("0").get("version"), state instanceof Map], [1, true]);
  const model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3));
  equal(model.loadStateDict(state), { missingKeys: [], unexpectedKeys: [] });
  equal(model.at(0).weight.equal(state.get("0.weight")), true);
  save(state, `${folder}state.pt`);
  const again = load(save(model.stateDict()));
  equal([[...again.keys()], again.metadata], [[...state.keys()], state.metadata]);
});

await that("devices are mapped", () => {
  const asked = [];
  const device = (mapLocation) => load(`${folder}python.pt`, { mapLocation }).get("tensors").get("weight").device;
  equal([device("meta"), device({ cpu: "meta" }), device(new Map([["cuda", "meta"]]))], ["meta", "meta", "cpu"]);
  equal(
    device((location) => void asked.push(location)),
    "cpu",
  );
  equal(
    device(() => "meta"),
    "meta",
  );
  equal(new Set(asked), new Set(["cpu"]));
  fails("TYPE", "a device", () => device(() => 3));
});

await that("classes are allowed", () => {
  const path = `${folder}python.class.pt`;
  fails("FORMAT", "argparse.Namespace", load, path);
  for (const allow of ["argparse.Namespace", ["argparse.Namespace"], (_, name) => name === "Namespace"]) {
    const found = load(path, { allow, mapLocation: "cpu" });
    equal(found.get("args").attributes.get("lr"), 0.5);
    fails("UNSUPPORTED", "", save, found);
    equal(save(found, null, { weightsOnly: false }).length > 0, true);
  }
  fails("TYPE", "a boolean", load, path, { allow: () => 1 });
});

await that("progress is heard, and ends it", () => {
  const heard = [];
  const progress = (nbytes) => heard.push(nbytes);
  const data = save([aten.ones([100])], null, { progress });
  equal(heard.at(-1), data.length);
  load(data, { progress });
  equal(heard.length > 1, true);
  equal(raises(save, 1, `${folder}none.pt`, { progress: fail }) === mine, true);
  equal(raises(load, data, { progress: fail }) === mine, true);
  equal(existsSync(`${folder}none.pt`), false);
});

await that("what fails is an error, and leaves what was there", () => {
  const data = readFileSync(`${folder}python.damaged.pt`);
  fails("FORMAT", "python.damaged.pt", load, `${folder}python.damaged.pt`);
  fails("FORMAT", "", load, data);
  fails("IO", "missing.pt", load, `${folder}missing.pt`);
  fails("IO", "", save, 1, `${folder}no folder/a.pt`);
  fails("VALUE", "mapped", load, data, { mmap: true });
  fails("TYPE", "a path, bytes", load, {});
  fails("TYPE", "a path, a file descriptor", save, 1, {});
  fails("TYPE", "no value can hold", save, [Symbol("a")], `${folder}none.pt`);
  fails("VALUE", "bytes, not 1", load, { nbytes: 1000, read: () => Buffer.alloc(1) });
  fails("TYPE", "return bytes", load, { nbytes: 1000, read: () => "text" });
  equal(raises(load, { nbytes: 1000, read: fail }) === mine, true);
  equal(raises(save, 1, fail) === mine, true);
  equal(
    opened("python.pt", "r", (descriptor) => raises(save, 1, descriptor)).code,
    "EBADF",
  );
  equal(existsSync(`${folder}none.pt`), false);
});

await that("weights of every format", () => {
  const data = readFileSync(`${folder}python.safetensors`);
  const check = (source) => {
    const weights = new Weights(source);
    equal([weights.format, weights.size, weights.has("weight"), weights.has("no")], ["safetensors", 4, true, false]);
    equal([weights.shape("weight"), weights.dtype("half"), weights.type("half")], [[3, 4], "bfloat16", "BF16"]);
    equal([weights.nbytes("weight"), weights.metadata()], [48, new Map([["format", "pt"]])]);
    equal(weights.tensor("weight").toArray()[2], [8, 9, 10, 11]);
    equal(weights.slice("weight", [1, -2], [2, 4]).toArray(), [[6, 7]]);
    isTensors(weights.load());
    isTensors(new Map(weights));
    equal(weights.load({ device: "meta" }).get("weight").device, "meta");
    fails("INDEX", "no", () => weights.shape("no"));
    weights.close();
    fails("INVALID_HANDLE", "closed", () => weights.names());
    fails("INVALID_HANDLE", "closed", () => weights.format);
  };
  check(`${folder}python.safetensors`);
  check(data);
  opened("python.safetensors", "r", check);
  const weights = new Weights(`${folder}python.pt`, { progress: () => {} });
  equal([weights.names().sort()[3], weights.metadata().get("epoch")], ["tensors.weight", 3]);
});

await that("safetensors files", () => {
  const tensors = safetensors.loadFile(`${folder}python.safetensors`);
  isTensors(tensors);
  safetensors.saveFile(tensors, `${folder}out.safetensors`, { format: "pt" });
  const data = safetensors.save(Object.fromEntries(tensors), new Map([["format", "pt"]]));
  writeFileSync(`${folder}bytes.safetensors`, data);
  isTensors(safetensors.load(data));
  equal(safetensors.loadFile(data, { device: "meta" }).get("weight").device, "meta");
  fails("FORMAT", "", safetensors.load, data.subarray(0, -1));
  fails("FORMAT", "is npy, not safetensors", safetensors.loadFile, `${folder}python.npy`);
  const weight = tensors.get("weight");
  fails("RUNTIME", "share memory", safetensors.save, { a: weight, b: weight });
});

await that("models whose tensors share memory", () => {
  const path = `${folder}python.model.safetensors`;
  const model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3));
  model.at(1).weight = new Parameter(model.at(0).weight);
  equal(safetensors.loadModel(model, path), { missingKeys: [], unexpectedKeys: [] });
  safetensors.saveModel(model, `${folder}out.model.safetensors`);
  const other = nn.Linear(3, 3);
  fails("RUNTIME", "0.weight", safetensors.loadModel, other, path);
  equal(safetensors.loadModel(other, path, { strict: false }).missingKeys.length, 2);
});

await that("NumPy's files", () => {
  const x = npy.load(`${folder}python.npy`);
  equal(x.toArray()[1], [4, 5, 6, 7]);
  npy.save(`${folder}out.npy`, x);
  equal(npy.load(npy.save(null, x)).equal(x), true);
  const tensors = npz.load(`${folder}python.npz`);
  isTensors(tensors, false);
  npz.save(`${folder}out.npz`, tensors);
  npz.save(`${folder}compressed.npz`, tensors, { compressed: true });
  fails("FORMAT", "is npz, not npy", npy.load, `${folder}python.npz`);
  fails("UNSUPPORTED", "", npy.save, null, x.to({ dtype: "bfloat16" }));
});

await that("several files", () => {
  const tensors = safetensors.loadFile(`${folder}python.safetensors`);
  sharded.save(tensors, `${folder}sharded`, { maxShardSize: 48, metadata: { by: "test" } });
  isTensors(sharded.load(`${folder}sharded`));
  const weights = new Weights(`${folder}sharded/model.safetensors.index.json`);
  equal([weights.format, weights.metadata().get("by")], ["sharded", "test"]);
  fails("INVALID_ARGUMENT", "format", sharded.save, tensors, `${folder}sharded`, { format: "x" });
});

// Train up to a step, from where the snapshots stop; the losses, and what the snapshots know.
function train(name, steps, options) {
  manualSeed(1);
  const model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1));
  const optimizer = new optim.AdamW(model.parameters(), { lr: 0.1 });
  const scheduler = new optim.lr_scheduler.StepLR(optimizer, 2, { gamma: 0.5 });
  const scaler = new amp.GradScaler("cpu", { growth_interval: 2 });
  const counts = { batches: 0 };
  const losses = [];
  const snapshots = new Snapshots(folder + name, options);
  for (const [part, object] of Object.entries({ model, optimizer, scheduler, scaler, mine: counts })) {
    snapshots.add(part, object);
  }
  for (let { step } = snapshots.resume() ?? { step: 0 }; step < steps; ) {
    optimizer.zeroGrad();
    const loss = model(aten.randn([16, 4])).pow(2).mean();
    scaler.scale(loss).backward();
    scaler.step(optimizer);
    scaler.update();
    scheduler.step();
    counts.batches++;
    losses.push(loss.item());
    snapshots.step(0, ++step, losses.at(-1));
  }
  snapshots.wait();
  const { steps: taken, metrics, paths } = snapshots;
  snapshots.close();
  return { losses, counts, steps: taken, metrics, paths };
}

await that("a run that goes on computes what it would have", () => {
  const whole = train("whole", 7);
  equal(train("run", 5, { every: 2, async: true }).steps, [2, 4]);
  const rest = train("run", 7, { every: 2, keepLast: 2 });
  equal(rest.losses, whole.losses.slice(4));
  equal([rest.steps, rest.counts, rest.metrics[1]], [[4, 6], { batches: 7 }, whole.losses[5]]);
  equal(load(rest.paths[1]).get("step"), 6);
});

await that("parts of one's own, and snapshots that fail", () => {
  const snapshots = new Snapshots(pathToFileURL(`${folder}own`));
  equal(snapshots.resume(), null);
  const object = {
    seen: 7,
    stateDict() {
      return { seen: this.seen };
    },
    loadStateDict(state) {
      this.seen = state.get("seen");
    },
  };
  const map = new Map([["a", 1]]);
  snapshots.add("object", object);
  snapshots.add("map", map);
  fails("VALUE", "object", () => snapshots.add("object", {}));
  fails("TYPE", "what has a state", () => snapshots.add("other", 3));
  snapshots.save(1, 2, 0.5);
  object.seen = 8;
  map.set("b", 2);
  equal(snapshots.resume("best"), { epoch: 1, step: 2 });
  equal([object.seen, map], [7, new Map([["a", 1]])]);
  snapshots.addCallbacks("failing", fail, fail);
  equal(raises(() => snapshots.save(1, 3)) === mine, true);
  fails("INDEX", "failing", () => snapshots.resume());
  snapshots.close();
  fails("INVALID_HANDLE", "closed", () => snapshots.save(1, 3));
  fails("VALUE", "", () => new Snapshots(`${folder}own`, { every: -1 }));
});

await that("nothing is held for C any more", async () => {
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  equal(heldCallbacks(), 0);
});

await done();
