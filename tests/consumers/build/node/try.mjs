import { optim, nn, manualSeed, aten, amp, core } from "ctorch";
manualSeed(1);
const model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1));
const o = new optim.AdamW(model.parameters(), { lr: 1e-2, betas: [0.9, 0.99] });
console.log(`${o}`, o.paramGroups.length, o.paramGroups[0].lr, o.paramGroups[0].params.length, Object.keys(o.paramGroups[0]));
const { lr, ...rest } = o.paramGroups[0];
console.log(lr, "eps" in o.paramGroups[0], rest.eps, o.name, o instanceof optim.AdamW, o instanceof optim.Optimizer);
o.paramGroups[0].lr = 0.5;
console.log(o.paramGroups[0].lr, o.defaults.lr, o.paramGroups[0].nothing);
const x = aten.ones([4, 2]);
const loss = o.step(() => { o.zeroGrad(); const l = model(x).pow(2).mean(); l.backward(); return l; });
console.log(`${loss} ${model(x)}`);
console.log(`${o.state.get(model.parameters()[0]).step}`);
const sd = o.stateDict();
o.loadStateDict(sd);
o.registerStepPreHook((q) => console.log("pre", q.name, q === o));
o.registerStateDictPostHook((q, d) => void d.set("mine", 7));
o.step();
console.log(o.stateDict().get("mine"));
const o2 = new optim.SGD([{ params: model.at(0).namedParameters(), lr: 1 }, { params: model.at(2).namedParameters() }], 0.5, { momentum: 0.9 });
console.log(o2.paramGroups[0].param_names, o2.paramGroups[1].lr);
for (const f of [() => new optim.SGD([], 0.1), () => new optim.SGD(model.parameters(), { nope: 1 }), () => new optim.SGD(), () => new optim.Optimizer([])])
  try { f(); } catch (e) { console.log(String(e)); }
console.log(optim.Nope, optim.lr_scheduler.StepLR, amp.GradScaler);
