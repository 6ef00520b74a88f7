// Values that LibTorch has no kind of its own for: making and reading them.
#include "core/value/value_object.hpp"

#include "core/abi/excerpt.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"
#include "core/value/coerce.hpp"
#include "core/value/parameter.hpp"
#include "core/value/value.hpp"
#include "core/value/value_dict.hpp"
#include "core/value/value_key.hpp"

using namespace ctorch;

namespace {

template <class T>
T &object_of(const ctorch_value *self, const char *expected) {
  const c10::IValue &value = from::value(self, "self");
  T *object = object_as<T>(value);
  if (object == nullptr) {
    fail_kind(expected, value);
  }
  return *object;
}

c10::IValue enumerator(ctorch_value_kind kind, int32_t number) { return make_object<Enumerator>(kind, number); }

/// The number of a value of this kind, or of an int, which LibTorch has in place of it.
template <class Check>
void read_enumerator(int32_t *out, const ctorch_value *self, ctorch_value_kind kind, Check &&check) {
  to::require(out, "out");
  const c10::IValue &value = from::value(self, "self");
  const auto *object = object_as<Enumerator>(value);
  if (object != nullptr && object->kind == kind) {
    *out = object->number;
    return;
  }
  if (!value.isInt()) {
    fail_kind(ctorch_value_kind_name(kind), value);
  }
  int64_t number = value.toInt();
  check(number < INT32_MIN || number > INT32_MAX ? -1 : static_cast<int32_t>(number));
  *out = static_cast<int32_t>(number);
}

/// "collections" and "OrderedDict", "torch._utils" and "_rebuild_tensor_v2": names with dots between.
std::string dotted_name(const char *text, const char *argument) {
  std::string_view name = from::string(text, argument);
  if (name.empty() || name.front() == '.' || name.back() == '.' || name.find("..") != name.npos ||
      name.find_first_of(" \n\t\r") != name.npos) {
    fail_argument(argument, string_repr(excerpt(name)) + " is no name");
  }
  return std::string(name);
}

bool holds_attributes(const c10::IValue &state) { return state.isNone() || state.isGenericDict(); }

bool holds_parameter(const c10::IValue &value) {
  return value.isTensor() && value.toTensor().defined() && is_parameter(*value.toTensor().unsafeGetTensorImpl());
}

void give_or_null(const c10::IValue &value, ctorch_value **out) {
  if (value.isNone()) {
    *out = nullptr;
  } else {
    to::give_value(value, out);
  }
}

}  // namespace

ctorch_error *ctorch_value_from_bytes(ctorch_value **out, const char *data, size_t data_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    from::check_list(data, data_len, "data");
    to::give_value(make_object<Bytes>(data_len == 0 ? std::string() : std::string(data, data_len)), out);
  });
}

ctorch_error *ctorch_value_read_bytes(const ctorch_value *self, void *data, size_t data_nbytes) {
  return guard(__func__, [&] {
    const std::string &bytes = object_of<Bytes>(self, "bytes").data;
    if (data_nbytes != bytes.size()) {
      fail_argument("data_nbytes", "expected " + std::to_string(bytes.size()) + ", got " + std::to_string(data_nbytes));
    }
    if (data == nullptr && data_nbytes != 0) {
      fail_null("data");
    }
    bytes.copy(static_cast<char *>(data), data_nbytes);
  });
}

ctorch_error *ctorch_value_from_int_bytes(ctorch_value **out, const char *data, size_t data_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    from::check_list(data, data_len, "data");
    to::give_value(integer_value(Integer::from_bytes(std::string_view(data, data_len))), out);
  });
}

ctorch_error *ctorch_value_to_int_bytes(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const c10::IValue &value = from::value(self, "self");
    if (kind_of(value) != CTORCH_VALUE_INT) {
      fail_kind("int", value);
    }
    to::give_value(make_object<Bytes>(integer_in(value).bytes()), out);
  });
}

ctorch_error *ctorch_value_from_decimal(ctorch_value **out, const char *text) {
  return guard(__func__, [&] {
    to::require(out, "out");
    std::string_view digits = from::string(text, "text");
    auto number = Integer::from_decimal(digits);
    if (!number) {
      fail(
          CTORCH_ERROR_VALUE,
          "text: " + (digits.size() > Integer::MAX_DIGITS
                          ? std::to_string(digits.size()) + " characters are no number of at most " +
                                std::to_string(Integer::MAX_DIGITS) + " digits"
                          : string_repr(excerpt(digits)) + " is no whole number"));
    }
    to::give_value(integer_value(std::move(*number)), out);
  });
}

ctorch_error *ctorch_value_to_decimal(ctorch_string **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const c10::IValue &value = from::value(self, "self");
    if (kind_of(value) != CTORCH_VALUE_INT) {
      fail_kind("int", value);
    }
    std::string text = integer_in(value).text();
    if (text.find('x') != text.npos) {
      fail(CTORCH_ERROR_VALUE, "the int has more than " + std::to_string(Integer::MAX_DIGITS) + " digits");
    }
    to::give(std::move(text), out);
  });
}

