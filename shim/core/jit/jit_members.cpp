// What is in a TorchScript module: attributes, parameters, buffers, modules; by their dotted names.
#include <ATen/core/Dict.h>
#include <torch/csrc/jit/frontend/script_type_parser.h>

#include "core/abi/excerpt.hpp"
#include "core/jit/jit.hpp"
#include "core/value/coerce.hpp"
#include "core/value/value.hpp"
#include "core/value/value_dict.hpp"
#include "core/value/value_key.hpp"

using namespace ctorch;
using torch::jit::Module;

namespace {

c10::impl::GenericDict empty_dict() { return c10::impl::GenericDict(c10::AnyType::get(), c10::AnyType::get()); }

c10::impl::GenericList empty_list() { return c10::impl::GenericList(c10::AnyType::get()); }

/// A dict of the members that a list of LibTorch's gives.
template <class List>
void give_members(const List &members, ctorch_value **out) {
  c10::impl::GenericDict dict = empty_dict();
  for (const auto &member : members) {
    const c10::IValue value = member.value;
    if (!is_none(value) && !value.isModule()) {
      insert_key(dict, key_of(member.name, "name"), value);
    }
  }
  to::give_value(dict, out);
}

/// The type as TorchScript writes it; nothing for NULL.
c10::TypePtr parse_type(const char *text) {
  if (text == nullptr) {
    return nullptr;
  }
  const std::string type(from::string(text, "type"));
  jit::check_source(type, "type");
  return jit::parsing([&] { return torch::jit::ScriptTypeParser().parseType(type); });
}

/// A tensor as an attribute of a module.
void register_tensor(ctorch_jit_module *self, const char *name, const ctorch_tensor *tensor, bool is_parameter) {
  Module &module = jit::module_of(self);
  const std::string text = jit::identifier(name, "name");
  from::tensor(tensor, "tensor");
  jit::require_free(module, text);
  module.register_attribute(text, c10::TensorType::get(), share(tensor), is_parameter, !is_parameter);
}

/// Whether one module is another, or somewhere inside it.
bool contains(const Module &outer, const Module &inner) {
  for (const Module &module : outer.modules()) {
    if (module == inner) {
      return true;
    }
  }
  return false;
}

[[noreturn]] void fail_member(const char *name) {
  fail(CTORCH_ERROR_INDEX, "nothing is called '" + excerpt(name) + "'");
}

}  // namespace

ctorch_error *ctorch_jit_module_register_parameter(
    ctorch_jit_module *self, const char *name, const ctorch_tensor *tensor) {
  return guard(__func__, [&] { register_tensor(self, name, tensor, true); });
}

ctorch_error *ctorch_jit_module_register_buffer(
    ctorch_jit_module *self, const char *name, const ctorch_tensor *tensor) {
  return guard(__func__, [&] { register_tensor(self, name, tensor, false); });
}

ctorch_error *ctorch_jit_module_register_attribute(
    ctorch_jit_module *self, const char *name, const ctorch_value *value, const char *type) {
  return guard(__func__, [&] {
    Module &module = jit::module_of(self);
    const std::string text = jit::identifier(name, "name");
    c10::IValue initial = from::value(value, "value");
    c10::TypePtr declared = parse_type(type);
    declared = declared ? declared : inferred_type(initial);
    coerce(initial, declared, "value");
    jit::require_free(module, text);
    module.register_attribute(text, declared, std::move(initial));
  });
}

ctorch_error *ctorch_jit_module_register_module(
    ctorch_jit_module *self, const char *name, const ctorch_jit_module *module) {
  return guard(__func__, [&] {
    Module &outer = jit::module_of(self);
    const std::string text = jit::identifier(name, "name");
    const Module &inner = jit::module_of(module, "module");
    if (contains(inner, outer)) {
      fail(CTORCH_ERROR_RUNTIME, "a module inside itself");
    }
    jit::require_free(outer, text);
    outer.register_module(text, inner);
  });
}

