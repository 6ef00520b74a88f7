// c/jit_archive.h: files of TorchScript by LibTorch's own reader and writer.
#include "core/c/jit_archive.h"

#include <caffe2/serialize/read_adapter_interface.h>
#include <torch/csrc/jit/serialization/export.h>
#include <torch/csrc/jit/serialization/import.h>

#include <array>
#include <memory>
#include <unordered_set>

#include "core/abi/excerpt.hpp"
#include "core/jit/attribute_types.hpp"
#include "core/jit/jit.hpp"
#include "core/jit/source.hpp"
#include "core/jit/sparse_contents.hpp"
#include "core/value/value.hpp"
#include "core/value/value_dict.hpp"
#include "core/value/value_key.hpp"
#include "core/value/value_object.hpp"

using namespace ctorch;

namespace {

/// The bytes of a file. LibTorch reads through a library of C, which an exception would leave half done: a failure is
/// kept, and what was read is too short.
class Source final : public caffe2::serialize::ReadAdapterInterface {
 public:
  Source(const char *function, const archive_source &source) : function_(function), source_(source) {}
  Source(const Source &) = delete;
  Source &operator=(const Source &) = delete;
  ~Source() override { ctorch_error_release(error_); }

  size_t size() const override { return source_.nbytes; }

  size_t read(uint64_t pos, void *data, size_t nbytes, const char *) const override {
    if (error_ != nullptr || nbytes == 0 || pos > source_.nbytes || nbytes > source_.nbytes - pos) {
      return 0;
    }
    error_ = source_.read(function_, pos, data, nbytes, source_.payload);
    return error_ == nullptr ? nbytes : 0;
  }

  ctorch_error *take_error() { return std::exchange(error_, nullptr); }

 private:
  const char *const function_;
  const archive_source source_;
  mutable ctorch_error *error_ = nullptr;
};

/// Hands bytes on. After a failure it drops them: LibTorch is not told, for of a writer that failed it would not free
/// all.
struct Target {
  archive_write write;
  void *payload;
  ctorch_error *error = nullptr;

  void take(const void *data, size_t nbytes) noexcept {
    static constexpr std::array<char, 65536> zeros{};
    if (data != nullptr && error == nullptr && nbytes != 0) {
      error = write(data, nbytes, payload);
    }
    for (size_t done = 0; data == nullptr && error == nullptr && done < nbytes;) {
      const size_t part = std::min(zeros.size(), nbytes - done);
      error = write(zeros.data(), part, payload);
      done += part;
    }
  }
};

/// One error of two: what C failed with goes before what LibTorch says.
ctorch_error *first(ctorch_error *cause, ctorch_error *error) {
  if (cause == nullptr) {
    return error;
  }
  ctorch_error_release(error);
  return cause;
}

/// A name in the archive: LibTorch writes it behind "extra/" as it is.
bool is_file_name(std::string_view name) {
  return !name.empty() && name.front() != '/' && name.back() != '/' && name.find('\0') == name.npos &&
         ("/" + std::string(name) + "/").find("/../") == name.npos;
}

torch::jit::ExtraFilesMap extra_files_from(const ctorch_value *files) {
  torch::jit::ExtraFilesMap map;
  const c10::IValue value = files == nullptr ? c10::IValue() : contents_of(files->ivalue);
  if (value.isNone()) {
    return map;
  }
  if (!value.isGenericDict()) {
    fail(CTORCH_ERROR_TYPE, "extra_files: expected a dict, found " + found_type(value));
  }
  for (const auto &entry : value.toGenericDict()) {
    const c10::IValue key = value_of_key(entry.key());
    const auto *bytes = object_as<Bytes>(entry.value());
    if (!key.isString() || (bytes == nullptr && !entry.value().isString())) {
      fail(
          CTORCH_ERROR_TYPE, "extra_files: expected bytes or texts by their names, found " + found_type(entry.value()) +
                                 " at " + value_excerpt(key));
    }
    if (!is_file_name(key.toStringRef())) {
      fail(CTORCH_ERROR_VALUE, "extra_files: " + value_excerpt(key) + " is no name of a file beside the module");
    }
    map.emplace(key.toStringRef(), bytes != nullptr ? bytes->data : entry.value().toStringRef());
  }
  return map;
}

/// Counts the slots of dicts as LibTorch will fill them, which takes keys as they come (value_dict.hpp). Ints at equal
/// distances may take many, so that the dicts of a pickle share what there is.
class Slots {
 public:
  /// False if there are too many.
  bool add_dicts_in(const c10::IValue &value) {
    std::unordered_set<const void *> reached;
    std::vector<c10::IValue> todo = {value};
    while (!todo.empty()) {
      const c10::IValue next = std::move(todo.back());
      todo.pop_back();
      if ((!is_container(next) && !next.isCapsule()) || !reached.insert(next.internalToPointer()).second) {
        continue;
      }
      if (next.isGenericDict() && !add(next.toGenericDict())) {
        return false;
      }
      Entries entries(next);
      while (const c10::IValue *entry = entries.next()) {
        todo.push_back(*entry);
      }
    }
    return true;
  }

