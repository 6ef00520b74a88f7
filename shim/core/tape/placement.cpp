// Moving the tensors of a tape: placement.hpp.
#include "core/tape/placement.hpp"

#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <cstring>

#include "core/tape/tensors.hpp"

namespace ctorch::tape {

namespace {

constexpr size_t ALIGNMENT = 64;

size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

c10::Storage new_storage(size_t bytes) {
  return c10::Storage(
      c10::Storage::use_byte_size_t(), static_cast<int64_t>(bytes), c10::GetCPUAllocator(), /*resizable=*/false);
}

/// A part of a block that outlives it.
c10::Storage part_of(const c10::Storage &block, size_t offset, size_t bytes) {
  auto *data = static_cast<char *>(block.mutable_data()) + offset;
  return c10::Storage(
      c10::Storage::use_byte_size_t(), static_cast<int64_t>(bytes), at::DataPtr(data, c10::Device(c10::kCPU)),
      /*allocator=*/nullptr, /*resizable=*/false);
}

void move(const at::Tensor &alias, const c10::Storage &storage, int64_t offset) {
  auto *impl = alias.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(storage);
  impl->set_storage_offset(offset);
}

// Inputs -------------------------------------------------------------------------------------------------------

struct Moved {
  const at::Tensor &input;
  Extent extent;
  c10::Storage storage;
};

void place_inputs(Recording &recording, const std::vector<at::Tensor> &inputs, Placement &placement) {
  std::vector<Moved> moved;
  for (const at::Tensor &input : inputs) {
    const Extent extent(input);
    moved.push_back({input, extent, new_storage(extent.end - extent.begin)});
    if (!extent.is_empty()) {
      std::memcpy(
          moved.back().storage.mutable_data(), static_cast<const char *>(input.storage().data()) + extent.begin,
          extent.end - extent.begin);
    }
    at::Tensor own(input.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), true));
    move(own, moved.back().storage, 0);
    placement.inputs.push_back({own, false});
    placement.bytes += extent.end - extent.begin;
  }
  for (Alias &alias : recording.aliases) {
    const auto *storage = alias.tensor.storage().unsafeGetStorageImpl();
    const Extent extent(alias.tensor);
    for (size_t i = 0; i < moved.size(); i++) {
      if (moved[i].input.storage().unsafeGetStorageImpl() != storage || !moved[i].extent.overlaps(extent)) {
        continue;
      }
      const size_t item = alias.tensor.element_size();
      if (!moved[i].extent.contains(extent) || (extent.begin - moved[i].extent.begin) % item != 0) {
        recording.refuse(alias.place + " overlaps an input in part");
        return;
      }
      alias.is_input = true;
      placement.inputs[i].is_written = placement.inputs[i].is_written || alias.is_written;
      move(alias.tensor, moved[i].storage, static_cast<int64_t>((extent.begin - moved[i].extent.begin) / item));
      break;
    }
  }
}

// What the step made ------------------------------------------------------------------------------------------------

struct Made {
  size_t bytes;
  size_t first = SIZE_MAX, last = 0;  // records that use it
  size_t offset = 0;
};

using Inner = std::unordered_map<c10::StorageImpl *, Made>;

c10::StorageImpl *storage_of(const at::Tensor &tensor) { return tensor.storage().unsafeGetStorageImpl(); }

/// The memories that the step made and nobody but the tape has.
Inner inner_memories(const Recording &recording, const std::vector<at::Tensor> &outputs) {
  std::unordered_map<c10::StorageImpl *, size_t> aliases;
  for (const Alias &alias : recording.aliases) {
    aliases[storage_of(alias.tensor)]++;
  }
  Inner inner;
  for (const auto &[storage, memory] : recording.memories) {
    if (memory.is_made && memory.storage.use_count() == aliases[storage] + 1) {
      inner.emplace(storage, Made{memory.storage.nbytes()});
    }
  }
  for (const at::Tensor &output : outputs) {
    inner.erase(storage_of(output));
  }
  return inner;
}

