// refine() on literal text: wordings that only a GPU provokes, dtypes and devices in every spelling, numbers out of
// range, and text that resembles a message. Links shim/core/abi/error_details.cpp alone, without LibTorch.
//
// Wordings that a CPU provokes are tested on LibTorch itself: check_error_shapes.c, check_error_dtypes.c.
#include "core/abi/error_details.hpp"

#include <cstdint>
#include <cstdio>
#include <iomanip>
#include <locale>
#include <random>
#include <sstream>
#include <string>
#include <tuple>

#include "core/abi/error_wordings.hpp"
#include "core/abi/text_stream.hpp"

using ctorch::ErrorDetails;
using ctorch::refine;

namespace {

int failures = 0;

void check(bool ok, const char *claim, const std::string &text) {
  if (!ok) {
    ++failures;
    std::fprintf(stderr, "wrong: %s\n  in: %s\n", claim, text.c_str());
  }
}

using Shape = std::vector<int64_t>;

void shapes(const std::string &text, const Shape &expected, const Shape &got) {
  ErrorDetails details;
  check(refine(CTORCH_ERROR_RUNTIME, text, details) == CTORCH_ERROR_SHAPE_MISMATCH, "SHAPE_MISMATCH", text);
  check(details.shapes && details.shapes->first == expected, "expected shape", text);
  check(details.shapes && details.shapes->second == got, "got shape", text);
}

bool same(const ctorch_device &a, const ctorch_device &b) { return a.type == b.type && a.index == b.index; }

void devices(const std::string &text, const ctorch_device &expected, const ctorch_device &got) {
  ErrorDetails details;
  check(refine(CTORCH_ERROR_RUNTIME, text, details) == CTORCH_ERROR_DEVICE_MISMATCH, "DEVICE_MISMATCH", text);
  check(details.devices && same(details.devices->first, expected), "expected device", text);
  check(details.devices && same(details.devices->second, got), "got device", text);
}

void dtypes(const std::string &text, ctorch_dtype expected, ctorch_dtype got) {
  ErrorDetails details;
  check(refine(CTORCH_ERROR_RUNTIME, text, details) == CTORCH_ERROR_DTYPE_MISMATCH, "DTYPE_MISMATCH", text);
  check(details.dtypes && details.dtypes->first == expected, "expected dtype", text);
  check(details.dtypes && details.dtypes->second == got, "got dtype", text);
}

void memory(ctorch_error_kind code, const std::string &text, uint64_t requested, std::optional<uint64_t> available) {
  ErrorDetails details;
  check(refine(code, text, details) == CTORCH_ERROR_OUT_OF_MEMORY, "OUT_OF_MEMORY", text);
  check(details.requested_bytes == requested, "requested bytes", text);
  check(details.available_bytes == available, "available bytes", text);
}

void only_code(const std::string &text, ctorch_error_kind expected) {
  ErrorDetails details;
  check(refine(CTORCH_ERROR_RUNTIME, text, details) == expected, "code", text);
}

void unchanged(ctorch_error_kind code, const std::string &text) {
  ErrorDetails details;
  check(refine(code, text, details) == code, "code is unchanged", text);
  check(!details.shapes && !details.devices && !details.dtypes && !details.requested_bytes, "no details", text);
}

constexpr ctorch_device cpu = {CTORCH_DEVICE_TYPE_CPU, -1};
constexpr ctorch_device cuda = {CTORCH_DEVICE_TYPE_CUDA, -1};
constexpr ctorch_device cuda0 = {CTORCH_DEVICE_TYPE_CUDA, 0};
constexpr ctorch_device cuda1 = {CTORCH_DEVICE_TYPE_CUDA, 1};
constexpr ctorch_device mps0 = {CTORCH_DEVICE_TYPE_MPS, 0};

/// What the matcher takes for granted of its table.
void templates_are_well_formed() {
  for (const ctorch::Wording &wording : ctorch::wordings) {
    const std::string text(wording.text);
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '*') {
        check(at + 1 < text.size() && text[at + 1] != '%' && text[at + 1] != '*', "* is followed by text", text);
      } else if (text[at] == '%') {
        at += at + 1 < text.size() && std::string("egbcfnmrau").find(text[at + 1]) != std::string::npos ? 2 : 1;
        check(at < text.size() && std::string("dsltvBw").find(text[at]) != std::string::npos, "% reads a value", text);
      }
    }
  }
}

