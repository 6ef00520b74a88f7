// Texts and tokens, as the packages `tokenizers` and `tiktoken` have them.
//
//     const tokenizer = new Tokenizer("tokenizer.json");
//     const encoding = tokenizer.encode("a text", "and another");
//     console.log(encoding.tokens, encoding.ids, encoding.offsets);
//     tokenizer.enablePadding({ padToken: "[PAD]" });
//     const batch = tokenizer.encodeBatch(["one", "two texts"]);
//     model(batch.tensor(), batch.tensor("attention_mask"));
//     console.log(tokenizer.decode(encoding.ids));
//
// Offsets count characters (code points), where JavaScript's strings count UTF-16: `[...text].slice(start, end).join("")`.
// streams.js says what may stand for a path.
import { CtorchError, refuse } from "./errors.js";
import { classes, Handle } from "./handles.js";
import { Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";
import { taken } from "./optimizers.js";
import { reading } from "./streams.js";

const tokenizers = new Objects("tokenizer", () => Tokenizer);
const tiktokens = new Objects("tiktoken", () => Tiktoken);

// What `get` gives; undefined where C finds nothing.
function unlessMissing(get) {
  try {
    return get();
  } catch (failure) {
    if (failure.codeName === "INDEX") {
      return undefined;
    }
    throw failure;
  }
}

const orNull = (number) => (number < 0 ? null : number);

// The text of an argument: null would be an empty one.
function given(text, where) {
  return typeof text === "string" ? text : refuse(`${where}: text`, "a string", text);
}

// The entries of a tensor of one dimension.
function entries(tensor) {
  try {
    return tensor.toArray();
  } finally {
    tensor.close();
  }
}

/** What a tokenizer makes of a text: columns with an entry for each token. */
export class Encoding extends Handle {
  get length() {
    return core.encoding_len(this);
  }

  get ids() {
    return core.encoding_column(this, "ids");
  }

  get tokens() {
    return Array.from({ length: this.length }, (_, i) => core.encoding_token(this, i)[0]);
  }

  /** Where the tokens stand in their text: [start, end], in characters. */
  get offsets() {
    return this.#between("starts", "ends");
  }

  /** The same in bytes of UTF-8. */
  get byteOffsets() {
    return this.#between("byte_starts", "byte_ends");
  }

  get typeIds() {
    return core.encoding_column(this, "type_ids");
  }

  get attentionMask() {
    return core.encoding_column(this, "attention_mask");
  }

  get specialTokensMask() {
    return core.encoding_column(this, "special_tokens_mask");
  }

  /** Which word each token is of; null for none. */
  get wordIds() {
    return core.encoding_column(this, "word_ids").map(orNull);
  }

  /** Which text of a pair each token is of; null for a special token. */
  get sequenceIds() {
    return core.encoding_column(this, "sequence_ids").map(orNull);
  }

  /** What truncation has cut off. */
  get overflowing() {
    return Array.from({ length: core.encoding_overflowing_len(this) }, (_, i) => core.encoding_overflowing(this, i));
  }

  /** A column, "ids" or another under Python's name, as a tensor of int64. */
  tensor(column = "ids") {
    return core.encoding_tensor(this, column);
  }

  #between(starts, ends) {
    const last = core.encoding_column(this, ends);
    return core.encoding_column(this, starts).map((start, i) => [start, last[i]]);
  }
}

/** Encodings of several texts. */
export class EncodingBatch extends Handle {
  get length() {
    return core.encoding_batch_len(this);
  }

  /** One of them, negative from the end; undefined if there is none. */
  at(index) {
    const found = index < 0 ? index + this.length : index;
    return found >= 0 && found < this.length ? core.encoding_batch_at(this, found) : undefined;
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) {
      yield core.encoding_batch_at(this, i);
    }
  }

  /** A column of all of them, [encodings, tokens of the longest]; shorter ones are filled up. */
  tensor(column = "ids", { fillValue = 0 } = {}) {
    return core.encoding_batch_tensor(this, column, fillValue);
  }
}

/** Text of tokens that come one by one, as a model generates them. */
export class DecodeStream extends Handle {
  /** What the text has grown by; "" as long as its last character is not complete. */
  step(id) {
    return core.decode_stream_step(this, id) ?? "";
  }
}

/** What a `tokenizer.json` describes: a path, the bytes, or another source. */
export class Tokenizer extends Handle {
  constructor(source) {
    const open = () => reading(source, {}, "Tokenizer", (reader) => core.tokenizer_open(reader));
    super(typeof source === "bigint" ? source : tokenizers.pointerTo(open));
    tokenizers.remember(this);
  }

  /** It as a `tokenizer.json`. */
  toJson({ pretty = false } = {}) {
    return core.tokenizer_to_json(this, pretty);
  }

  encode(text, pair = null, { addSpecialTokens = true } = {}) {
    return core.tokenizer_encode(this, given(text, "encode"), pair, addSpecialTokens);
  }

  /** Encode a text that was divided into words; offsets are those in each word. */
  encodeWords(words, pair = null, { addSpecialTokens = true } = {}) {
    return core.tokenizer_encode_words(this, words, pair, addSpecialTokens);
  }

