// Makes things and closes none, in one task: see forgotten.py.
import { aten, nn, Tokenizer } from "ctorch";

const [what, count, file] = process.argv.slice(2);
const make = {
  graphs() {
    const [first, second] = [new nn.Conv2d(3, 16, 3, { padding: 1 }), new nn.Conv2d(16, 4, 3, { padding: 1 })];
    const images = aten.ones([16, 3, 64, 64]);
    return () => second.forward(first.forward(images).relu()).sum();
  },
  numbers: () => () => aten.ones([1]),
  modules: () => () => new nn.Linear(2048, 2048),
  tokenizers: () => () => new Tokenizer(file),
}[what]();
for (let i = 0; i < Number(count); i++) {
  make();
}