void wordings_of_devices() {
  const std::string all = "Expected all tensors to be on the same device";
  devices(all + ", but found at least two devices, cuda:0 and cpu!", cuda0, cpu);
  devices(all + ", but found at least two devices, cuda:1 and cuda:0!", cuda1, cuda0);
  devices(
      all +
          ", but got mat2 is on cpu, different from other tensors on cuda:0 (when checking argument in method "
          "wrapper_CUDA_mm)",
      cuda0, cpu);
  devices(all + ". addmm: expected 'mat1' to be a CPU tensor, but got tensor on cuda:0", cpu, cuda0);
  devices(all + ". addmm expected 't' to be CPU tensor, but got tensor on cuda:0", cpu, cuda0);
  devices("Expected a 'cuda' device type for generator but found 'cpu'", cuda, cpu);
  devices("Expected a 'mps:0' generator device but found 'cpu'", mps0, cpu);
  devices(
      "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same or input should be "
      "a MKLDNN tensor and weight is a dense tensor",
      cpu, cuda);
  devices("Input type (CPUBFloat16Type) and weight type (CUDABFloat16Type) should be the same", cuda, cpu);
  devices(
      "take(): self, index and out expected to be in the same device, but got self.device = cuda:0, index.device = "
      "cpu, and out.device = cuda:0",
      cuda0, cpu);
  devices(
      "put_(): self, index and source expected to be in the same device, but got self.device = cuda:0, index.device = "
      "cuda:0, and source.device = cpu",
      cuda0, cpu);
  devices(
      "reduce_op(): expected input and both outputs to be on same device, but input is on cuda:0, output1 is on cpu "
      "and output2 is on cpu",
      cuda0, cpu);
  devices(
      "reduce_op(): expected input and both outputs to be on same device, but input is on cuda:0, output1 is on cuda:0 "
      "and output2 is on cpu",
      cuda0, cpu);
  devices(
      "grid_sampler(): expected input and grid to be on same device, but input is on cuda:0 and grid is on cpu", cuda0,
      cpu);
  devices("expected self and mask to be on the same device, but got mask on cpu and self on cuda:0", cuda0, cpu);
  devices(
      "torch.searchsorted(): boundaries and input value tensors should have same device type, but got boundaries "
      "tensor device type cuda and input value tensor device type cpu",
      cuda, cpu);
  only_code(
      "Expected tensor for argument #1 'input' to have the same device as tensor for argument #2 'weight'; but device "
      "0 does not equal 1 (while checking arguments for cudnn_batch_norm)",
      CTORCH_ERROR_DEVICE_MISMATCH);
  only_code("X1 and X2 must have the same device type. X1: cuda X2: cpu", CTORCH_ERROR_DEVICE_MISMATCH);
  only_code("multinomial arguments must have the same device", CTORCH_ERROR_DEVICE_MISMATCH);
  only_code("all.dims: output must be on the same device as input", CTORCH_ERROR_DEVICE_MISMATCH);
}

