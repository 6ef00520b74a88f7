-- Lua functions for C functions, compiled from their signatures (bindings-gen/ctorchgen/emit/signatures.py says how to
-- read one). What comes out is ordinary Lua that LuaJIT compiles well:
--
--     function(self, other, options) … check, convert … C.ctorch_aten_add_Tensor(…) … own the result … end
--
-- Arguments stand in C's order; the last one given may be a table of arguments by name, the only way for those that are
-- keyword-only. Results are returned in their order. A list of tensors is a table with `n`, in which `none` stands for
-- an undefined one; an undefined tensor is nil.
local ffi = require("ffi")
local C = require("ctorch.library")
local callbacks = require("ctorch.callbacks")
local convert = require("ctorch.convert")
local enums = require("ctorch.generated.enums")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local values = require("ctorch.values")

local call = {}

-- Signatures

local function parse_word(word)
  if word:sub(1, 1) == ">" then
    local name, kind, c_type, optional = word:match("^>([%w_]+):(%w+):([%w_]+)(%??)$")
    return { name = name, kind = kind, type = c_type, result = true, optional = optional ~= "" }
  end
  local name, kind, c_type, rest = word:match("^([%w_]+):(%w+):([%w_]+)(.*)$")
  return {
    name = name,
    kind = kind,
    type = c_type,
    default = rest:match("^=([^%[%?~%*]+)"),
    fixed = tonumber(rest:match("%[(%d+)%]")) or 0,
    optional = rest:find("[%?~]") ~= nil,
    must_be_said = rest:find("~", 1, true) ~= nil,
    keyword_only = rest:find("*", 1, true) ~= nil,
  }
end

-- `returned` and `returned_type`, `words` in C's order, and of these `arguments` (what a user gives), `results`.
function call.parse(signature)
  local head, tail = signature:match("^(.-) %-> (.*)$")
  local parsed = { words = {}, arguments = {}, results = {}, returns = {} }
  for word in (head or signature):gmatch("%S+") do
    if not parsed.returned then
      parsed.returned, parsed.returned_type = word:match("^(%w+):?([%w_]*)$")
    else
      local found = parse_word(word)
      table.insert(parsed.words, found)
      if found.kind == "payload" or found.kind == "destroy" then
        parsed[found.kind] = true
      elseif found.result and found.kind ~= "buffer" then
        table.insert(parsed.results, found)
      elseif found.kind ~= "never" then
        table.insert(parsed.arguments, found)
      end
    end
  end
  for name in (tail or ""):gmatch("%S+") do
    table.insert(parsed.returns, name)
  end
  return parsed
end

-- Options: a table whose keys are names. `{ n = 0 }` is an empty list. Where C takes any value, which a table may be, it
-- is options if all its keys are `names` of arguments, `own` among them: the name of that one if it must be given.
local function is_options(value, names, own)
  if own and value[own] == nil or value[1] ~= nil or getmetatable(value) ~= nil then
    return false
  end
  local count = 0
  for key in pairs(value) do
    if type(key) ~= "string" or names and not names[key] then
      return false
    end
    count = count + 1
  end
  return count > 0 and not (count == 1 and value.n == 0)
end

call.is_options = is_options

local function check_options(options, names, where)
  for name in pairs(options) do
    if not names[name] then
      error(errors.new("TYPE", ("%s has no argument %s"):format(where, tostring(name))), 0)
    end
  end
end

local function given_twice(where)
  error(errors.new("TYPE", where .. " is given twice"), 0)
end

-- Code

local LOWEST = {
  int64_t = "-0x1p53", uint64_t = 0, size_t = 0, int32_t = "-0x1p31", uint8_t = 0, uint16_t = 0, uint32_t = 0,
}
local HIGHEST = { int32_t = "0x1p31-1", uint8_t = 255, uint16_t = 65535, uint32_t = "0x1p32-1" }

-- Lines that turn the Lua variable `a` into something that C takes; what to write in the call.
local prepare = {}

