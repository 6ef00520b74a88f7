-- What tokenizers, metrics and event files give (text_sample.expected), one thing a line.
local ctorch = require("ctorch")
local check = require("check")

local folder = ...
local equal, fails, value = check.equal, check.fails, ctorch.value
local TEXT = "A great film, déjà vu 🙂!"

local function path(name)
  return folder .. "/" .. name
end

local function joined(list, shown)
  local parts = {}
  for i = 1, #list do
    parts[i] = shown and shown(list[i]) or tostring(list[i])
  end
  return table.concat(parts, " ")
end

local function texts()
  local tokenizer = ctorch.Tokenizer(path("tokenizer.json"))
  local encoding = tokenizer:encode(TEXT)
  print("tokens " .. joined(encoding:tokens()))
  print("ids " .. joined(encoding:ids()))
  print("offsets " .. joined(encoding:offsets(), function(pair) return pair[1] .. "-" .. pair[2] end))
  print("pair " .. joined(tokenizer:encode("not bad", "great fun"):type_ids()))
  local batch = tokenizer:enable_padding():encode_batch({ "not bad", "great fun, and a great film", "" })
  print(("batch %d %s"):format(batch:len(), joined(batch:tensor():flatten():totable())))
  print("mask " .. joined(batch:tensor("attention_mask"):flatten():totable()))
  print("decoded " .. tokenizer:decode(encoding:ids()))
  print("rows " .. table.concat(tokenizer:decode_batch(batch:tensor()), "|"))
  local stream, pieces = tokenizer:decode_stream(), {}
  for i, id in ipairs(encoding:ids()) do
    pieces[i] = stream:step(id)
  end
  print("stream " .. table.concat(pieces, "|"))
  print("great " .. tokenizer:token_to_id("great"))
  print("missing " .. tostring(tokenizer:token_to_id("nothing") or "none"))
  print("cut " .. joined(tokenizer:no_padding():enable_truncation(4):encode(TEXT):ids()))

  local again = ctorch.Tokenizer(value.bytes(tokenizer:to_json(true))):no_truncation()
  equal(again:encode("a", "b"):sequence_ids(), { -1, 0, -1, 1, -1 })
  equal(again:encode("a", nil, { add_special_tokens = false }):word_ids(), { 0 })
  equal(again:encode_words({ "great", "film" }):ids(), again:encode_tensor("great film"):totable())
  local between = again:encode(TEXT):byte_offsets()[11]
  equal(TEXT:sub(between[1] + 1, between[2]), "u")
  equal(batch:encodings()[3]:tokens()[1], "[CLS]")
  equal(#again:enable_truncation(4, { stride = 1 }):encode("a great film"):overflowing(), 1)
  equal({ again:vocab().great, again:id_to_token(again:vocab_size()) }, { 5 })
  equal(again:add_tokens({ "great film" }), 1)
  fails("TYPE", "encode: text", again.encode, again, nil)
end

local function tiktoken()
  local pattern, special = "\\p{L}+|\\s|[^\\s\\p{L}]+", { ["<|end|>"] = 300 }
  local ranks = ctorch.Tiktoken(path("ranks.tiktoken"), { pattern = pattern, special_tokens = special })
  local ids = ranks:encode("a great film<|end|>", { allowed_special = "all" })
  print("tiktoken " .. joined(ids))
  print("text " .. ranks:decode(ids))
  equal(ranks:decode({ 97, 0, 98 }), "a\0b")
  equal(ranks:encode_ordinary("a film"), ranks:encode("a film"))
  equal({ ranks:decode_bytes({ 97, 300 }), ranks:vocab_size() }, { "a<|end|>", 301 })
  fails("VALUE", "<|end|>", ranks.encode, ranks, "<|end|>")
  fails("TYPE", "one of name and pattern", ctorch.Tiktoken, path("ranks.tiktoken"))
end

local function judged()
  local metrics = ctorch.metrics
  local scores = { { 0.8, 0.1, 0.1 }, { 0.2, 0.5, 0.3 }, { 0.1, 0.6, 0.3 }, { 0.3, 0.3, 0.4 } }
  local preds = ctorch.tensor(scores):split(2)
  local target = ctorch.tensor({ 0, 1, 2, 2 }, { dtype = "int64" }):split(2)
  local accuracy = metrics.MulticlassAccuracy(3, { average = "none" })
  local both = metrics.MetricCollection({
    f1 = metrics.create("MulticlassF1Score", { num_classes = 3 }),
    accuracy = metrics.MulticlassAccuracy(3, { average = "micro" }),
  })
  for _, metric in ipairs({ accuracy, both }) do
    for i = 1, 2 do
      metric:update(preds[i], target[i])
    end
  end
  local function number(x)
    return ("%.6f"):format(x)
  end
  print("accuracy " .. joined(accuracy:compute():totable(), number))
  print("f1 " .. number(both:compute().f1:item()))
  print("micro " .. number(both:compute().accuracy:item()))
  local other = accuracy:clone():merge(accuracy)
  equal({ other:update_count(), other:name(), other:reductions().tp }, { 4, "MulticlassAccuracy", "sum" })
  other:load_state_dict(accuracy:state_dict())
  equal(other:compute():totable(), accuracy:compute():totable())
  local words = metrics.WordErrorRate():forward({ "a great film" }, { "a bad film" })
  equal(number(words:item()), "0.333333")
  local before = accuracy:update_count()
  accuracy:reset()
  print(("updates %d %d"):format(before, accuracy:update_count()))
end

local function logged()
  local board = ctorch.SummaryWriter(path("events"), { filename_suffix = ".lua" })
  board:add_scalar("loss", 0.5, 1)
  board:add_scalar("loss", ctorch.tensor({ 0.25 }), 2, { walltime = 12 })
  board:add_text("note", "good", 3)
  board:add_histogram("weights", ctorch.tensor({ 1, 2, 3, 4 }), 4, { bins = { 0, 2, 3, 5, 7 } })
  board:flush()
  equal({ board:log_dir(), board:path():sub(-4) }, { path("events"), ".lua" })
  local shown = {
    scalar = function(number) return ("%.2f"):format(number) end,
    text = tostring,
    histogram = function(bins) return bins[1].shape[1] end,
  }
  local reader = ctorch.SummaryReader(path("events"))
  for event in reader:events() do
    if event.tag ~= "" then
      print(("event %s %d %s %s"):format(event.tag, event.step, event.kind, shown[event.kind](event.value)))
    end
  end
  local seen
  local function see(...)
    seen = { ... }
  end
  for _, logger in ipairs({ ctorch.Logger.of(board), ctorch.Logger.of(see), ctorch.Logger.csv(path("log.csv")) }) do
    logger:log({ later = ctorch.tensor({ 1 }), b = 2 }, 5, { walltime = 3 })
    logger:close()
  end
  equal({ seen[1].later, seen[1].b, seen[2], seen[3] }, { 1, 2, 5, 3 })
  equal(io.open(path("log.csv")):read("*a"), "step,wall_time,b,later\n5,3.0,2.0,1.0\n")
  board:finish()
  board:finish()
  local later = {}
  for event in reader:events() do
    later[#later + 1] = event.tag
  end
  equal(later, { "b", "later" })
  equal(ctorch.runs(folder), { "events" })
  fails("RUNTIME", "closed", board.add_scalar, board, "late", 1)
end

local function trained()
  local nn, data = ctorch.nn, ctorch.data
  local model, x = nn.Linear(1, 1), ctorch.ones({ 4, 1 })
  ctorch.Trainer(model, ctorch.optim.SGD(model:parameters(), { lr = 0.1 }))
    :set_loss(nn.MSELoss())
    :add_logger(ctorch.Logger.csv(path("trained.csv")), { every_steps = 1 })
    :fit(data.DataLoader(data.TensorDataset({ x, x }), { batch_size = 2 }))
  local lines = {}
  for line in io.lines(path("trained.csv")) do
    lines[#lines + 1] = line
  end
  equal({ lines[1]:match("^step,wall_time,loss/step,") ~= nil, #lines }, { true, 4 })
end

texts()
tiktoken()
judged()
logged()
trained()
print("refused " .. fails("FORMAT", "", ctorch.Tokenizer, value.bytes("{}")).name)
print("refused " .. fails("INDEX", "NoSuch", ctorch.metrics.create, "NoSuch").name)
equal(ctorch.live_handles(), 0)
