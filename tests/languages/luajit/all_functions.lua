-- Every function of the API compiles to a Lua function, and C has it.
local ctorch = require("ctorch")
local call = require("ctorch.call")
local check = require("check")
local operators = require("ctorch.generated.operators")
local found = require("ctorch.operators")

check.that("every operator overload", function()
  local count = 0
  for name, entries in pairs(operators) do
    for _, entry in ipairs(entries) do
      assert(ctorch.C[entry[2]] ~= nil, entry[2])
      assert(type(ctorch.aten[name][entry[1]]) == "function", entry[2])
      count = count + 1
    end
  end
  assert(count > 3000, count)
end)

check.that("every function of a schema file", function()
  local count = 0
  for namespace, members in pairs(require("ctorch.generated.namespaces")) do
    for name, entries in pairs(members) do
      for _, entry in ipairs(entries) do
        assert(ctorch.C[entry[2]] ~= nil, entry[2])
        assert(type(found[namespace][name][entry[1]]) == "function", entry[2])
        count = count + 1
      end
    end
  end
  assert(count >= 3, count)
end)

check.that("every other function", function()
  local count = 0
  for name in pairs(ctorch.functions) do
    assert(ctorch.C["ctorch_" .. name] ~= nil, name)
    assert(type(ctorch.core[name]) == "function", name)
    count = count + 1
  end
  assert(count > 500, count)
end)

check.that("a call without arguments is answered, or refused as an error object", function()
  for name, entries in pairs(operators) do
    for _, entry in ipairs(entries) do
      local needs = false
      for _, word in ipairs(call.parse(entry[3]).arguments) do
        needs = needs or not word.optional and word.default == nil
      end
      if needs then
        check.fails("TYPE", "expected", ctorch.aten[name][entry[1]])
      end
    end
  end
end)

check.that("unknown names are nil", function()
  check.equal(ctorch.aten.no_such_operator, nil)
  check.equal(ctorch.aten.add.NoSuchOverload, nil)
  check.equal(ctorch.core.no_such_function, nil)
  check.equal(ctorch.no_such_operator, nil)
end)

check.done()
