// A string says nothing of where it came from; from_study(), from_option() and the others do.
#include <string>

#include "postern/core/error.hpp"

using namespace postern;

PublicText name_it(const std::string& text) {
#ifdef MUST_NOT_COMPILE
  return PublicText{"the value is ", text};
#else
  return PublicText{"the value is ", from_option(text)};
#endif
}
