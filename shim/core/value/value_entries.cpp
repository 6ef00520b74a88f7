// The values inside values: walking through them, and freeing them.
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

#include <algorithm>

#include "core/value/value.hpp"
#include "core/value/value_key.hpp"
#include "core/value/value_object.hpp"

namespace ctorch {

Entries::Entries(const c10::IValue &value) : value_(value) {
  if (value_.isList()) {
    borrowed_ = value_.toListRef();
    return;
  }
  if (value_.isTuple()) {
    borrowed_ = value_.toTupleRef().elements().asArrayRef();
    return;
  }
  is_own_ = true;
  if (value_.isGenericDict()) {
    c10::impl::GenericDict dict = value_.toGenericDict();
    own_.reserve(dict.size() * 2);
    for (const auto &entry : dict) {
      own_.push_back(value_of_key(entry.key()));
      own_.push_back(entry.value());
    }
  } else if (const auto *set = object_as<Set>(value_)) {
    own_.reserve(set->entries.size());
    for (const auto &entry : set->entries) {
      own_.push_back(value_of_key(entry.key()));
    }
  } else if (const auto *object = object_as<PythonObject>(value_)) {
    own_ = {object->args, object->items, object->state};
  }
}

void take_apart(c10::IValue &&value) noexcept {
  if (!is_container(value) && !value.isCapsule()) {
    return;
  }
  std::vector<c10::IValue> pending;
  auto take = [&](const c10::IValue &entry) {
    if (is_container(entry) || entry.isCapsule()) {
      pending.push_back(std::move(const_cast<c10::IValue &>(entry)));
    }
  };
  try {
    take(value);
    while (!pending.empty()) {
      c10::IValue container = std::move(pending.back());
      pending.pop_back();
      if (container.use_count() > 1) {
        continue;  // the last owner will do it
      }
      if (container.isList()) {
        std::for_each(container.toListRef().begin(), container.toListRef().end(), take);
      } else if (container.isTuple()) {
        const auto &elements = container.toTupleRef().elements();
        std::for_each(elements.begin(), elements.end(), take);
      } else if (container.isGenericDict()) {
        for (const auto &entry : container.toGenericDict()) {
          take(entry.value());
        }
      } else if (auto *object = object_as<PythonObject>(container)) {
        take(object->args);
        take(object->items);
        take(object->state);
      }
    }
  } catch (...) {  // out of memory: LibTorch frees the rest, by recursion
  }
}

}  // namespace ctorch
