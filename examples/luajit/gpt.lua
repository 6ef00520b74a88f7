-- A small GPT that learns a text byte by byte and then writes one: ../gpt.c in Lua, with the same text.
--
--     luajit gpt.lua TEXT STEPS
--
-- Each step runs in a scope, which closes the tensors it made.
local ctorch = require("ctorch")

local aten, optim = ctorch.aten, ctorch.optim
local BYTES, CONTEXT, WIDTH, HEADS, BLOCKS = 256, 64, 64, 4, 2
local BATCH, STEPS, SAMPLE, TEMPERATURE, TOP_K = 16, 200, 200, 0.8, 40

local function read_text(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return ctorch.from_data(text, { #text }, "uint8"):to("int64")
end

-- GPT-2's blocks, without parameters in the norms, over embeddings of bytes and places.
local function new_gpt()
  local gpt = { blocks = {}, parameters = {} }
  local function parameter(rows, columns)
    local made = ctorch.randn({ rows, columns or WIDTH }):mul_(0.08):requires_grad_()
    table.insert(gpt.parameters, made)
    return made
  end
  for i = 1, BLOCKS do
    local block = {}
    block.qkv = parameter(3 * WIDTH)
    block.projection = parameter(WIDTH)
    block.widen = parameter(4 * WIDTH)
    block.narrow = parameter(WIDTH, 4 * WIDTH)
    gpt.blocks[i] = block
  end
  gpt.embedding = parameter(BYTES)
  gpt.places = parameter(CONTEXT)
  return gpt
end

-- Scores of the byte after each place: of a batch of texts, (batch, len, BYTES).
local function forward(gpt, text)
  local batch, len = text:size(0), text:size(1)
  local x = aten.embedding(gpt.embedding, text) + gpt.places:narrow(0, 0, len)
  for _, block in ipairs(gpt.blocks) do
    local y = aten.linear(aten.layer_norm(x, { WIDTH }), block.qkv)
    local qkv = y:view({ batch, len, 3, HEADS, WIDTH / HEADS }):permute({ 2, 0, 3, 1, 4 }):unbind()
    y = aten.scaled_dot_product_attention(qkv[1], qkv[2], qkv[3], { is_causal = true })
    x = x + aten.linear(y:transpose(1, 2):reshape({ batch, len, WIDTH }), block.projection)
    y = aten.linear(aten.layer_norm(x, { WIDTH }), block.widen)
    x = x + aten.linear(aten.gelu(y), block.narrow)
  end
  return aten.linear(aten.layer_norm(x, { WIDTH }), gpt.embedding)
end

local function train_step(gpt, optimizer, text)
  local places = ctorch.randint(#text - CONTEXT, { BATCH, 1 }) + ctorch.arange(CONTEXT + 1)
  local rows = text:take(places)
  local scores = forward(gpt, rows:narrow(1, 0, CONTEXT)):transpose(1, 2) -- the classes come second
  local loss = aten.cross_entropy_loss(scores, rows:narrow(1, 1, CONTEXT))
  optimizer:zero_grad()
  loss:backward()
  optimizer:step()
  return loss:item()
end

-- One of the classes by their scores, of the best ones alone.
local function draw(scores)
  scores = scores / TEMPERATURE
  local best = scores:topk(TOP_K)
  local worse = scores:lt(best:narrow(1, TOP_K - 1, 1))
  return scores:masked_fill(worse, -math.huge):softmax(-1):multinomial(1)
end

-- Let the model go on after a line feed, a byte at a time.
local function write_on(gpt)
  local text = ctorch.tensor({ { ("\n"):byte() } }, { dtype = "int64" })
  for _ = 1, SAMPLE do
    local len = math.min(text:size(1), CONTEXT)
    local scores = forward(gpt, text:narrow(1, -len, len)):select(1, -1)
    local next = draw(scores)
    text = aten.cat({ text, next }, 1)
    io.write(string.char(next:item()))
  end
end

local function main(path, steps)
  ctorch.core.threads_set_num(1) -- the tensors are too small for more
  ctorch.core.random_manual_seed(1)
  local text = read_text(path)
  local gpt = new_gpt()
  local optimizer =
    optim.AdamW(gpt.parameters, { lr = 3e-3, betas = { 0.9, 0.95 }, eps = 1e-8, weight_decay = 0.1 })
  for step = 1, steps do
    local loss = ctorch.scope(train_step, gpt, optimizer, text)
    if step % 50 == 0 or steps < 50 then
      print(("step %d: loss %.3f"):format(step, loss))
    end
  end
  ctorch.no_grad(write_on, gpt)
end

local folder = arg[0]:match("^(.*)/[^/]*$") or "."
local ok, failure = pcall(ctorch.scope, main, arg[1] or folder .. "/../data/sonnets.txt", tonumber(arg[2] or STEPS))
if ok and (ctorch.live_handles() or 0) > 0 then -- counted with CTORCH_DEBUG_HANDLES=1
  ok, failure = false, ctorch.live_handles() .. " handles leaked"
end
if not ok then
  io.stderr:write("gpt: ", tostring(failure), "\n")
  os.exit(1)
end
