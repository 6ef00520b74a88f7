-- Handles: who owns what C handed out, and when it is given back.
--
-- A handle is a small box around a C pointer: `box.handle[0]`, NULL after close(). The garbage collector closes a box
-- that nobody uses any more. Inside `scope` boxes have no finalizer, which is several times faster: the end of the
-- scope closes them. A box that is closed while a call uses it, in a callback, gives its pointer back after that call:
-- `calls` counts them, and `late` has the pointer meanwhile.
--
-- A box is a few bytes to the collector, whatever the tensor behind it holds. So the bytes of tensors that wait for a
-- finalizer are counted, and so is what LibTorch has allocated, which tells what a small box keeps alive: a graph, a module.
-- A full collection runs when either has grown by `memory_threshold`. (The callback of
-- ctorch_memory_pressure_set_callback would be a call into Lua in the middle of a compiled call, which LuaJIT answers by ending
-- the process.)
local ffi = require("ffi")
local new_table = require("table.new")
local C = require("ctorch.library")
local errors = require("ctorch.errors")

local handles = {
  types = {}, -- ctype of the box by kind: "tensor", "storage", …
  methods = {}, -- what `box:name()` finds, by kind
  adapters = {}, -- what makes a handle of what may be given in its place: a transform of a function
  none = setmetatable({}, { __tostring = function() return "none" end }), -- None, where nil cannot stand: in a list
  memory_threshold = 128 * 2 ^ 20,
}

-- Functions that call C, and whether LuaJIT may compile them.
--
-- LibTorch walks the stack for each error it makes, and LuaJIT's compiled code cannot be walked: Debian 12's ends the
-- process in libgcc's _Unwind_Backtrace. So errors note no stack here. `compile_calls(false)` interprets the functions
-- that can fail, and gives the errors their backtraces.
--
-- Once Lua callbacks exist, none may be compiled: C may call Lua from within any of them, and LuaJIT cannot enter Lua
-- from compiled code.
local callers = {} -- function -> whether it can fail
local compiles_fallible, has_callbacks = true, false

local function switch(func)
  if has_callbacks or (callers[func] and not compiles_fallible) then
    jit.off(func)
  else
    jit.on(func)
  end
  return func
end

local function switch_all()
  for func in pairs(callers) do
    switch(func)
  end
  jit.flush()
end

function handles.calls_c(func)
  callers[func] = false
  return switch(func)
end

function handles.may_fail(func)
  callers[func] = true
  return switch(func)
end

local function note_stacks(enabled)
  C.ctorch_error_release(C.ctorch_debug_set_error_backtraces(enabled))
end

function handles.compile_calls(enabled)
  note_stacks(not enabled)
  compiles_fallible = enabled
  switch_all()
end

note_stacks(false)

function handles.expect_callbacks()
  if not has_callbacks then
    has_callbacks = true
    switch_all()
  end
end

-- When a call that used a box is over, by kind: gives `late` back if no other call uses it.
handles.end_call = {}

local held, limit = 0, 0 -- bytes of tensors that have a finalizer
local lowest, patience = 0, 1 -- of what LibTorch has allocated, see check_allocated
local scope -- the open scope: its boxes, `last` of them
local releases = {}

local function release(kind)
  local give_back = C[releases[kind]]
  return handles.calls_c(function(box)
    local handle = box.handle[0]
    if handle ~= nil then
      box.handle[0] = nil
      held = held - box.held_bytes
      box.held_bytes = 0
      if scope and rawequal(scope[scope.last], box) then
        scope[scope.last] = nil
        scope.last = scope.last - 1
      end
      if box.calls > 0 then
        box.late = handle
      else
        give_back(handle)
      end
    end
  end)
end

local function release_late(kind)
  local give_back = C[releases[kind]]
  return handles.calls_c(function(box)
    local handle = box.late
    if box.calls == 0 and handle ~= nil then
      box.late = nil
      give_back(handle)
    end
  end)
end

local closers = {}

-- Those whose metatables tensor.lua, modules.lua, optimizers.lua, schedulers.lua, data.lua, transforms.lua,
-- trainer.lua and deployment.lua fill.
local filled_elsewhere = {
  tensor = true, module = true, optimizer = true, lr_scheduler = true, dataset = true, sampler = true, loader = true,
  iterator = true, transform = true, trainer = true, jit_module = true, package = true, exported_program = true,
}

for kind, name in pairs(require("ctorch.generated.handles")) do
  releases[kind] = name
  closers[kind] = release(kind)
  handles.end_call[kind] = release_late(kind)
  local methods = { close = closers[kind] }
  handles.methods[kind] = methods
  local meta = { __index = methods }
  if filled_elsewhere[kind] then
    meta = {}
    handles[kind .. "_meta"] = meta
  else
    meta.__tostring = function(box)
      return ("ctorch.%s%s"):format(kind, box.handle[0] == nil and " (closed)" or "")
    end
  end
  meta.__eq = rawequal -- without it, `box == nil` would be an error
  local box = ("struct { ctorch_%s *handle[1]; double held_bytes; ctorch_%s *late; int32_t calls; }"):format(kind, kind)
  handles.types[kind] = ffi.metatype(box, meta)
