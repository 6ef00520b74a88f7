// Lists, tuples and dicts.
#include <ATen/core/List.h>
#include <ATen/core/function_schema.h>

#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/value/coerce.hpp"
#include "core/value/value.hpp"
#include "core/value/value_dict.hpp"
#include "core/value/value_key.hpp"
#include "core/value/value_object.hpp"

using namespace ctorch;

namespace {

[[noreturn]] void fail_self_kind(const char *expected, const c10::IValue &value) {
  fail(
      CTORCH_ERROR_TYPE,
      std::string("self: expected ") + expected + ", found " + ctorch_value_kind_name(kind_of(value)));
}

c10::impl::GenericList list_in(const ctorch_value *self) {
  const c10::IValue &value = contents_of(from::value(self, "self"));
  if (!value.isList()) {
    fail_self_kind("list", value);
  }
  return value.toList();
}

c10::impl::GenericDict dict_in(const ctorch_value *self) {
  const c10::IValue &value = contents_of(from::value(self, "self"));
  if (!value.isGenericDict()) {
    fail_self_kind("dict", value);
  }
  return value.toGenericDict();
}

/// The entries of a list or tuple.
c10::ArrayRef<c10::IValue> entries_in(const ctorch_value *self) {
  const c10::IValue &value = contents_of(from::value(self, "self"));
  if (value.isList()) {
    return value.toListRef();
  }
  if (!value.isTuple()) {
    fail_self_kind("list or tuple", value);
  }
  return value.toTupleRef().elements().asArrayRef();
}

void check_index(size_t index, size_t len) {
  if (index >= len) {
    fail(CTORCH_ERROR_INDEX, "index " + std::to_string(index) + " of a value of length " + std::to_string(len));
  }
}

c10::IValue element(const c10::impl::GenericList &list, const ctorch_value *value) {
  c10::IValue element = from::value_or_none(value);
  coerce(element, list.elementType(), "value");
  return element;
}

[[noreturn]] void fail_key(const c10::IValue &key) {
  fail(CTORCH_ERROR_INDEX, "no key " + value_excerpt(value_of_key(key)));
}

c10::IValue found(const c10::impl::GenericDict &dict, const c10::IValue &key) {
  auto entry = find_key(dict, key);
  if (entry == dict.end()) {
    fail_key(key);
  }
  return entry->value();
}

void put(const c10::impl::GenericDict &dict, c10::IValue key, const ctorch_value *value) {
  c10::IValue entry = from::value_or_none(value);
  coerce(key, dict.keyType(), "key");
  key = key_in(dict, key, "key");
  coerce(entry, dict.valueType(), "value");
  auto known = find_key(dict, key);
  c10::IValue replaced = known == dict.end() ? c10::IValue() : known->value();
  insert_key(dict, std::move(key), std::move(entry));
  take_apart(std::move(replaced));
}

/// The type of a NamedTuple, which lives as long as the value; nullptr for what is none.
const c10::TupleType *named_tuple_in(const ctorch_value *self) {
  return self != nullptr && self->ivalue.isTuple() ? named_tuple_type(self->ivalue).get() : nullptr;
}

}  // namespace

ctorch_error *ctorch_value_from_dict(
    ctorch_value **out,
    const ctorch_value *const *keys,
    size_t keys_len,
    const ctorch_value *const *values,
    size_t values_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    from::check_list(keys, keys_len, "keys");
    from::check_list(values, values_len, "values");
    if (keys_len != values_len) {
      fail_argument("values", std::to_string(values_len) + " values for " + std::to_string(keys_len) + " keys");
    }
    c10::impl::GenericDict dict(c10::AnyType::get(), c10::AnyType::get());
    dict.reserve(keys_len);
    for (size_t i = 0; i < keys_len; i++) {
      std::string name = "keys[" + std::to_string(i) + "]";
      insert_key(dict, key_of(from::value(keys[i], name.c_str()), name.c_str()), from::value_or_none(values[i]));
    }
    to::give_value(dict, out);
  });
}

ctorch_error *ctorch_value_to_tensors(ctorch_tensor_list **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::ArrayRef<c10::IValue> entries = entries_in(self);
    std::vector<at::Tensor> tensors;
    tensors.reserve(entries.size());
    for (const c10::IValue &entry : entries) {
      if (!entry.isTensor() && !entry.isNone()) {
        fail(
            CTORCH_ERROR_TYPE, "self[" + std::to_string(tensors.size()) + "]: expected Tensor, found " +
                                   ctorch_value_kind_name(kind_of(entry)));
      }
      tensors.push_back(entry.isNone() ? at::Tensor() : entry.toTensor());
    }
    to::give(std::move(tensors), out);
  });
}

size_t ctorch_value_len(const ctorch_value *self) {
  if (self == nullptr) {
    return 0;
  }
  if (const ValueObject *object = object_in(self->ivalue)) {
    if (const auto *bytes = dynamic_cast<const Bytes *>(object)) {
      return bytes->data.size();
    }
    if (const auto *set = dynamic_cast<const Set *>(object)) {
      return set->entries.size();
    }
  }
  const c10::IValue &value = contents_of(self->ivalue);
  if (const auto *set = object_as<Set>(value)) {
    return set->entries.size();
  }
  return value.isList()          ? value.toListRef().size()
         : value.isTuple()       ? value.toTupleRef().elements().size()
         : value.isGenericDict() ? value.toGenericDict().size()
         : value.isString()      ? value.toStringRef().size()
                                 : 0;
}

