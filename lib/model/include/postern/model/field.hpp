#pragma once

#include <string_view>

namespace postern::model {

/// The raw text of one field of one record. It can be encoded and nothing else: no printing, no conversion, so an
/// error message built from a record does not compile.
class Field {
 public:
  explicit Field(std::string_view bytes) : bytes_(bytes) {}

 private:
  friend class Encoder;
  std::string_view bytes_;
};

}  // namespace postern::model
