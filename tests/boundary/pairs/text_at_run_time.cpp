// Only a literal of our own is public as it stands; a pointer known at run time is not a literal.
#include <string>

#include "postern/core/error.hpp"

using namespace postern;

PublicText name_it(const std::string& text) {
#ifdef MUST_NOT_COMPILE
  return PublicText{text.c_str()};
#else
  static_cast<void>(text);
  return PublicText{"a literal"};
#endif
}