  /** Encode several texts on so many threads; 0 for as many as there are processors. */
  encodeBatch(texts, pairs = null, { addSpecialTokens = true, numThreads = 0 } = {}) {
    return core.tokenizer_encode_batch(this, texts, null, pairs, addSpecialTokens, numThreads);
  }

  /** The ids alone, as a tensor of int64. */
  encodeTensor(text, { addSpecialTokens = true } = {}) {
    return core.tokenizer_encode_tensor(this, given(text, "encodeTensor"), addSpecialTokens);
  }

  decode(ids, { skipSpecialTokens = true } = {}) {
    return core.tokenizer_decode(this, ids, skipSpecialTokens);
  }

  /** The texts of the rows of a tensor. */
  decodeBatch(ids, { skipSpecialTokens = true } = {}) {
    return taken(core.tokenizer_decode_batch(this, ids, skipSpecialTokens));
  }

  /** Decode tokens that come one by one; the tokenizer must not be changed meanwhile. */
  decodeStream({ skipSpecialTokens = true } = {}) {
    return core.decode_stream_new(this, skipSpecialTokens);
  }

  /** The id of a token; undefined if there is none. */
  tokenToId(token) {
    return unlessMissing(() => core.tokenizer_token_to_id(this, token));
  }

  /** The token of an id; undefined if there is none. */
  idToToken(id) {
    return unlessMissing(() => core.tokenizer_id_to_token(this, id));
  }

  /** How many tokens there are, with those that were added to the model's. */
  get vocabSize() {
    return core.tokenizer_vocab_size(this, true);
  }

  /** A Map from tokens to ids. */
  vocab({ withAddedTokens = true } = {}) {
    return taken(core.tokenizer_vocab(this, withAddedTokens));
  }

  /** Add tokens, and say how many are new. */
  addTokens(tokens, { special = false } = {}) {
    return core.tokenizer_add_tokens(this, tokens, special);
  }

  /** Cut encodings off that are longer. */
  enableTruncation(maxLength, { stride = 0, strategy = "longest_first", direction = "right" } = {}) {
    core.tokenizer_enable_truncation(this, maxLength, stride, strategy, direction);
    return this;
  }

  noTruncation() {
    core.tokenizer_no_truncation(this);
    return this;
  }

  /** Fill shorter encodings up: to a length, or without one to the longest of a batch. */
  enablePadding({
    padId = 0,
    padTypeId = 0,
    padToken = "[PAD]",
    length = null,
    padToMultipleOf = null,
    direction = "right",
  } = {}) {
    core.tokenizer_enable_padding(this, padId, padTypeId, padToken, length ?? -1, padToMultipleOf ?? 0, direction);
    return this;
  }

  noPadding() {
    core.tokenizer_no_padding(this);
    return this;
  }
}

/**
 * tiktoken's encoding of the ranks in a file (a path, the bytes, or another source): one that is published by its
 * `name`, "cl100k_base", or one of a pattern of your own, with special tokens and their ids.
 */
export class Tiktoken extends Handle {
  constructor(ranks, { name = null, pattern = null, specialTokens = {} } = {}) {
    super(typeof ranks === "bigint" ? ranks : tiktokens.pointerTo(() => openRanks(ranks, name, pattern, specialTokens)));
    tiktokens.remember(this);
  }

  /** Encode a text in which nothing is special. */
  encodeOrdinary(text) {
    return entries(core.tiktoken_encode_ordinary(this, given(text, "encodeOrdinary")));
  }

  /** Encode a text: a special token in it is an error, unless it is allowed or not disallowed. */
  encode(text, { allowedSpecial = [], disallowedSpecial = "all" } = {}) {
    const [allowed, disallowed] = [allowedSpecial, disallowedSpecial].map((names) => [names].flat());
    return entries(core.tiktoken_encode(this, given(text, "encode"), allowed, disallowed));
  }

  /** A text; bytes that are no UTF-8 become U+FFFD. */
  decode(ids) {
    return core.tiktoken_decode(this, ids);
  }

  decodeBytes(ids) {
    return Uint8Array.from(entries(core.tiktoken_decode_bytes(this, ids)));
  }

  /** One more than the highest id. */
  get vocabSize() {
    return core.tiktoken_vocab_size(this);
  }
}

function openRanks(ranks, name, pattern, specialTokens) {
  if ((name === null) === (pattern === null)) {
    throw new CtorchError("TYPE", "Tiktoken: one of name and pattern is needed");
  }
  const special = specialTokens instanceof Map ? specialTokens : new Map(Object.entries(specialTokens));
  return reading(ranks, {}, "Tiktoken", (reader) =>
    name === null
      ? core.tiktoken_open(reader, pattern, [...special.keys()], [...special.values()])
      : core.tiktoken_open_named(reader, name),
  );
}

const KINDS = {
  encoding: Encoding,
  encoding_batch: EncodingBatch,
  decode_stream: DecodeStream,
  tokenizer: Tokenizer,
  tiktoken: Tiktoken,
};
for (const [kind, one] of Object.entries(KINDS)) {
  Object.defineProperty(one.prototype, "kind", { value: kind });
  classes[kind] = one;
}