 private:
  static constexpr size_t FEW = 65536;
  static constexpr size_t PER_KEY = 32;

  bool add(const c10::impl::GenericDict &dict) {
    keys_ += dict.size();
    const size_t most = FEW + PER_KEY * keys_ - slots_;
    const size_t slots = slots_without_refiling(dict, most);
    slots_ += slots;
    return slots <= most;
  }

  size_t keys_ = 0, slots_ = 0;
};

}  // namespace

ctorch_error *jit_archive_load(
    const char *function, ctorch_jit_module **out, const archive_source *source, const ctorch_device *device) {
  std::shared_ptr<Source> bytes;
  ctorch_error *error = guard(function, [&] {
    to::require(out, "out");
    const std::optional<at::Device> place = from::optional_device(device, "device");
    bytes = std::make_shared<Source>(function, *source);
    torch::jit::Module module =
        torch::jit::load(std::shared_ptr<caffe2::serialize::ReadAdapterInterface>(bytes), place);
    jit::check_attribute_types(module);
    jit::check_sparse_contents(module);
    jit::give(std::move(module), out, source->name == nullptr ? "" : source->name);
  });
  return bytes == nullptr ? error : first(bytes->take_error(), error);
}

ctorch_error *jit_archive_save(
    const char *function,
    const ctorch_jit_module *self,
    const jit_archive_options *options,
    archive_write write,
    void *payload) {
  Target target{write, payload};
  ctorch_error *error = guard(function, [&] {
    const torch::jit::Module &module = jit::module_of(self);
    jit::check_locale();
    if (options->extra_files != nullptr) {
      from::object(options->extra_files, "extra_files");
    }
    const torch::jit::ExtraFilesMap files = extra_files_from(options->extra_files);
    const std::function<size_t(const void *, size_t)> hand_on = [&](const void *data, size_t nbytes) {
      target.take(data, nbytes);
      return nbytes;
    };
    torch::jit::ExportModule(module, hand_on, files, options->mobile, options->debug_info);
  });
  return first(target.error, error);
}

ctorch_error *jit_archive_check_source(
    const char *function, ctorch_string **out_problem, const char *source, size_t source_len) {
  return guard(function, [&] {
    if (auto problem = jit::problem_with_source({source, source_len})) {
      to::give(std::move(*problem), out_problem);
    }
  });
}

ctorch_error *jit_archive_check_dicts(const char *function, ctorch_string **out_problem, const ctorch_value *value) {
  return guard(function, [&] {
    if (!Slots().add_dicts_in(from::value(value, "value"))) {
      to::give(std::string("the hashes of too many keys of a dict collide"), out_problem);
    }
  });
}