function prepare.value(argument, a, where)
  local c_type, lines = argument.type, {}
  if argument.default then
    local default = argument.default:gsub("^inf$", "1/0")
    lines[1] = ("if %s == nil then %s = %s end"):format(a, a, default)
  end
  if c_type == "bool" then
    lines[#lines + 1] = ("if type(%s) ~= 'boolean' then refuse(%q, 'a boolean', %s) end"):format(a, where, a)
  elseif c_type == "double" then
    lines[#lines + 1] = ("if type(%s) ~= 'number' then %s = convert.number(%s, %q) end"):format(a, a, a, where)
  elseif LOWEST[c_type] then
    local check = "if type(%s) ~= 'number' or %s %% 1 ~= 0 or %s < %s or %s > %s then "
      .. "%s = convert.integer(%s, %q, %q) end"
    lines[#lines + 1] = check
      :format(a, a, a, LOWEST[c_type], a, HIGHEST[c_type] or "0x1p53", a, a, c_type, where)
  else
    lines[#lines + 1] = ("%s = enums.%s[%s] or convert.enum(%s, %q, %q)"):format(a, c_type, a, a, c_type, where)
  end
  return table.concat(lines, "\n"), a
end

-- Where a number alone decides the dtype, a Lua number is a float, whole or not: the dtype is that of its type.
local deciding = { ctorch_aten_full = true, ctorch_aten_where_Scalar = true }

function prepare.pointer(argument, a, where, symbol)
  local c_type = argument.type
  local made
  if c_type == "scalar" and deciding[symbol] then
    made = ("type(%s) == 'number' and convert.float(%s) or convert.scalar(%s, %q)"):format(a, a, a, where)
  elseif c_type == "scalar" or c_type == "device" or c_type == "stream" then
    made = ("convert.%s(%s, %q)"):format(c_type, a, where)
  else
    made = ("ctypes['%s[1]'](convert.element(%s, %q, %q))"):format(convert.c_name(c_type), a, c_type, where)
  end
  if not argument.optional then
    local check = "if %s == nil then refuse(%q, %q, nil) end local c_%s = %s"
    return check:format(a, where, "a " .. c_type, a, made), "c_" .. a
  end
  return ("local c_%s if %s ~= nil and %s ~= none then c_%s = %s end"):format(a, a, a, a, made), "c_" .. a
end

function prepare.list(argument, a, where)
  local text = "local c_%s, n_%s = convert.list(%s, %q, %d, %q)"
  return text:format(a, a, a, argument.type, argument.fixed, where), ("c_%s, n_%s"):format(a, a)
end

function prepare.string(argument, a, where)
  local test = "if true then "
  if argument.optional then
    test = ("if %s == none then %s = nil elseif %s ~= nil then "):format(a, a, a)
  end
  return ("%s%s = convert.text(%s, %q) end"):format(test, a, a, where), a
end

function prepare.strings(_, a, where)
  return ("local c_%s, n_%s = convert.strings(%s, %q)"):format(a, a, a, where), ("c_%s, n_%s"):format(a, a)
end

-- Where C takes a value, what a value can hold stands for it: all but `self`, which functions change.
local function takes_any(argument)
  return argument.type == "value" and argument.name ~= "self"
end

-- Pointers are taken out of their boxes in the very call, so that nothing can close a box in between.
function prepare.handle(argument, a, where)
  local box = argument.type
  local b = "b_" .. a
  local other = ("%s = { handle = { [0] = pointer(%q, %s, %q) }, calls = 0 }"):format(b, box, a, where)
  if takes_any(argument) then
    other = ("%s = values.of(%s, %q)"):format(b, a, where)
  elseif handles.adapters[box] then
    other = ("if type(%s) == 'function' then %s = adapters.%s(%s) else %s end"):format(a, b, box, a, other)
  end
  if argument.optional then
    other = ("if %s == nil or %s == none then %s = absent else %s end"):format(a, a, b, other)
  end
  local check = ("local %s = %s if type(%s) ~= 'cdata' or not istype(types[%q], %s) or %s.handle[0] == nil then %s end")
  return check:format(b, a, a, box, a, a, other), b .. ".handle[0]"
end

-- Whether the array for a list is used again: in a variable of the function, where a call in progress leaves nil.
local function has_spare(word)
  return word.kind == "handles" and not takes_any(word)
end

function prepare.handles(argument, a, where)
  if takes_any(argument) then -- the values made for the call live as long as the local that has them
    local made = ("local k_%s = values.all_of(%s, %q) local c_%s, n_%s = convert.handles(k_%s, 'value', %q)")
      :format(a, a, where, a, a, a, where)
    return made, ("cast(address, c_%s), k_%s and k_%s.n or 0"):format(a, a, a)
  end
  local adapted = ""
  if handles.adapters[argument.type] then
    adapted = ("%s = adapted(%s, adapters.%s) "):format(a, a, argument.type)
  end
  local made = "local k_%s = spare_%s spare_%s = nil local c_%s, n_%s c_%s, n_%s, k_%s = convert.handles(%s, %q, %q, k_%s)"
  made = adapted .. made:format(a, a, a, a, a, a, a, a, a, argument.type, where, a)
  return made, ("cast(address, c_%s), n_%s"):format(a, a) -- C's `const` at both levels is too strict for LuaJIT
end

function prepare.bytes(argument, a, where)
  local memory = argument.optional and "memory_if_any" or "memory"
  return ("local c_%s, n_%s = convert.%s(%s, %q)"):format(a, a, memory, a, where), ("c_%s, n_%s"):format(a, a)
end

function prepare.buffer(argument, a, where)
  local unit = argument.type == "void" and 1 or ffi.sizeof(convert.c_name(argument.type))
  return ("local c_%s, n_%s = convert.memory(%s, %q)"):format(a, a, a, where), ("c_%s, n_%s / %d"):format(a, a, unit)
end

function prepare.address(_, a)
  return ("if %s == none then %s = nil end"):format(a, a), a
end

function prepare.callback(argument, a, where)
  local check = "if type(%s) ~= 'function' then refuse(%q, 'a function', %s) end"
  if argument.type == "saved_tensors_destroy" then -- what a pack function returned has to be let go in any case
    return "", ("callbacks.entry(%q)"):format(argument.type)
  elseif argument.optional then
    check = "if %s ~= nil and type(%s) ~= 'function' then refuse(%q, 'a function', %s) end"
    return check:format(a, a, where, a), ("%s and callbacks.entry(%q) or nil"):format(a, argument.type)
  end
  return check:format(a, where, a), ("callbacks.entry(%q)"):format(argument.type)
end

-- The cell for a result, what to write in the call, and the expression that reads it. A plain cell is made once for the
-- function, since C fills it last and it is read at once; what Lua keeps is made for each call.
local collect = {}

function collect.value(result, r)
  local read = r .. "[0]"
  if result.type == "int64_t" or result.type == "uint64_t" or result.type == "size_t" then
    read = ("convert.from_integer(%s[0])"):format(r)
  elseif enums[result.type] then
    read = ("convert.from_enum(%s[0], %q)"):format(r, result.type)
  end
  return ("ctypes['%s[1]']()"):format(convert.c_name(result.type)), r, read
end

function collect.struct(result, r)
  return ("ctypes['ctorch_%s']()"):format(result.type), r, ("convert.from_element(%s, %q)"):format(r, result.type)
end

function collect.handle(result, r)
  if result.type == "tensor" then
    return "types.tensor()", r .. ".handle", ("own_tensor(%s)"):format(r)
  elseif result.type == "tensor_list" then
    return "ctypes['ctorch_tensor_list *[1]']()", r, ("convert.from_tensor_list(%s[0])"):format(r)
  elseif result.type == "string" then
    return "ctypes['ctorch_string *[1]']()", r, ("take_string(%s[0])"):format(r)
  end
  return ("types[%q]()"):format(result.type), r .. ".handle", ("own(%q, %s)"):format(result.type, r)
end

function collect.string(_, r)
  return "ctypes['const char *[1]']()", r, ("borrow_string(%s[0])"):format(r)
end

function collect.list(result, r)
  local c_type = convert.c_name(result.type)
  local cell = ("{ ctypes['const %s *[1]'](), ctypes['size_t[1]']() }"):format(c_type)
  return cell, ("%s[1], %s[2]"):format(r, r), ("borrow_list(%s[1][0], %s[2][0])"):format(r, r)
end

function collect.address(_, r)
  return "ctypes['void *[1]']()", ("cast(address, %s)"):format(r), r .. "[0]"
end

local function borrow_string(text)
  return text ~= nil and ffi.string(text) or nil
end

local function take_string(handle)
  if handle == nil then
    return nil
  end
  local text = ffi.string(C.ctorch_string_data(handle), C.ctorch_string_len(handle))
  C.ctorch_string_release(handle)
  return text
end

local function borrow_list(data, length)
  local found = {}
  for i = 1, tonumber(length) do
    found[i] = convert.from_integer(data[i - 1])
  end
  return found
end

-- A list in which functions became what they stand for.
local function adapted(list, adapter)
  if type(list) ~= "table" then
    return list
  end
  local found = { n = list.n or #list }
  for i = 1, found.n do
    found[i] = type(list[i]) == "function" and adapter(list[i]) or list[i]
  end
  return found
end

local environment = {
  C = C,
  adapted = adapted,
  adapters = handles.adapters,
  address = ffi.typeof("void *"),
  absent = { handle = { [0] = nil }, calls = 0 },
  begin_calls = handles.begin_calls,
  borrow_list = borrow_list,
  borrow_string = borrow_string,
  callbacks = callbacks,
  cast = ffi.cast,
  check_options = check_options,
  convert = convert,
  enums = enums,
  exhausted = errors.exhausted,
  given_twice = given_twice,
  is_options = is_options,
  istype = ffi.istype,
  end_call = handles.end_call,
  end_calls = handles.end_calls,
  ctypes = setmetatable({}, {
    __index = function(cache, c_type)
      local found = ffi.typeof(c_type)
      rawset(cache, c_type, found)
      return found
    end,
  }),
  none = handles.none,
  own = handles.own,
  own_tensor = handles.own_tensor,
  pointer = handles.pointer,
  raise = errors.raise,
  refuse = errors.refuse,
  take_string = take_string,
  type = type,
  types = handles.types,
  values = values,
}

-- Each compiled function has what it uses as locals: a look-up in a table costs more than the rest of a call.
local prelude = {}
for name in pairs(environment) do
  table.insert(prelude, name)
end
table.sort(prelude)
prelude = ("local environment = ...\nlocal %s = environment.%s\n"):format(
  table.concat(prelude, ", "), table.concat(prelude, ", environment."))

local function reads_options(positional, keywords, where)
  local lines, names = {}, {}
  local parameters = {}
  for i in ipairs(positional) do
    parameters[i] = "a" .. i
  end
  local tests = {}
  for i = #parameters, 1, -1 do
    local a = parameters[i]
    local given = a
    if positional[i].kind == "handle" and takes_any(positional[i]) then
      given = ("%s, names, %s"):format(a, positional[i].optional and "nil" or ("%q"):format(positional[i].name))
    end
    table.insert(tests, ("%s ~= nil then if type(%s) == 'table' and is_options(%s) then options, %s = %s, nil end")
      :format(a, a, given, a, a))
  end
  if #tests > 0 then
    table.insert(lines, ("if options == nil then if %s end end"):format(table.concat(tests, "\nelseif ")))
  end
  table.insert(lines, "if options ~= nil then")
  local check = "if type(options) ~= 'table' then refuse(%q, 'a table of arguments by name', options) end"
  table.insert(lines, check:format(where))
  local known = {}
  for i, argument in ipairs(positional) do
    local a, key = parameters[i], ("options[%q]"):format(argument.name)
    table.insert(lines, ("if %s ~= nil then if %s ~= nil then given_twice(%q) end %s = %s end")
      :format(key, a, where .. ": " .. argument.name, a, key))
    table.insert(known, ("[%q] = true"):format(argument.name))
  end
  for i, argument in ipairs(keywords) do
    table.insert(lines, ("a%d = options[%q]"):format(#positional + i, argument.name))
    table.insert(known, ("[%q] = true"):format(argument.name))
  end
  table.insert(lines, ("check_options(options, names, %q)"):format(where))
  table.insert(lines, "end")
  table.insert(parameters, "options")
  for i in ipairs(keywords) do
    names[i] = "a" .. #positional + i
  end
  return table.concat(parameters, ", "), names, table.concat(lines, "\n"), table.concat(known, ", ")
end

-- Lines before and after a call that uses the boxes of an argument.
local function uses(word, a, calls_back, before, after)
  if word.kind == "handle" then
    table.insert(before, ("b_%s.calls = b_%s.calls + 1"):format(a, a))
    table.insert(after, ("b_%s.calls = b_%s.calls - 1 if b_%s.late ~= nil then end_call.%s(b_%s) end")
      :format(a, a, a, word.type, a))
  elseif word.kind == "handles" then
    local list = takes_any(word) and "k_" .. a or a
    table.insert(before, ("local u_%s = begin_calls(%q, %s, %s)"):format(a, word.type, list, tostring(calls_back)))
    table.insert(after, ("if u_%s then end_calls(%q, u_%s) end"):format(a, word.type, a))
  end
end

-- The source of the function for `symbol`; `where` is what errors call it.
function call.source(symbol, signature, where)
  local parsed = call.parse(signature)
  local positional, keywords, variable = {}, {}, {}
  for _, argument in ipairs(parsed.arguments) do
    table.insert(argument.keyword_only and keywords or positional, argument)
  end
  for i, argument in ipairs(positional) do
    variable[argument] = "a" .. i
  end
  for i, argument in ipairs(keywords) do
    variable[argument] = "a" .. #positional + i
  end

  local shared, cells, conversions, written, kept, read, functions = {}, {}, {}, {}, {}, {}, {}
  local has_callback, lent, before, after = false, {}, {}, {}
  for i, word in ipairs(parsed.words) do
    if word.kind == "payload" then
      table.insert(written, "payload")
    elseif word.kind == "destroy" then
      table.insert(written, "payload and callbacks.destroy() or nil")
    elseif word.kind == "never" then
      table.insert(written, "false")
    elseif variable[word] then
      local a = variable[word]
      local lines, text = prepare[word.kind](word, a, ("%s: %s"):format(where, word.name), symbol)
      table.insert(conversions, lines)
      table.insert(written, text)
      table.insert(kept, a)
      if has_spare(word) then
        table.insert(shared, "local spare_" .. a)
        table.insert(after, ("spare_%s = k_%s"):format(a, a))
      end
      uses(word, a, parsed.payload or false, before, after)
      if word.kind == "address" then
        table.insert(lent, a)
      elseif word.kind == "callback" then
        has_callback = true
        table.insert(functions, ("%s = %s"):format(word.type, a))
      end
    else
      local r = "r" .. i
      local made, text, expression = collect[word.kind](word, r)
      table.insert(word.kind == "handle" and cells or shared, ("local %s = %s"):format(r, made))
      table.insert(written, text)
      table.insert(read, expression)
      table.insert(kept, r)
    end
  end
  if parsed.payload then
    -- Functions, or memory that C uses until it calls the function that destroys, under a number that C hands back as
    -- the payload.
    local content = has_callback and functions or lent
    local made = #content > 0 and ("callbacks.hold({ %s })"):format(table.concat(content, ", ")) or "nil"
    table.insert(conversions, "local payload = " .. made)
    parsed.payload = #content > 0
  end

  local parameters, keyword_names, options, known = reads_options(positional, keywords, where)
  local expression = ("C.%s(%s)"):format(symbol, table.concat(written, ", "))
  local lines = {
    prelude,
    ("local names = { %s }"):format(known),
    table.concat(shared, "\n"),
    ("return function(%s)"):format(parameters),
  }
  if #keyword_names > 0 then
    table.insert(lines, "local " .. table.concat(keyword_names, ", "))
  end
  table.insert(lines, options)
  for _, cell in ipairs(cells) do
    table.insert(lines, cell)
  end
  for _, conversion in ipairs(conversions) do
    table.insert(lines, conversion)
  end
  table.insert(lines, table.concat(before, " "))
  local let_go = parsed.payload and "callbacks.let_go(payload)" or ""
  if parsed.returned == "error" then
    table.insert(lines, "local failure = " .. expression)
    if not has_callback and #parsed.returns == 0 and symbol:find("^ctorch_aten_") and #parsed.results > 0 then
      table.insert(lines, ("if failure ~= nil and exhausted(failure) then failure = %s end"):format(expression))
    end
    table.insert(lines, table.concat(after, " "))
    table.insert(lines, ("if failure ~= nil then %s raise(failure, %s) end"):format(let_go, table.concat(kept, ", ")))
    lines[#lines] = lines[#lines]:gsub(", %)", ")")
    if parsed.payload and not parsed.destroy then
      table.insert(lines, let_go)
    end
    local returned = {}
    for _, name in ipairs(parsed.returns) do
      for argument, a in pairs(variable) do
        if argument.name == name then
          table.insert(returned, a)
        end
      end
    end
    table.insert(lines, "return " .. table.concat(#returned > 0 and returned or read, ", "))
  else
    local wrap = {
      nothing = "%s",
      string = "borrow_string(%s)",
      value = ("convert.from_element(%%s, %q)"):format(parsed.returned_type),
    }
    table.insert(lines, ("%s%s"):format(parsed.returned == "nothing" and "" or "local answer = ",
      (wrap[parsed.returned] or "%s"):format(expression)))
    table.insert(lines, table.concat(after, " "))
    if parsed.returned ~= "nothing" then
      table.insert(lines, "return " .. table.concat({ "answer", unpack(read) }, ", "))
    end
  end
  table.insert(lines, "end")
  return table.concat(lines, "\n")
end

-- The Lua function for a C function.
function call.compile(symbol, signature, where)
  local source = call.source(symbol, signature, where)
  local chunk, message = loadstring(source, "=" .. symbol)
  if not chunk then
    error(("%s: %s\n%s"):format(symbol, message, source))
  end
  return (signature:find("^error") and handles.may_fail or handles.calls_c)(chunk(environment))
end

return call
