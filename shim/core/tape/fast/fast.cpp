// Which operators have steps of ctorch's own.
#include "core/tape/fast/fast.hpp"

#include <c10/util/string_view.h>

#include <string>
#include <unordered_map>

#include "core/tape/tensors.hpp"

namespace ctorch::tape {
namespace {

const Maker *maker_of(const Record &record) {
  static const auto *all = [] {
    auto *made = new std::unordered_map<std::string_view, Maker>;
    for (Makers makers :
         {attention_makers(), convolution_makers(), element_makers(), foreach_makers(), index_makers(), loss_makers(),
          matrix_makers(), move_makers(), norm_makers(), optimizer_makers(), reduction_makers()}) {
      for (const Maker &maker : makers) {
        made->emplace(maker.op, maker);
      }
    }
    return made;
  }();
  const auto found = all->find(name_of(record.op));
  return found == all->end() || found->second.args != record.args.size() ? nullptr : &found->second;
}

}  // namespace

std::unique_ptr<Step> fast_step(const Record &record) {
  const Maker *maker = maker_of(record);
  return maker == nullptr ? nullptr : maker->make(record);
}

std::unique_ptr<Step> moving_step(const Record &record) {
  const Maker *maker = maker_of(record);
  return maker == nullptr || !maker->moves ? nullptr : maker->make(record);
}

}  // namespace ctorch::tape
