// An allocator that always does the same, for the benchmark program and all libraries in it.
//
// What glibc's posix_memalign, which LibTorch calls for every tensor, costs depends on how the heap happens to look:
// some 200 instructions more or less, several times what is being measured. Here a freed block goes to the front of the
// list of its size and the next request takes it from there. Blocks are aligned as LibTorch's are and are never given
// back to the system; each thread has lists of its own.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace {

constexpr size_t ALIGNMENT = 64;
constexpr size_t REGION = size_t{64} << 20;

struct Block {  // the header; what the caller gets begins ALIGNMENT bytes later
  Block *next;
  size_t capacity;
};

constexpr size_t CLASSES = 256;
__thread Block *lists[CLASSES];
__thread char *region, *region_end;

/// Four sizes for each power of two.
size_t class_of(size_t size, size_t *capacity) {
  if (size <= 256) {
    size_t index = size == 0 ? 0 : (size - 1) / 64;
    *capacity = 64 * (index + 1);
    return index;
  }
  auto power = static_cast<size_t>(63 - __builtin_clzl(size - 1));
  size_t quarter = size_t{1} << (power - 2), part = (size - 1) >> (power - 2);
  *capacity = (part + 1) * quarter;
  return 4 * power + (part & 3);
}

void *fresh(size_t size) {
  if (size > REGION / 4) {
    void *pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
  }
  if (static_cast<size_t>(region_end - region) < size) {
    void *pages = mmap(nullptr, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
      return nullptr;
    }
    region = static_cast<char *>(pages);
    region_end = region + REGION;
  }
  void *result = region;
  region += size;
  return result;
}

Block *header(void *pointer) { return reinterpret_cast<Block *>(static_cast<char *>(pointer) - ALIGNMENT); }

}  // namespace

extern "C" {

void *malloc(size_t size) {
  if (size > PTRDIFF_MAX / 2) {
    errno = ENOMEM;
    return nullptr;
  }
  size_t capacity;
  Block *&list = lists[class_of(size, &capacity)];
  Block *block = list;
  if (block != nullptr) {
    list = block->next;
  } else {
    block = static_cast<Block *>(fresh(ALIGNMENT + capacity));
    if (block == nullptr) {
      errno = ENOMEM;
      return nullptr;
    }
    block->capacity = capacity;
  }
  return reinterpret_cast<char *>(block) + ALIGNMENT;
}

void free(void *pointer) {
  if (pointer != nullptr) {
    Block *block = header(pointer);
    size_t capacity;
    Block *&list = lists[class_of(block->capacity, &capacity)];
    block->next = list;
    list = block;
  }
}

void *calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  void *result = malloc(total);
  return result == nullptr ? nullptr : memset(result, 0, total);
}

void *realloc(void *pointer, size_t size) {
  if (pointer != nullptr && size <= header(pointer)->capacity) {
    return pointer;
  }
  void *result = malloc(size);
  if (result != nullptr && pointer != nullptr) {
    memcpy(result, pointer, header(pointer)->capacity);
    free(pointer);
  }
  return result;
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (alignment <= ALIGNMENT) {
    void *result = malloc(size);
    if (result == nullptr) {
      return ENOMEM;
    }
    *out = result;
    return 0;
  }
  // Rare: a block of its own, whose header lies right before the aligned address.
  size_t capacity;
  class_of(size, &capacity);
  char *raw = static_cast<char *>(malloc(capacity + 2 * alignment));
  if (raw == nullptr) {
    return ENOMEM;
  }
  auto address = (reinterpret_cast<uintptr_t>(raw) + ALIGNMENT + alignment - 1) / alignment * alignment;
  *out = reinterpret_cast<void *>(address);
  header(*out)->capacity = capacity;
  return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
  void *result = nullptr;
  errno = posix_memalign(&result, alignment, size);
  return result;
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

void *valloc(size_t size) { return aligned_alloc(4096, size); }

size_t malloc_usable_size(void *pointer) { return pointer == nullptr ? 0 : header(pointer)->capacity; }
}
