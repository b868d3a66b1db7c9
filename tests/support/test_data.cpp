#include "test_data.hpp"

namespace postern {

// The one source that knows the folder: all others compile to the same in every copy of the tree.
std::string test_data(const std::string& name) { return std::string(POSTERN_TEST_DATA) + "/" + name; }

}  // namespace postern
