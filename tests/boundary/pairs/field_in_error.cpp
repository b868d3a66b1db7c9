// An error cannot quote a record.
#include "postern/core/error.hpp"
#include "postern/model/field.hpp"

using namespace postern;

Error refuse(model::Field field, std::string_view column) {
#ifdef MUST_NOT_COMPILE
  return Error(ErrorCode::bad_value, PublicText{"a value of ", from_study(column), " is ", field});
#else
  static_cast<void>(field);
  return Error(ErrorCode::bad_value, PublicText{"a value of ", from_study(column), " is not declared"});
#endif
}
