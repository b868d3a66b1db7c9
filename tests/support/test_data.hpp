// Where the files of tests/data are.
#pragma once

#include <string>

namespace postern {

/// The path of a file, given by its place below tests/data.
[[nodiscard]] std::string test_data(const std::string& name);

}  // namespace postern