ctorch_error *ctorch_jit_module_named_parameters(ctorch_value **out, const ctorch_jit_module *self, bool recurse) {
  return guard(__func__, [&] {
    to::require(out, "out");
    give_members(jit::module_of(self).named_parameters(recurse), out);
  });
}

ctorch_error *ctorch_jit_module_named_buffers(ctorch_value **out, const ctorch_jit_module *self, bool recurse) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::impl::GenericDict dict = empty_dict();
    for (const auto &module : jit::module_of(self).named_modules()) {
      const c10::ClassTypePtr type = module.value.type();
      if (!recurse && !module.name.empty()) {
        continue;
      }
      for (size_t i = 0; i < type->numAttributes(); i++) {
        const c10::IValue value = module.value._ivalue()->getSlot(i);
        if (type->is_buffer(i) && value.isTensor() && value.toTensor().defined()) {
          const std::string prefix = module.name.empty() ? "" : module.name + ".";
          insert_key(dict, key_of(prefix + type->getAttributeName(i), "name"), value);
        }
      }
    }
    to::give_value(dict, out);
  });
}

ctorch_error *ctorch_jit_module_named_attributes(ctorch_value **out, const ctorch_jit_module *self, bool recurse) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::impl::GenericDict dict = empty_dict();
    for (const auto &member : jit::module_of(self).named_attributes(recurse)) {
      if (!member.value.isModule()) {
        insert_key(dict, key_of(member.name, "name"), member.value);
      }
    }
    to::give_value(dict, out);
  });
}

ctorch_error *ctorch_jit_module_module_names(ctorch_value **out, const ctorch_jit_module *self, bool recurse) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::impl::GenericList list = empty_list();
    const Module &module = jit::module_of(self);
    for (const auto &inner : recurse ? module.named_modules() : module.named_children()) {
      if (!inner.name.empty()) {
        list.push_back(inner.name);
      }
    }
    to::give_value(list, out);
  });
}

ctorch_error *ctorch_jit_module_get_module(ctorch_jit_module **out, const ctorch_jit_module *self, const char *name) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const jit::Place place = jit::find_place(jit::module_of(self), name);
    const auto slot = place.owner.type()->findAttributeSlot(place.name);
    if (!slot || !place.owner._ivalue()->getSlot(*slot).isModule()) {
      fail_member(name);
    }
    jit::give(place.owner._ivalue()->getSlot(*slot).toModule(), out, self->file);
  });
}

bool ctorch_jit_module_has_attribute(const ctorch_jit_module *self, const char *name) {
  bool has = false;
  if (is_there(self) && name != nullptr) {
    ctorch_error_release(guard(__func__, [&] {
      const jit::Place place = jit::find_place(self->script, name);
      has = place.owner.hasattr(place.name);
    }));
  }
  return has;
}

ctorch_error *ctorch_jit_module_get_attribute(ctorch_value **out, const ctorch_jit_module *self, const char *name) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const jit::Place place = jit::find_place(jit::module_of(self), name);
    if (!place.owner.hasattr(place.name)) {
      fail_member(name);
    }
    to::give_value(place.owner.attr(place.name), out);
  });
}

ctorch_error *ctorch_jit_module_set_attribute(ctorch_jit_module *self, const char *name, const ctorch_value *value) {
  return guard(__func__, [&] {
    const jit::Place place = jit::find_place(jit::module_of(self), name);
    c10::IValue other = from::value_or_none(value);
    const c10::ClassTypePtr type = place.owner.type();
    const auto slot = type->findAttributeSlot(place.name);
    if (!slot && type->hasConstant(place.name)) {
      fail(CTORCH_ERROR_TYPE, "'" + excerpt(name) + "' is a constant");
    }
    if (!slot) {
      fail_member(name);
    }
    if (type->getAttribute(*slot)->is_module()) {
      fail(CTORCH_ERROR_TYPE, "'" + excerpt(name) + "' is a module");
    }
    coerce(other, type->getAttribute(*slot), "value");
    place.owner._ivalue()->setSlot(*slot, std::move(other));
  });
}
