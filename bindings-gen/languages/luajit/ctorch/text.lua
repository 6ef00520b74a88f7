-- Texts and tokens, as the packages `tokenizers` and `tiktoken` have them.
--
--     local tokenizer = ctorch.Tokenizer("tokenizer.json")
--     local encoding = tokenizer:encode("a text", "and another")
--     print(table.concat(encoding:tokens(), " "), table.concat(encoding:ids(), " "))
--     tokenizer:enable_padding({ pad_token = "[PAD]" })
--     local batch = tokenizer:encode_batch({ "one", "two texts" })
--     model(batch:tensor(), batch:tensor("attention_mask"))
--     print(tokenizer:decode(encoding:ids()))
--
-- Texts are UTF-8. Offsets count from 0, `offsets` in characters, and `byte_offsets` as `text:sub(first + 1, last)` has
-- it. What may stand for a path says streams.lua.
local core = require("ctorch.core")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local optimizers = require("ctorch.optimizers")
local streams = require("ctorch.streams")

jit.off(true, true) -- these call C

local text = {}

-- What is given under a name, or else this.
local option = require("ctorch.convert").option

-- The text of an argument: nil would be an empty one.
local function given(value, where)
  return type(value) == "string" and value or errors.refuse(where .. ": text", "a string", value)
end

-- What `get(...)` gives, nil where C finds nothing.
local function unless_missing(get, ...)
  local ok, found = pcall(get, ...)
  if ok then
    return found
  elseif errors.is_error(found) and found.name == "INDEX" then
    return nil
  end
  error(found, 0)
end

-- The entries of a tensor of one dimension.
local function entries(tensor)
  local found = tensor:totable()
  tensor:close()
  return found
end

-- Encodings: lists with an entry for each token

local encoding = handles.methods.encoding

local COLUMNS = { "ids", "type_ids", "attention_mask", "special_tokens_mask", "word_ids", "sequence_ids" }
for _, name in ipairs(COLUMNS) do -- of the last two -1 is none
  encoding[name] = function(box)
    return core.encoding_column(box, name)
  end
end

-- How many tokens there are.
function encoding.len(box)
  return core.encoding_len(box)
end

function encoding.tokens(box)
  local found = {}
  for i = 1, core.encoding_len(box) do
    found[i] = core.encoding_token(box, i - 1)
  end
  return found
end

local function between(box, first, last)
  local found, ends = core.encoding_column(box, first), core.encoding_column(box, last)
  for i = 1, #found do
    found[i] = { found[i], ends[i] }
  end
  return found
end

-- Where the tokens stand in their text, in characters: pairs of a first one and the one behind the last.
function encoding.offsets(box)
  return between(box, "starts", "ends")
end

-- The same in bytes.
function encoding.byte_offsets(box)
  return between(box, "byte_starts", "byte_ends")
end

-- A list of what truncation has cut off.
function encoding.overflowing(box)
  local found = {}
  for i = 1, core.encoding_overflowing_len(box) do
    found[i] = core.encoding_overflowing(box, i - 1)
  end
  return found
end

-- A column, "ids" or another one, as a tensor of int64.
function encoding.tensor(box, column)
  return core.encoding_tensor(box, column or "ids")
end

local batch = handles.methods.encoding_batch

function batch.len(box)
  return core.encoding_batch_len(box)
end

-- A list of them.
function batch.encodings(box)
  local found = {}
  for i = 1, core.encoding_batch_len(box) do
    found[i] = core.encoding_batch_at(box, i - 1)
  end
  return found
end

-- A column of all of them, [encodings, tokens of the longest]; shorter ones are filled up with `fill_value`, else 0.
function batch.tensor(box, column, fill_value)
  return core.encoding_batch_tensor(box, column or "ids", fill_value or 0)
end

-- Tokenizers

local tokenizer = handles.methods.tokenizer

-- What a `tokenizer.json` describes.
function text.Tokenizer(source)
  return streams.reading(source, {}, "Tokenizer", core.tokenizer_open)
end

-- It as a `tokenizer.json`; `pretty` has it indented.
function tokenizer.to_json(box, pretty)
  return core.tokenizer_to_json(box, pretty or false)
end

-- Encodes a text, or a pair of texts. `add_special_tokens = false` leaves out what stands around them.
function tokenizer.encode(box, first, second, options)
  return core.tokenizer_encode(box, given(first, "encode"), second, option(options, "add_special_tokens", true))
end

-- Encodes a text that was divided into a list of words; offsets are those in each word.
function tokenizer.encode_words(box, words, pair, options)
  return core.tokenizer_encode_words(box, words, pair, option(options, "add_special_tokens", true))
end

-- Encodes a list of texts, or of pairs, on `num_threads` threads, else on as many as there are processors.
function tokenizer.encode_batch(box, texts, pairs, options)
  local special, threads = option(options, "add_special_tokens", true), option(options, "num_threads", 0)
  return core.tokenizer_encode_batch(box, texts, nil, pairs, special, threads)
end