/// Drop the records that fill memory with what it has already. It is left where it is, for nothing else may use it.
void drop_constants(Recording &recording, Inner &inner) {
  const auto keeps_content = [&](const Record &record) {
    if (!record.is_constant || !is_tensor(record.outs[0])) {
      return false;
    }
    const at::Tensor &out = record.outs[0].toTensor();
    return recording.memory_of(out).writes == 0 && inner.erase(storage_of(out)) != 0;
  };
  auto &records = recording.records;
  records.erase(std::remove_if(records.begin(), records.end(), keeps_content), records.end());
}

void find_uses(const std::vector<Record> &records, Inner &inner) {
  for (size_t i = 0; i < records.size(); i++) {
    for (const auto *values : {&records[i].args, &records[i].outs}) {
      for (const c10::IValue &value : *values) {
        each_tensor(value, [&](const at::Tensor &tensor) {
          if (const auto found = inner.find(storage_of(tensor)); found != inner.end()) {
            found->second.first = std::min(found->second.first, i);
            found->second.last = i;
          }
        });
      }
    }
  }
}

/// Give each an offset, the largest first, at the lowest place that is free while it is used. Answers the size of all.
size_t lay_out(std::vector<Made *> made) {
  std::sort(made.begin(), made.end(), [](const Made *a, const Made *b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a->first < b->first;
  });
  size_t size = 0;
  std::vector<const Made *> placed;  // by their offsets
  for (Made *next : made) {
    for (const Made *other : placed) {
      const bool meet = other->first <= next->last && next->first <= other->last;
      if (meet && other->offset < next->offset + aligned(next->bytes) &&
          next->offset < other->offset + aligned(other->bytes)) {
        next->offset = other->offset + aligned(other->bytes);
      }
    }
    placed.insert(
        std::upper_bound(
            placed.begin(), placed.end(), next, [](const Made *a, const Made *b) { return a->offset < b->offset; }),
        next);
    size = std::max(size, next->offset + aligned(next->bytes));
  }
  return size;
}

void place_made(Recording &recording, Inner &inner, Placement &placement) {
  std::vector<Made *> used;
  for (auto &[storage, made] : inner) {
    if (made.first != SIZE_MAX && made.bytes > 0) {
      used.push_back(&made);
      placement.made_bytes += made.bytes;
    }
  }
  placement.block_bytes = lay_out(used);
  placement.block = new_storage(placement.block_bytes + ALIGNMENT);
  const size_t skew = aligned(reinterpret_cast<uintptr_t>(placement.block.data())) -
                      reinterpret_cast<uintptr_t>(placement.block.data());
  std::unordered_map<c10::StorageImpl *, c10::Storage> parts;
  for (const auto &[storage, made] : inner) {
    if (made.first != SIZE_MAX && made.bytes > 0) {
      parts.emplace(storage, part_of(placement.block, skew + made.offset, made.bytes));
      recording.memories.erase(storage);
    }
  }
  for (Alias &alias : recording.aliases) {
    if (const auto part = parts.find(storage_of(alias.tensor)); part != parts.end()) {
      move(alias.tensor, part->second, alias.tensor.storage_offset());
    }
  }
}

}  // namespace

Extent::Extent(const at::Tensor &tensor) {
  const size_t item = tensor.element_size();
  begin = static_cast<size_t>(tensor.storage_offset()) * item;
  end = begin;
  if (tensor.numel() > 0) {
    size_t last = 0;
    for (int64_t i = 0; i < tensor.dim(); i++) {
      last += static_cast<size_t>((tensor.size(i) - 1) * tensor.stride(i));
    }
    end = begin + (last + 1) * item;
  }
}

Placement place(Recording &recording, const std::vector<at::Tensor> &inputs, const std::vector<at::Tensor> &outputs) {
  Placement placement;
  place_inputs(recording, inputs, placement);
  Inner inner = inner_memories(recording, outputs);
  for (const auto &[storage, memory] : recording.memories) {
    placement.bytes += memory.is_made && inner.count(storage) == 0 ? memory.storage.nbytes() : 0;
  }
  drop_constants(recording, inner);
  find_uses(recording.records, inner);
  place_made(recording, inner, placement);
  placement.bytes += placement.block_bytes;
  return placement;
}

}  // namespace ctorch::tape
