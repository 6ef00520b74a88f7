// What files of Python's need of values: c/python.h.
#include "core/c/python.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

#include <unordered_set>

#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/value/value.hpp"
#include "core/value/value_object.hpp"

using namespace ctorch;

namespace {

/// Take out what a container holds, and free it without recursion.
void empty(const c10::IValue &value) {
  std::vector<c10::IValue> held;
  {
    Entries entries(value);
    held.reserve(entries.size());
    while (const c10::IValue *entry = entries.next()) {
      held.push_back(*entry);
    }
  }
  if (value.isList()) {
    value.toList().clear();
  } else if (value.isGenericDict()) {
    value.toGenericDict().clear();
  } else if (auto *set = object_as<Set>(value)) {
    set->entries.clear();
  } else if (auto *object = object_as<PythonObject>(value)) {
    object->args = object->items = object->state = c10::IValue();
  }
  for (c10::IValue &entry : held) {
    take_apart(std::move(entry));
  }
}

/// The containers that are reached; also as values, if `out` is not null.
std::unordered_set<const void *> reached_from(const c10::IValue &root, std::vector<c10::IValue> *out = nullptr) {
  std::unordered_set<const void *> reached;
  std::vector<c10::IValue> todo = {root};
  while (!todo.empty()) {
    const c10::IValue value = std::move(todo.back());
    todo.pop_back();
    if ((is_container(value) || value.isCapsule()) && reached.insert(value.internalToPointer()).second) {
      Entries entries(value);
      while (const c10::IValue *entry = entries.next()) {
        todo.push_back(*entry);
      }
      if (out != nullptr) {
        out->push_back(value);
      }
    }
  }
  return reached;
}

}  // namespace

ctorch_value *value_ref(const ctorch_value *self) {
  auto *value = const_cast<ctorch_value *>(self);
  if (value != nullptr) {
    c10::raw::intrusive_ptr::incref(static_cast<Object *>(value));
  }
  return value;
}

ctorch_error *python_set_items(const char *function, ctorch_value *self, const ctorch_value *items) {
  return guard(function, [&] {
    auto *object = object_as<PythonObject>(from::value(self, "self"));
    if (object == nullptr) {
      fail(CTORCH_ERROR_TYPE, "self: expected PythonObject");
    }
    take_apart(std::exchange(object->items, from::value_or_none(items)));
  });
}

void value_collect(ctorch_value *const *values, size_t len, const ctorch_value *root) {
  try {
    std::unordered_set<const void *> reached;
    if (root != nullptr) {
      reached = reached_from(root->ivalue);
    }
    for (size_t i = 0; i < len; i++) {
      const c10::IValue &value = values[i]->ivalue;
      if (reached.find(value.internalToPointer()) == reached.end()) {
        empty(value);
      }
    }
  } catch (...) {  // out of memory: what holds itself stays
  }
}

void value_dismantle(ctorch_value *self) {
  if (self == nullptr) {
    return;
  }
  try {
    std::vector<c10::IValue> containers;
    reached_from(self->ivalue, &containers);
    for (const c10::IValue &container : containers) {
      empty(container);
    }
  } catch (...) {  // out of memory: what holds itself stays
  }
  value_unref(self);
}