end

-- The boxes of a list, which a call begins to use; nil while there are no callbacks, in which any could be closed.
function handles.begin_calls(kind, list, calls_back)
  if not (has_callbacks or calls_back) or type(list) ~= "table" then
    return nil
  end
  local used, box_type = {}, handles.types[kind]
  for i = 1, list.n or #list do
    if type(list[i]) == "cdata" and ffi.istype(box_type, list[i]) then
      used[#used + 1] = list[i]
      list[i].calls = list[i].calls + 1
    end
  end
  return used
end

function handles.end_calls(kind, used)
  for _, box in ipairs(used) do
    box.calls = box.calls - 1
    handles.end_call[kind](box)
  end
end

local Tensor, close_tensor = handles.types.tensor, closers.tensor

local function allocated()
  return tonumber(C.ctorch_memory_pressure_allocated_bytes())
end

local function collect()
  collectgarbage()
  limit = held + handles.memory_threshold
  lowest = allocated()
end

limit = handles.memory_threshold
lowest = allocated()

-- What LibTorch has allocated may be in use: a collection that frees little of it is repeated less often, as the callback
-- of memory pressure is.
local check_allocated = handles.calls_c(function()
  local total = allocated()
  local grown = total - lowest
  if grown < 0 then
    lowest = total
  elseif grown > handles.memory_threshold * patience then
    collect()
    patience = total - lowest < grown / 4 and math.min(2 * patience, 8) or 1
  end
end)

-- Own what C has put into a box: the open scope closes it, or the collector. Nil if C put NULL there.
handles.own_tensor = handles.calls_c(function(box)
  local handle = box.handle[0]
  if handle == nil then
    return nil
  end
  if scope then
    local last = scope.last + 1
    scope[last] = box
    scope.last = last
    return box
  end
  local bytes = tonumber(C.ctorch_tensor_nbytes(handle))
  box.held_bytes = bytes
  ffi.gc(box, close_tensor)
  held = held + bytes
  if held > limit then
    collect()
  else
    check_allocated()
  end
  return box
end)

function handles.own(kind, box)
  if kind == "tensor" then
    return handles.own_tensor(box)
  elseif box.handle[0] == nil then
    return nil
  end
  check_allocated()
  return ffi.gc(box, closers[kind])
end

-- A reference of our own to what C lends.
handles.borrow = handles.may_fail(function(kind, handle)
  if handle == nil then
    return nil
  end
  local box = handles.types[kind]()
  C["ctorch_" .. kind .. "_retain"](handle)
  box.handle[0] = ffi.cast(("ctorch_%s *"):format(kind), handle)
  return handles.own(kind, box)
end)

-- Call `body(...)` and close all tensors that it made, except those it returns or has kept with `tensor:keep()`. A
-- coroutine must not yield out of it.
function handles.scope(body, ...)
  local outer, mine = scope, new_table(16, 1) -- with an array from the start: into a hash the first would go slower
  mine.last = 0
  scope = mine
  local function finish(ok, ...)
    scope = outer
    for i = 1, ok and select("#", ...) or 0 do
      local result = select(i, ...)
      if type(result) == "cdata" and ffi.istype(Tensor, result) then
        handles.keep(result, mine)
      end
    end
    for i = mine.last, 1, -1 do
      close_tensor(mine[i])
    end
    if not ok then
      error((...), 0)
    end
    return ...
  end
  return finish(pcall(body, ...))
end

-- Take a tensor out of a scope (the open one): it belongs to the one around it, or to the collector.
function handles.keep(box, from)
  from = from or scope
  for i = from and from.last or 0, 1, -1 do
    if rawequal(from[i], box) then
      table.remove(from, i)
      from.last = from.last - 1
      local open = scope
      if from == open then
        scope = nil
      end
      handles.own_tensor(box)
      scope = open
      break
    end
  end
  return box
end

-- Bytes of the tensors that wait for the garbage collector.
function handles.held_bytes()
  return held
end

function handles.is_tensor(value)
  return type(value) == "cdata" and ffi.istype(Tensor, value)
end

-- The C pointer of an argument that should have been a handle of this kind.
function handles.pointer(kind, value, where)
  if value == nil or rawequal(value, handles.none) then
    errors.refuse(where, "a " .. kind, nil)
  elseif type(value) ~= "cdata" then
    errors.refuse(where, "a " .. kind, value)
  elseif ffi.istype(handles.types[kind], value) then
    if value.handle[0] == nil then
      error(errors.new("INVALID_HANDLE", ("%s: the %s is closed"):format(where, kind)), 0)
    end
    return value.handle[0]
  end
  local c_type = ("ctorch_%s *"):format(kind)
  if not (ffi.istype(c_type, value) or ffi.istype("const " .. c_type, value)) then
    errors.refuse(where, "a " .. kind, value)
  end
  return value
end

return handles
