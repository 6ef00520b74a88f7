// The loader of LibTorch's C++ frontend over the same data.
#include <torch/torch.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "loaders.h"

namespace {

using Batch = torch::data::Example<>;

class Memory : public torch::data::datasets::Dataset<Memory> {
 public:
  Memory() : x(torch::rand({MEMORY_LEN, MEMORY_FEATURES})), y(torch::randint(10, MEMORY_LEN)) {}
  Batch get(size_t i) override {
    const auto index = static_cast<int64_t>(i);
    return {x[index], y[index]};
  }
  [[nodiscard]] c10::optional<size_t> size() const override { return MEMORY_LEN; }

 private:
  torch::Tensor x, y;
};

class Files : public torch::data::datasets::Dataset<Files> {
 public:
  Files(std::string folder, int64_t len) : folder(std::move(folder)), len(len) {}
  Batch get(size_t i) override {
    char name[32];
    std::snprintf(name, sizeof name, "/%06zu", i);
    torch::Tensor x = torch::empty({FILE_BYTES}, torch::kUInt8);
    std::FILE *file = std::fopen((folder + name).c_str(), "rb");
    if (file == nullptr || std::fread(x.data_ptr(), 1, FILE_BYTES, file) != FILE_BYTES) {
      throw std::runtime_error(folder + name);
    }
    std::fclose(file);
    return {x, torch::tensor(static_cast<int64_t>(i % 10))};
  }
  [[nodiscard]] c10::optional<size_t> size() const override { return len; }

 private:
  std::string folder;
  int64_t len;
};

class Tokens : public torch::data::datasets::Dataset<Tokens> {
 public:
  explicit Tokens(const char *path) {
    std::FILE *file = std::fopen(path, "rb");
    std::fseek(file, 0, SEEK_END);
    const int64_t n = std::ftell(file) / 2;
    std::fclose(file);
    all = torch::from_file(path, false, n, torch::kUInt16);
  }
  Batch get(size_t i) override {
    const auto start = static_cast<int64_t>(i) * BLOCK;
    const torch::Tensor window = all.narrow(0, start, BLOCK + 1).to(torch::kInt64);
    return {window.narrow(0, 0, BLOCK), window.narrow(0, 1, BLOCK)};
  }
  [[nodiscard]] c10::optional<size_t> size() const override { return (all.numel() - 1) / BLOCK; }

 private:
  torch::Tensor all;
};

template <typename Dataset>
loaded epoch(Dataset dataset, int64_t batch_size, int64_t workers) {
  const auto options = torch::data::DataLoaderOptions(batch_size).workers(workers);
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      dataset.map(torch::data::transforms::Stack<>()), options);
  loaded all = {0, 0};
  for (auto &batch : *loader) {
    all.samples += batch.data.size(0);
    all.bytes += static_cast<int64_t>(batch.data.nbytes());
  }
  return all;
}

}  // namespace

loaded libtorch_epoch(const char *kind, const char *path, int64_t batch_size, int64_t workers, int64_t len) {
  if (std::strcmp(kind, "memory") == 0) {
    static const Memory memory;
    return epoch(memory, batch_size, workers);
  }
  return std::strcmp(kind, "files") == 0 ? epoch(Files(path, len), batch_size, workers)
                                         : epoch(Tokens(path), batch_size, workers);
}