void wordings_of_memory() {
  constexpr uint64_t mib = 1 << 20;
  constexpr ctorch_error_kind oom = CTORCH_ERROR_OUT_OF_MEMORY;
  // 79.11 GiB of capacity is not what is asked for; 10.12 MiB is 10611589.12 bytes.
  memory(
      oom,
      "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 79.11 GiB of which 10.12 MiB is "
      "free. Process 1234 has 79.09 GiB memory in use.",
      20 * mib, 10611589);
  memory(
      oom,
      "HIP out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 63.98 GiB of which 512 bytes is "
      "free.",
      1536 * mib, 512);
  memory(
      oom,
      "XPU out of memory. Tried to allocate 2.00 KiB. GPU 0 has a total capacity of 15.59 GiB. Of the allocated memory "
      "1.00 GiB is allocated by PyTorch",
      2048, std::nullopt);
  memory(
      CTORCH_ERROR_RUNTIME,
      "MPS backend out of memory (MPS allocated: 1.00 GB, other allocations: 512.00 MB, max allowed: 9.00 GB). Tried "
      "to allocate 256 bytes on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit",
      256, (9 * 1024 - 1024 - 512) * mib);
  memory(
      CTORCH_ERROR_RUNTIME,
      "MPS backend out of memory (MPS allocated: 9.00 GB, other allocations: 1.00 MB, max allowed: 9.00 GB). Tried to "
      "allocate 256 bytes on private pool.",
      256, 0);
  memory(oom, "CUDA out of memory. Tried to allocate 99999999999999999999 EiB.", UINT64_MAX, std::nullopt);
  memory(oom, "CUDA out of memory. Tried to allocate 16.00 EiB.", UINT64_MAX, std::nullopt);
  memory(oom, "CUDA out of memory. Tried to allocate 15.99999999999999999999 EiB.", UINT64_MAX, std::nullopt);

  // The machine's own memory: some amount, whatever it is.
  for (const char *text :
       {"DefaultCPUAllocator: not enough memory: you tried to allocate 4096 bytes.",
        "[enforce fail at alloc_cpu.cpp:75] data. DefaultCPUAllocator: not enough memory: you tried "
        "to allocate 4096 bytes."}) {
    ErrorDetails details;
    check(refine(CTORCH_ERROR_RUNTIME, text, details) == oom, "OUT_OF_MEMORY", text);
    check(details.requested_bytes == 4096 && details.available_bytes.value_or(0) > 0, "bytes", text);
  }
  ErrorDetails details;
  check(refine(oom, "std::bad_alloc", details) == oom && !details.requested_bytes, "bad_alloc asks", "std::bad_alloc");
  check(details.available_bytes.value_or(0) > 0, "bad_alloc has", "std::bad_alloc");
}

void spellings_of_dtypes() {
  const struct {
    const char *word;
    ctorch_dtype dtype;
  } spellings[] = {
      {"Byte", CTORCH_DTYPE_UINT8},
      {"unsigned char", CTORCH_DTYPE_UINT8},
      {"torch.uint8", CTORCH_DTYPE_UINT8},
      {"signed char", CTORCH_DTYPE_INT8},
      {"short int", CTORCH_DTYPE_INT16},
      {"int", CTORCH_DTYPE_INT32},
      {"Long", CTORCH_DTYPE_INT64},
      {"long int", CTORCH_DTYPE_INT64},
      {"torch.int64", CTORCH_DTYPE_INT64},
      {"long", CTORCH_DTYPE_INT64},
      {"c10::Half", CTORCH_DTYPE_FLOAT16},
      {"Double", CTORCH_DTYPE_FLOAT64},
      {"torch.float64", CTORCH_DTYPE_FLOAT64},
      {"c10::complex<c10::Half>", CTORCH_DTYPE_COMPLEX32},
      {"ComplexFloat", CTORCH_DTYPE_COMPLEX64},
      {"c10::complex<float>", CTORCH_DTYPE_COMPLEX64},
      {"c10::complex<double>", CTORCH_DTYPE_COMPLEX128},
      {"bool", CTORCH_DTYPE_BOOL},
      {"c10::qint8", CTORCH_DTYPE_QINT8},
      {"QUInt4x2", CTORCH_DTYPE_QUINT4X2},
      {"BFloat16", CTORCH_DTYPE_BFLOAT16},
      {"torch.bfloat16", CTORCH_DTYPE_BFLOAT16},
      {"c10::Float8_e4m3fn", CTORCH_DTYPE_FLOAT8_E4M3FN},
      {"Float8_e4m3fnuz", CTORCH_DTYPE_FLOAT8_E4M3FNUZ},
      {"UInt16", CTORCH_DTYPE_UINT16},
      {"long unsigned int", CTORCH_DTYPE_UINT64},
      {"Float8_e8m0fnu", CTORCH_DTYPE_FLOAT8_E8M0FNU},
      {"CUDALongType", CTORCH_DTYPE_INT64},
      {"SparseCPUComplexDoubleType", CTORCH_DTYPE_COMPLEX128},
      {"torch.cuda.HalfTensor", CTORCH_DTYPE_FLOAT16},
  };
  for (const auto &[word, dtype] : spellings) {
    dtypes(
        std::string("expected m1 and m2 to have the same dtype, but got: float != ") + word, CTORCH_DTYPE_FLOAT32,
        dtype);
    dtypes(std::string("expected scalar type ") + word + " but found Float", dtype, CTORCH_DTYPE_FLOAT32);
  }
  dtypes(
      "Expected tensor for argument #1 'input' to have scalar type Float; but got torch.cuda.DoubleTensor instead "
      "(while checking arguments for cudnn_batch_norm)",
      CTORCH_DTYPE_FLOAT32, CTORCH_DTYPE_FLOAT64);
  dtypes(
      "Expected tensor for argument #1 'input' to have the same type as tensor for argument #2 'weight'; but type "
      "CUDAFloatType does not equal CUDAHalfType (while checking arguments for cudnn_convolution)",
      CTORCH_DTYPE_FLOAT16, CTORCH_DTYPE_FLOAT32);
  dtypes(
      "Input and hidden tensors are not the same dtype, found input tensor with Float and hidden tensor with Half",
      CTORCH_DTYPE_FLOAT32, CTORCH_DTYPE_FLOAT16);
  unchanged(CTORCH_ERROR_RUNTIME, "expected scalar type Floaty but found Double");
  unchanged(CTORCH_ERROR_RUNTIME, "expected scalar type  but found Double");
}