ctorch_error *ctorch_value_get(ctorch_value **out, const ctorch_value *self, size_t index) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::ArrayRef<c10::IValue> entries = entries_in(self);
    check_index(index, entries.size());
    to::give_value(entries[index], out);
  });
}

const char *ctorch_value_tuple_name(const ctorch_value *self) {
  auto type = named_tuple_in(self);
  return type == nullptr ? nullptr : type->name() ? type->name()->name().c_str() : "";
}

const char *ctorch_value_field_name(const ctorch_value *self, size_t index) {
  auto type = named_tuple_in(self);
  return type != nullptr && index < type->schema()->arguments().size()
             ? type->schema()->arguments()[index].name().c_str()
             : nullptr;
}

ctorch_error *ctorch_value_field(ctorch_value **out, const ctorch_value *self, const char *name) {
  return guard(__func__, [&] {
    to::require(out, "out");
    std::string_view wanted = from::string(name, "name");
    const c10::IValue &value = from::value(self, "self");
    auto type = named_tuple_in(self);
    if (type == nullptr) {
      fail_kind("a NamedTuple", value);
    }
    for (size_t i = 0; i < type->schema()->arguments().size(); i++) {
      if (type->schema()->arguments()[i].name() == wanted) {
        to::give_value(value.toTupleRef().elements()[i], out);
        return;
      }
    }
    fail(CTORCH_ERROR_INDEX, "the NamedTuple has no field '" + std::string(wanted) + "'");
  });
}

ctorch_error *ctorch_value_list_set(ctorch_value *self, size_t index, const ctorch_value *value) {
  return guard(__func__, [&] {
    c10::impl::GenericList list = list_in(self);
    check_index(index, list.size());
    c10::IValue replaced = element(list, value);
    list.set(index, std::exchange(replaced, list.get(index)));
    take_apart(std::move(replaced));
  });
}

ctorch_error *ctorch_value_list_append(ctorch_value *self, const ctorch_value *value) {
  return guard(__func__, [&] {
    c10::impl::GenericList list = list_in(self);
    list.push_back(element(list, value));
  });
}

ctorch_error *ctorch_value_list_insert(ctorch_value *self, size_t index, const ctorch_value *value) {
  return guard(__func__, [&] {
    c10::impl::GenericList list = list_in(self);
    if (index != list.size()) {
      check_index(index, list.size());
    }
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(index), element(list, value));
  });
}

ctorch_error *ctorch_value_list_remove(ctorch_value *self, size_t index) {
  return guard(__func__, [&] {
    c10::impl::GenericList list = list_in(self);
    check_index(index, list.size());
    c10::IValue removed = list.get(index);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
    take_apart(std::move(removed));
  });
}

ctorch_error *ctorch_value_clear(ctorch_value *self) {
  return guard(__func__, [&] {
    const c10::IValue &value = contents_of(from::value(self, "self"));
    if (auto *set = object_as<Set>(value)) {
      set->entries.clear();
    } else if (value.isGenericDict()) {
      c10::IValue removed = value.toGenericDict().copy();
      value.toGenericDict().clear();
      take_apart(std::move(removed));
    } else if (value.isList()) {
      c10::IValue removed = value.toList().copy();
      value.toList().clear();
      take_apart(std::move(removed));
    } else {
      fail_self_kind("list, dict or set", value);
    }
  });
}

ctorch_error *ctorch_value_dict_get(ctorch_value **out, const ctorch_value *self, const ctorch_value *key) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::impl::GenericDict dict = dict_in(self);
    to::give_value(found(dict, key_of(from::value(key, "key"), "key")), out);
  });
}

ctorch_error *ctorch_value_dict_contains(bool *out, const ctorch_value *self, const ctorch_value *key) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::impl::GenericDict dict = dict_in(self);
    *out = find_key(dict, key_of(from::value(key, "key"), "key")) != dict.end();
  });
}

ctorch_error *ctorch_value_dict_set(ctorch_value *self, const ctorch_value *key, const ctorch_value *value) {
  return guard(__func__, [&] {
    c10::impl::GenericDict dict = dict_in(self);
    put(dict, from::value(key, "key"), value);
  });
}

ctorch_error *ctorch_value_dict_remove(ctorch_value *self, const ctorch_value *key) {
  return guard(__func__, [&] {
    c10::impl::GenericDict dict = dict_in(self);
    c10::IValue wanted = key_of(from::value(key, "key"), "key");
    c10::IValue removed = found(dict, wanted);
    erase_key(dict, wanted);
    take_apart(std::move(removed));
  });
}

ctorch_error *ctorch_value_dict_at(ctorch_value **out, const ctorch_value *self, const char *key) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::impl::GenericDict dict = dict_in(self);
    to::give_value(found(dict, std::string(from::string(key, "key"))), out);
  });
}

ctorch_error *ctorch_value_dict_put(ctorch_value *self, const char *key, const ctorch_value *value) {
  return guard(__func__, [&] {
    c10::impl::GenericDict dict = dict_in(self);
    put(dict, std::string(from::string(key, "key")), value);
  });
}

ctorch_error *ctorch_value_dict_keys(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::impl::GenericDict dict = dict_in(self);
    c10::impl::GenericList keys(dict.keyType());
    keys.reserve(dict.size());
    for (const auto &entry : dict) {
      keys.push_back(value_of_key(entry.key()));
    }
    to::give_value(keys, out);
  });
}

ctorch_error *ctorch_value_dict_values(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::impl::GenericDict dict = dict_in(self);
    c10::impl::GenericList values(dict.valueType());
    values.reserve(dict.size());
    for (const auto &entry : dict) {
      values.push_back(entry.value());
    }
    to::give_value(values, out);
  });
}