ctorch_error *ctorch_value_from_dtype(ctorch_value **out, ctorch_dtype dtype) {
  return guard(__func__, [&] {
    to::require(out, "out");
    from::dtype(dtype, "dtype");
    to::give_value(enumerator(CTORCH_VALUE_DTYPE, dtype), out);
  });
}

ctorch_error *ctorch_value_from_layout(ctorch_value **out, ctorch_layout layout) {
  return guard(__func__, [&] {
    to::require(out, "out");
    from::layout(layout, "layout");
    to::give_value(enumerator(CTORCH_VALUE_LAYOUT, layout), out);
  });
}

ctorch_error *ctorch_value_from_memory_format(ctorch_value **out, ctorch_memory_format memory_format) {
  return guard(__func__, [&] {
    to::require(out, "out");
    from::memory_format(memory_format, "memory_format");
    to::give_value(enumerator(CTORCH_VALUE_MEMORY_FORMAT, memory_format), out);
  });
}

ctorch_error *ctorch_value_to_dtype(ctorch_dtype *out, const ctorch_value *self) {
  return guard(__func__, [&] {
    read_enumerator(out, self, CTORCH_VALUE_DTYPE, [](int32_t number) { from::dtype(number, "self"); });
  });
}

ctorch_error *ctorch_value_to_layout(ctorch_layout *out, const ctorch_value *self) {
  return guard(__func__, [&] {
    read_enumerator(out, self, CTORCH_VALUE_LAYOUT, [](int32_t number) { from::layout(number, "self"); });
  });
}

ctorch_error *ctorch_value_to_memory_format(ctorch_memory_format *out, const ctorch_value *self) {
  return guard(__func__, [&] {
    read_enumerator(out, self, CTORCH_VALUE_MEMORY_FORMAT, [](int32_t number) { from::memory_format(number, "self"); });
  });
}

// Objects of the layers above ----------------------------------------------------------------------------------------

ctorch_error *value_hold(const char *function, ctorch_value **out, const value_held_class *type, const void *self) {
  return guard(function, [&] {
    to::require(out, "out");
    to::give_value(make_object<BoxedObject>(*type, self), out);
  });
}

void *value_held(const ctorch_value *value, const value_held_class *type) {
  const auto *held = value == nullptr ? nullptr : object_as<BoxedObject>(value->ivalue);
  return held != nullptr && &held->type == type ? held->object : nullptr;
}

ctorch_value *value_take(ctorch_value *self) {
  if (self != nullptr) {
    (void)take_back({static_cast<Object *>(self), Kind::Object});
  }
  return self;
}

ctorch_error *value_give(const char *function, ctorch_value **out, ctorch_value *self) {
  return guard(function, [&] {
    if (self != nullptr) {
      record_released({{static_cast<Object *>(self), Kind::Object}});
    }
    *out = self;
  });
}

void value_unref(ctorch_value *self) {
  if (self != nullptr) {
    c10::raw::intrusive_ptr::decref(static_cast<Object *>(self));
  }
}

const void *value_identity(const ctorch_value *self) {
  switch (self == nullptr ? CTORCH_VALUE_NONE : kind_of(self->ivalue)) {
    case CTORCH_VALUE_TENSOR:
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_TUPLE:
    case CTORCH_VALUE_DICT:
    case CTORCH_VALUE_GENERATOR:
    case CTORCH_VALUE_BYTES:
    case CTORCH_VALUE_SET:
      return self->ivalue.internalToPointer();
    case CTORCH_VALUE_PYTHON_OBJECT:
      return object_as<PythonObject>(self->ivalue)->args.isNone() ? nullptr : self->ivalue.internalToPointer();
    default:
      return nullptr;
  }
}

// Sets ----------------------------------------------------------------------------------------------------------------

ctorch_error *ctorch_value_from_set(ctorch_value **out, const ctorch_value *const *values, size_t values_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    std::vector<c10::IValue> entries = from::values(values, values_len, "values");
    auto set = c10::make_intrusive<Set>();
    set->entries.reserve(entries.size());
    for (size_t i = 0; i < entries.size(); i++) {
      insert_key(set->entries, key_of(entries[i], ("values[" + std::to_string(i) + "]").c_str()), {});
    }
    to::give_value(c10::IValue::make_capsule(std::move(set)), out);
  });
}

ctorch_error *ctorch_value_set_values(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    Set &set = object_of<Set>(self, "set");
    c10::impl::GenericList values(c10::AnyType::get());
    values.reserve(set.entries.size());
    for (const auto &entry : set.entries) {
      values.push_back(value_of_key(entry.key()));
    }
    to::give_value(values, out);
  });
}

ctorch_error *ctorch_value_set_contains(bool *out, const ctorch_value *self, const ctorch_value *value) {
  return guard(__func__, [&] {
    to::require(out, "out");
    Set &set = object_of<Set>(self, "set");
    *out = find_key(set.entries, key_of(from::value_or_none(value), "value")) != set.entries.end();
  });
}

ctorch_error *ctorch_value_set_add(ctorch_value *self, const ctorch_value *value) {
  return guard(__func__, [&] {
    Set &set = object_of<Set>(self, "set");
    insert_key(set.entries, key_of(from::value_or_none(value), "value"), {});
  });
}

