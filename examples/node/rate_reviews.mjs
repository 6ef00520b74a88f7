// Rate reviews by the words in them: texts become tokens, tokens a score; how often that is right is counted over
// batches, and logged for TensorBoard.
//
//     node rate_reviews.mjs tokenizer.json runs/reviews
//
// The tokenizer is one of Hugging Face's in lower case, as that of bert-base-uncased.
import { aten, metrics, SummaryWriter, tensor, Tokenizer } from "ctorch";

const BATCHES = [
  [["A great film, and great fun", 1], ["A bad film", 0], ["Dull and bad", 0]],
  [["Great, not bad", 1], ["Fun for all of us", 1], ["not great", 0]],
];
const LEXICON = { great: 1, fun: 1, bad: -1, dull: -1 };

const [path, folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: rate_reviews.mjs TOKENIZER FOLDER");
  process.exit(2);
}

const tokenizer = new Tokenizer(path).enablePadding();
const weights = new Float32Array(tokenizer.vocabSize);
for (const [word, weight] of Object.entries(LEXICON)) {
  weights[tokenizer.tokenToId(word)] = weight;
}
const weight = tensor(weights);

const accuracy = metrics.BinaryAccuracy();
const board = new SummaryWriter(folder);
BATCHES.forEach((batch, i) => {
  const texts = batch.map(([text]) => text);
  const labels = batch.map(([, label]) => label);
  const encodings = tokenizer.encodeBatch(texts);
  const scores = aten.take(weight, encodings.tensor()).mul(encodings.tensor("attention_mask")).sum([1]);
  [...encodings].forEach((encoding, row) => {
    const tokens = encoding.tokens.filter((_, at) => encoding.attentionMask[at] === 1);
    const score = scores.at(row).item();
    console.log(`${score < 0 ? "-" : "+"}${Math.abs(score)} ${tokens.join(" ")}`);
  });

  accuracy.update(scores.sigmoid(), tensor(labels, { dtype: "int64" }));
  const share = accuracy.compute().item();
  console.log(`accuracy ${share.toFixed(4)}`);
  board.addScalar("accuracy", share, i + 1);
  board.addHistogram("scores", scores, i + 1);
  const wrong = texts.filter((_, row) => (scores.at(row).item() > 0 ? 1 : 0) !== labels[row]);
  if (wrong.length > 0) {
    board.addText("wrong", wrong.join("\n\n"), i + 1);
  }
});
board.close();
