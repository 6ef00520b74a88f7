-- The operators by name: `aten.add(a, b)`, `aten.add.Tensor(a, b, { alpha = 2 })`; and likewise what schema files
-- offer: `nn.Conv2d(1, 32, 3, { padding = 1 })`.
--
-- `aten.<name>` can be called and looks for the first overload that the arguments fit, those with few arguments first;
-- `aten.<name>.<overload>` is one of them, as an ordinary function, and saves the search. The overload without a name
-- is `default`. Each is compiled when first used.
local call = require("ctorch.call")
local enums = require("ctorch.generated.enums")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local namespaces = require("ctorch.generated.namespaces")
local signatures = require("ctorch.generated.operators")

local ffi = require("ffi")
local none = handles.none

-- Whether a value may stand for an argument.
local fits = {}

local function is_integer(value)
  if type(value) == "number" then
    return value % 1 == 0
  end
  return type(value) == "cdata" and (ffi.istype("int64_t", value) or ffi.istype("uint64_t", value))
end

local function is_number(value)
  return type(value) == "number" or is_integer(value)
end

local function is_scalar(value)
  return is_number(value) or type(value) == "boolean"
    or type(value) == "cdata" and (ffi.istype("ctorch_scalar", value) or ffi.istype("complex", value))
end

local function is_a(value, c_type)
  if c_type == "bool" then
    return type(value) == "boolean"
  elseif c_type == "double" then
    return is_number(value)
  elseif c_type == "scalar" then
    return is_scalar(value)
  elseif c_type == "device" then
    return type(value) == "string" and enums.device_type[value:match("^%l+") or ""] ~= nil
      or type(value) == "cdata" and ffi.istype("ctorch_device", value)
  elseif c_type == "stream" then
    return type(value) == "cdata" and ffi.istype("ctorch_stream", value)
  elseif enums[c_type] then
    return type(value) == "string" and enums[c_type][value] ~= nil
  end
  return is_integer(value)
end

function fits.value(word, value)
  return is_a(value, word.type)
end

fits.pointer = fits.value

function fits.list(word, value)
  if type(value) ~= "table" then
    return word.fixed > 0 and is_a(value, word.type)
  end
  return value[1] == nil or is_a(value[1], word.type)
end

function fits.string(_, value)
  return type(value) == "string"
end

function fits.handle(word, value)
  return type(value) == "cdata" and ffi.istype(handles.types[word.type], value)
end

function fits.handles(word, value)
  return type(value) == "table" and (value[1] == nil or rawequal(value[1], none) or fits.handle(word, value[1]))
end

-- Whether an overload can take these positional arguments and options.
local function accepts(overload, options, count, args)
  if count > #overload.positional then
    return false
  end
  for i, word in ipairs(overload.arguments) do
    local value
    if not word.keyword_only then
      value = args[i]
    end
    if value == nil and options then
      value = options[word.name]
    end
    if value == nil then
      if word.must_be_said or not word.optional and word.default == nil then
        return false
      end
    elseif rawequal(value, none) then
      if not word.optional then
        return false
      end
    elseif not fits[word.kind](word, value) then
      return false
    end
  end
  for name in pairs(options or {}) do
    if not overload.names[name] then
      return false
    end
  end
  return true
end

local function describe(value)
  if handles.is_tensor(value) then
    return "Tensor"
  end
  return type(value)
end

local Operator = {}

local function refuse(operator, args, count, options)
  local given, known = {}, {}
  for i = 1, count do
    given[i] = describe(args[i])
  end
  for name, value in pairs(options or {}) do
    table.insert(given, ("%s = %s"):format(tostring(name), describe(value)))
  end
  for _, overload in ipairs(operator.overloads) do
    local names = {}
    for _, word in ipairs(overload.arguments) do
      table.insert(names, word.name)
    end
    table.insert(known, ("%s(%s)"):format(overload.name, table.concat(names, ", ")))
  end
  local text = "no overload of %s takes (%s); there are %s"
  error(errors.new("TYPE", text:format(operator.name, table.concat(given, ", "), table.concat(known, ", "))), 0)
end

local function overload_of(operator, name)
  for _, entry in ipairs(rawget(operator, "entries")) do
    if entry[1] == name then
      local where = name == "default" and operator.name or operator.name .. "." .. name
      return call.compile(entry[2], entry[3], where)
    end
  end
end

local function parse_overloads(operator)
  local found = {}
  for i, entry in ipairs(operator.entries) do
    local overload = call.parse(entry[3])
    overload.name, overload.positional, overload.names = entry[1], {}, {}
    for _, word in ipairs(overload.arguments) do
      overload.names[word.name] = true
      if not word.keyword_only then
        table.insert(overload.positional, word)
      end
    end
    found[i] = overload
  end
  return found
end

function Operator:__index(name)
  local found
  if name == "overloads" then
    found = parse_overloads(self)
  else
    found = overload_of(self, name)
    if not found then
      return nil
    end
  end
  rawset(self, name, found)
  return found
end

function Operator:__call(...)
  if #self.entries == 1 then
    return self[self.entries[1][1]](...)
  end
  local count = select("#", ...)
  local args, options = { ... }, nil
  while count > 0 and args[count] == nil do
    count = count - 1
  end
  if count > 0 and type(args[count]) == "table" and call.is_options(args[count]) then
    options = args[count]
    args[count] = nil
    count = count - 1
  end
  for _, overload in ipairs(self.overloads) do
    if accepts(overload, options, count, args) then
      return self[overload.name](...)
    end
  end
  refuse(self, args, count, options)
end

function Operator:__tostring()
  return ("ctorch.%s.%s"):format(self.namespace, self.name)
end

-- A table whose members are made when first asked for.
local function lazily(namespace, members)
  return setmetatable({}, {
    __index = function(operators, name)
      local entries = members[name]
      if not entries then
        return nil
      end
      local found = setmetatable({ namespace = namespace, name = name, entries = entries }, Operator)
      rawset(operators, name, found)
      return found
    end,
  })
end

local found = { aten = lazily("aten", signatures) }
for namespace, members in pairs(namespaces) do
  found[namespace] = lazily(namespace, members)
end
return found
