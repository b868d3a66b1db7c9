// The bytes of a field are for the encoder alone.
#include <string>

#include "postern/model/field.hpp"

using namespace postern;

std::string read(model::Field field, std::string_view declared) {
#ifdef MUST_NOT_COMPILE
  static_cast<void>(declared);
  return std::string(field.bytes_);
#else
  static_cast<void>(field);
  return std::string(declared);
#endif
}