ctorch_error *ctorch_value_set_remove(ctorch_value *self, const ctorch_value *value) {
  return guard(__func__, [&] {
    Set &set = object_of<Set>(self, "set");
    c10::IValue wanted = from::value_or_none(value);
    if (!erase_key(set.entries, key_of(wanted, "value"))) {
      fail(CTORCH_ERROR_INDEX, "no entry " + value_excerpt(wanted));
    }
  });
}

// Objects of Python's classes -----------------------------------------------------------------------------------------

ctorch_error *ctorch_value_from_python_object(
    ctorch_value **out,
    const char *module,
    const char *name,
    const ctorch_value *args,
    const ctorch_value *items,
    const ctorch_value *state) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto object = c10::make_intrusive<PythonObject>(dotted_name(module, "module"), dotted_name(name, "name"));
    object->args = from::value_or_none(args);
    object->items = from::value_or_none(items);
    object->state = from::value_or_none(state);
    if (!object->args.isNone() && !object->args.isTuple()) {
      fail(
          CTORCH_ERROR_TYPE,
          std::string("args: expected tuple, found ") + ctorch_value_kind_name(kind_of(object->args)));
    }
    if (object->args.isNone() && !(object->items.isNone() && object->state.isNone())) {
      fail(CTORCH_ERROR_VALUE, "args: a class or function itself has neither items nor state");
    }
    if (!object->items.isNone() && !object->items.isList() && !object->items.isGenericDict() &&
        object_as<Set>(object->items) == nullptr) {
      fail(
          CTORCH_ERROR_TYPE,
          std::string("items: expected list, dict or set, found ") + ctorch_value_kind_name(kind_of(object->items)));
    }
    to::give_value(c10::IValue::make_capsule(std::move(object)), out);
  });
}

const char *ctorch_value_python_module(const ctorch_value *self) {
  if (!is_there(self)) {
    return nullptr;
  }
  const auto *object = object_as<PythonObject>(self->ivalue);
  return object != nullptr ? object->module.c_str() : holds_parameter(self->ivalue) ? PARAMETER_MODULE : nullptr;
}

const char *ctorch_value_python_name(const ctorch_value *self) {
  if (!is_there(self)) {
    return nullptr;
  }
  const auto *object = object_as<PythonObject>(self->ivalue);
  return object != nullptr ? object->name.c_str() : holds_parameter(self->ivalue) ? PARAMETER_NAME : nullptr;
}

ctorch_error *ctorch_value_python_args(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    give_or_null(object_of<PythonObject>(self, "PythonObject").args, out);
  });
}

ctorch_error *ctorch_value_python_items(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    give_or_null(object_of<PythonObject>(self, "PythonObject").items, out);
  });
}

ctorch_error *ctorch_value_python_state(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    give_or_null(object_of<PythonObject>(self, "PythonObject").state, out);
  });
}

ctorch_error *ctorch_value_set_python_state(ctorch_value *self, const ctorch_value *state) {
  return guard(__func__, [&] {
    PythonObject &object = object_of<PythonObject>(self, "PythonObject");
    if (object.args.isNone()) {
      fail(CTORCH_ERROR_VALUE, "a class or function itself has no state");
    }
    take_apart(std::exchange(object.state, from::value_or_none(state)));
  });
}

ctorch_error *ctorch_value_attribute(ctorch_value **out, const ctorch_value *self, const char *name) {
  return guard(__func__, [&] {
    to::require(out, "out");
    PythonObject &object = object_of<PythonObject>(self, "PythonObject");
    c10::IValue key = std::string(from::string(name, "name"));
    if (object.state.isGenericDict()) {
      c10::impl::GenericDict attributes = object.state.toGenericDict();
      auto entry = find_key(attributes, key);
      if (entry != attributes.end()) {
        to::give_value(entry->value(), out);
        return;
      }
    }
    fail(CTORCH_ERROR_INDEX, "no attribute " + value_excerpt(key));
  });
}

ctorch_error *ctorch_value_set_attribute(ctorch_value *self, const char *name, const ctorch_value *value) {
  return guard(__func__, [&] {
    PythonObject &object = object_of<PythonObject>(self, "PythonObject");
    c10::IValue key = std::string(from::string(name, "name"));
    if (object.args.isNone() || !holds_attributes(object.state)) {
      fail(CTORCH_ERROR_TYPE, "the state of " + excerpt(object.full_name()) + " is no dict of attributes");
    }
    if (object.state.isNone()) {
      object.state = c10::impl::GenericDict(c10::AnyType::get(), c10::AnyType::get());
    }
    c10::impl::GenericDict attributes = object.state.toGenericDict();
    auto known = find_key(attributes, key);
    c10::IValue replaced = known == attributes.end() ? c10::IValue() : known->value();
    c10::IValue entry = from::value_or_none(value);
    coerce(entry, attributes.valueType(), "value");
    insert_key(attributes, std::move(key), std::move(entry));
    take_apart(std::move(replaced));
  });
}