void numbers_saturate() {
  const std::string huge = "99999999999999999999999999";
  shapes(
      "The size of tensor a (" + huge + ") must match the size of tensor b (-" + huge +
          ") at non-singleton dimension 0",
      {INT64_MAX}, {INT64_MIN});
  shapes(
      "shape '[9223372036854775807, -9223372036854775808]' is invalid for input of size 0", {0},
      {INT64_MAX, INT64_MIN});
  devices(
      "Expected all tensors to be on the same device, but found at least two devices, cuda:" + huge + " and cpu!",
      {CTORCH_DEVICE_TYPE_CUDA, INT32_MAX}, cpu);
}

void the_odd_one_of_several_is_found() {
  // Neither side of the first comparison is at fault, so the second one is reported.
  shapes(
      "Expected index [2, 9] to be no larger than self [2, 3] apart from dimension 0 and to be no larger size than src "
      "[2, 9]",
      {2, 3}, {2, 9});
  unchanged(CTORCH_ERROR_RUNTIME, "The size of tensor a (2) must match the size of tensor b (2) at nothing");
  shapes("shape '[]' is invalid for input of size 2", {2}, {});
}

void other_codes_are_left_alone() {
  const std::string text = "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0";
  for (ctorch_error_kind code :
       {CTORCH_ERROR_RUNTIME, CTORCH_ERROR_INDEX, CTORCH_ERROR_VALUE, CTORCH_ERROR_TYPE,
        CTORCH_ERROR_NOT_IMPLEMENTED}) {
    ErrorDetails details;
    check(refine(code, text, details) == CTORCH_ERROR_SHAPE_MISMATCH, "code that may be refined", text);
  }
  for (ctorch_error_kind code = -10; code <= 100; ++code) {
    if (code < CTORCH_ERROR_RUNTIME || code > CTORCH_ERROR_NOT_IMPLEMENTED) {
      unchanged(code, text);
    }
  }
  unchanged(CTORCH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-2, 1], but got 5)");
  unchanged(CTORCH_ERROR_ACCELERATOR, "CUDA out of memory. Tried to allocate 20.00 MiB.");
  unchanged(CTORCH_ERROR_OUT_OF_MEMORY, "");
  unchanged(CTORCH_ERROR_RUNTIME, "");
}

