// Which operators have steps of ctorch's own.
#include "tape/fast.hpp"

#include <c10/util/string_view.h>

#include <string>
#include <unordered_map>

namespace ctorch::tape {
namespace {

const Maker *find(const c10::OperatorName &name) {
  static const auto *all = [] {
    auto *made = new std::unordered_map<std::string_view, Maker>;
    for (Makers makers :
         {attention_makers(), convolution_makers(), element_makers(), foreach_makers(), index_makers(), loss_makers(),
          matrix_makers(), norm_makers(), optimizer_makers(), reduction_makers()}) {
      for (const Maker &maker : makers) {
        made->emplace(maker.op, maker);
      }
    }
    return made;
  }();
  std::string full = name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
  auto found = all->find(full);
  return found == all->end() ? nullptr : &found->second;
}

}  // namespace

std::unique_ptr<Step> fast_step(const Record &record) {
  const Maker *maker = find(record.op.operator_name());
  return maker == nullptr || maker->args != record.args.size() ? nullptr : maker->make(record);
}

}  // namespace ctorch::tape
