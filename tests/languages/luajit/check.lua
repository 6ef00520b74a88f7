-- Checks that print `ok NAME` or `not ok NAME: why`, one a line.
local ctorch = require("ctorch")

local check = {}

local function show(value)
  if type(value) == "table" and getmetatable(value) == nil then
    local parts = {}
    for i = 1, #value do
      parts[i] = show(value[i])
    end
    return "{" .. table.concat(parts, ", ") .. "}"
  end
  return type(value) == "string" and ("%q"):format(value) or tostring(value)
end

check.show = show

function check.equal(got, expected)
  local a, b = show(got), show(expected)
  if a ~= b then
    error(("got %s, expected %s"):format(a, b), 2)
  end
end

-- The error that `func(...)` raises.
function check.raises(func, ...)
  local ok, failure = pcall(func, ...)
  if ok then
    error("nothing was raised", 2)
  end
  return failure
end

-- ctorch's error of this kind, with this text in its message.
function check.fails(kind, text, func, ...)
  local failure = check.raises(func, ...)
  if not ctorch.is_error(failure) then
    error(("raised %s"):format(show(failure)), 2)
  end
  if failure.name ~= kind or not failure.message:find(text, 1, true) then
    error(("raised %s, expected %s with %q"):format(show(failure), kind, text), 2)
  end
  return failure
end

function check.that(name, body)
  local ok, failure = pcall(body)
  print(ok and "ok " .. name or ("not ok %s: %s"):format(name, tostring(failure)))
end

-- Overwrite what lies where the frames of the next calls will be: to the collector it is in use.
local function clear_stack(depth)
  local a, b, c, d, e, f, g, h
  if depth > 0 then
    clear_stack(depth - 1)
  end
  return a, b, c, d, e, f, g, h
end

function check.done()
  clear_stack(100)
  print("live " .. tostring(ctorch.live_handles()))
end

return check