-- The ids alone, as a tensor of int64.
function tokenizer.encode_tensor(box, first, options)
  return core.tokenizer_encode_tensor(box, given(first, "encode_tensor"), option(options, "add_special_tokens", true))
end

-- The text of a list of ids. `skip_special_tokens = false` leaves special tokens in.
function tokenizer.decode(box, ids, options)
  return core.tokenizer_decode(box, ids, option(options, "skip_special_tokens", true))
end

-- A list of the texts of a tensor's rows.
function tokenizer.decode_batch(box, ids, options)
  return optimizers.unbox(core.tokenizer_decode_batch(box, ids, option(options, "skip_special_tokens", true)))
end

-- Decodes tokens that come one by one, as a model generates them: `stream:step(id)` is what the text has grown by, ""
-- as long as its last character is not complete. The tokenizer must not be changed meanwhile.
function tokenizer.decode_stream(box, options)
  return core.decode_stream_new(box, option(options, "skip_special_tokens", true))
end

function handles.methods.decode_stream.step(box, id)
  return core.decode_stream_step(box, id) or ""
end

-- The id of a token, or nil.
function tokenizer.token_to_id(box, token)
  return unless_missing(core.tokenizer_token_to_id, box, given(token, "token_to_id"))
end

-- The token of an id, or nil.
function tokenizer.id_to_token(box, id)
  return unless_missing(core.tokenizer_id_to_token, box, id)
end

-- How many tokens there are, with those that were added to the model's.
function tokenizer.vocab_size(box)
  return core.tokenizer_vocab_size(box, true)
end

-- A table of ids by tokens.
function tokenizer.vocab(box)
  return optimizers.named(optimizers.unbox(core.tokenizer_vocab(box, true)))
end

-- Adds a list of tokens, and says how many are new.
function tokenizer.add_tokens(box, tokens, options)
  return core.tokenizer_add_tokens(box, tokens, option(options, "special", false))
end

-- Cuts encodings off that are longer: `stride`, `strategy`, `direction`.
function tokenizer.enable_truncation(box, max_length, options)
  local stride, strategy = option(options, "stride", 0), option(options, "strategy")
  core.tokenizer_enable_truncation(box, max_length, stride, strategy, option(options, "direction"))
  return box
end

function tokenizer.no_truncation(box)
  core.tokenizer_no_truncation(box)
  return box
end

-- Fills shorter encodings up to a `length`, else to the longest of a batch: `pad_id`, `pad_type_id`, `pad_token`,
-- `pad_to_multiple_of`, `direction`.
function tokenizer.enable_padding(box, options)
  core.tokenizer_enable_padding(
    box,
    option(options, "pad_id", 0),
    option(options, "pad_type_id", 0),
    option(options, "pad_token", "[PAD]"),
    option(options, "length", -1),
    option(options, "pad_to_multiple_of", 0),
    option(options, "direction")
  )
  return box
end

function tokenizer.no_padding(box)
  core.tokenizer_no_padding(box)
  return box
end

-- tiktoken

local tiktoken = handles.methods.tiktoken

-- The encoding of a file of ranks: `name = "cl100k_base"` of one that is published, or a `pattern` of your own, with
-- `special_tokens`, a table of ids by names.
function text.Tiktoken(ranks, options)
  local name, pattern = option(options, "name"), option(options, "pattern")
  if (name == nil) == (pattern == nil) then
    error(errors.new("TYPE", "Tiktoken: one of name and pattern is needed"), 0)
  end
  local special, ids = {}, {}
  for token, id in pairs(option(options, "special_tokens", {})) do
    special[#special + 1], ids[#ids + 1] = token, id
  end
  return streams.reading(ranks, {}, "Tiktoken", function(reader)
    if name then
      return core.tiktoken_open_named(reader, name)
    end
    return core.tiktoken_open(reader, pattern, special, ids)
  end)
end

-- A list of the ids of a text in which nothing is special.
function tiktoken.encode_ordinary(box, first)
  return entries(core.tiktoken_encode_ordinary(box, given(first, "encode_ordinary")))
end

local function choice(special)
  return type(special) == "string" and { special } or special
end

-- A list of the ids of a text: a special token in it is an error, unless it is in `allowed_special`, or not in
-- `disallowed_special`; each is a list, or "all".
function tiktoken.encode(box, first, options)
  local allowed = choice(option(options, "allowed_special", {}))
  local disallowed = choice(option(options, "disallowed_special", "all"))
  return entries(core.tiktoken_encode(box, given(first, "encode"), allowed, disallowed))
end

-- A text; bytes that are no UTF-8 become U+FFFD.
function tiktoken.decode(box, ids)
  return core.tiktoken_decode(box, ids)
end

-- The bytes, as they are.
function tiktoken.decode_bytes(box, ids)
  return string.char(unpack(entries(core.tiktoken_decode_bytes(box, ids))))
end

-- One more than the highest id.
function tiktoken.vocab_size(box)
  return core.tiktoken_vocab_size(box)
end

return text
