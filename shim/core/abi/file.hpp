// Files that are complete or not there.
#pragma once

#include <string>
#include <string_view>

namespace ctorch {

/// Write a file under another name, then give it its own. IO if that fails; what was there stays then.
void write_file(const std::string &path, std::string_view content);

}  // namespace ctorch
