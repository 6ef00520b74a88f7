-- Rate reviews by the words in them: texts become tokens, tokens a score; how often that is right is counted over
-- batches, and logged for TensorBoard.
--
--     luajit rate_reviews.lua tokenizer.json runs/reviews
--
-- The tokenizer is one of Hugging Face's in lower case, as that of bert-base-uncased.
local ctorch = require("ctorch")

local BATCHES = {
  { { "A great film, and great fun", 1 }, { "A bad film", 0 }, { "Dull and bad", 0 } },
  { { "Great, not bad", 1 }, { "Fun for all of us", 1 }, { "not great", 0 } },
}
local LEXICON = { great = 1, fun = 1, bad = -1, dull = -1 }

local path, folder = ...
if not folder then
  io.stderr:write("usage: rate_reviews.lua TOKENIZER FOLDER\n")
  os.exit(2)
end

local tokenizer = ctorch.Tokenizer(path):enable_padding()
local weight = ctorch.zeros({ tokenizer:vocab_size() })
for word, value in pairs(LEXICON) do
  weight[tokenizer:token_to_id(word)] = value
end

local accuracy = ctorch.metrics.BinaryAccuracy()
local board = ctorch.SummaryWriter(folder)
for step, batch in ipairs(BATCHES) do
  local texts, labels = {}, {}
  for i, review in ipairs(batch) do
    texts[i], labels[i] = review[1], review[2]
  end
  local encodings = tokenizer:encode_batch(texts)
  local scores = (weight:take(encodings:tensor()) * encodings:tensor("attention_mask")):sum({ dim = 1 })
  local wrong = {}
  for i, encoding in ipairs(encodings:encodings()) do
    local tokens, mask, score = encoding:tokens(), encoding:attention_mask(), scores[i - 1]:item()
    for at = #tokens, 1, -1 do
      if mask[at] == 0 then
        table.remove(tokens, at)
      end
    end
    print(("%+d %s"):format(score, table.concat(tokens, " ")))
    if (score > 0 and 1 or 0) ~= labels[i] then
      wrong[#wrong + 1] = texts[i]
    end
  end

  accuracy:update(scores:sigmoid(), ctorch.tensor(labels, { dtype = "int64" }))
  local share = accuracy:compute()
  print(("accuracy %.4f"):format(share:item()))
  board:add_scalar("accuracy", share, step)
  board:add_histogram("scores", scores, step)
  if #wrong > 0 then
    board:add_text("wrong", table.concat(wrong, "\n\n"), step)
  end
end
board:finish()