/// Cut short or damaged at every place: nothing is thrown, nothing read out of bounds (run it under ASan to see).
void damaged_text_is_survived() {
  const std::string texts[] = {
      "Given groups=1, weight of size [4, 5, 3, 3], expected input[1, 3, 8, 8] to have 5 channels, but got 3 channels",
      "Expected index [2, 9] to be no larger than self [2, 3] apart from dimension 0 and to be no larger size than src "
      "[2, 9]",
      "linalg.solve: Incompatible shapes of A and B for the equation AX = B (3x3 and 4x2)",
      "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same",
      "Expected tensor for argument #1 'x' to have scalar type Float; but got torch.cuda.DoubleTensor instead",
      "[enforce fail at alloc_cpu.cpp:75] data. DefaultCPUAllocator: not enough memory: you tried to allocate 4 bytes.",
      "MPS backend out of memory (MPS allocated: 1.00 GB, other allocations: 512.00 MB, max allowed: 9.00 GB). Tried "
      "to allocate 256 bytes on private pool.",
  };
  std::mt19937 random(7);
  for (const std::string &text : texts) {
    for (size_t length = 0; length <= text.size(); ++length) {
      ErrorDetails details;
      refine(CTORCH_ERROR_RUNTIME, std::string(text, 0, length), details);
      for (int round = 0; round < 16; ++round) {
        std::string damaged = text;
        for (int change = 0; change < 3; ++change) {
          damaged[random() % damaged.size()] = static_cast<char>(random());
        }
        ErrorDetails other;
        refine(CTORCH_ERROR_RUNTIME, damaged, other);
      }
    }
  }
  ErrorDetails details;
  refine(CTORCH_ERROR_RUNTIME, std::string(1 << 20, '['), details);
  std::string shape = "shape '[1";
  while (shape.size() < (1 << 20)) {
    shape += ", 1";
  }
  unchanged(CTORCH_ERROR_RUNTIME, shape + "]' is invalid for input of size 7");
}

/// The wordings as PyTorch writes them in a process whose C++ locale is German or Indian: the stream writes the numbers.
struct Locale : std::numpunct<char> {
  Locale(char point, char mark, const char *grouping) : point(point), mark(mark), grouping(grouping) {}
  char do_decimal_point() const override { return point; }
  char do_thousands_sep() const override { return mark; }
  std::string do_grouping() const override { return grouping; }
  char point, mark;
  const char *grouping;
};

template <class... Parts>
std::string written(const Parts &...parts) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2);
  (text << ... << parts);
  return text.str();
}

void locales_that_group_digits() {
  for (auto [point, mark, grouping] : {std::tuple(',', '.', "\3"), std::tuple('.', ',', "\3\2")}) {
    const std::locale before =
        std::locale::global(std::locale(std::locale::classic(), new Locale(point, mark, grouping)));
    shapes(
        written("mat1 and mat2 shapes cannot be multiplied (", 1, "x", 1234567, " and ", 1000, "x", 20, ")"),
        {1234567, 20}, {1000, 20});
    shapes(
        written("output with shape [", 1, ", ", 2500, "] doesn't match the broadcast shape [", 12345678, "]"),
        {12345678}, {1, 2500});
    memory(
        CTORCH_ERROR_RUNTIME,
        written(
            "CUDA out of memory. Tried to allocate ", 1234.5, " MiB. GPU ", 0, " has a total capacity of ", 79.1,
            " GiB of which ", 2.5, " MiB is free"),
        1234 * 1024 * 1024 + 512 * 1024, 2 * 1024 * 1024 + 512 * 1024);
    check(
        ctorch::make_text(1234567, " ", 0.5) == "1234567 0.5", "a text of ours", ctorch::make_text(1234567, " ", 0.5));
    std::locale::global(before);
  }
}

}  // namespace

int main() {
  templates_are_well_formed();
  wordings_of_devices();
  wordings_of_memory();
  spellings_of_dtypes();
  numbers_saturate();
  the_odd_one_of_several_is_found();
  other_codes_are_left_alone();
  damaged_text_is_survived();
  locales_that_group_digits();
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
