#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "postern/core/error.hpp"

namespace postern::model {

/// Where in a study a fault lies: its keys from the outside in, and the item where the value is a list.
struct StudyPlace {
  std::vector<std::string> keys;
  std::optional<std::size_t> item = std::nullopt;
};

/// A fault of a study that knows its place, so that whoever read the study from a file can name the line.
class StudyError : public Error {
 public:
  StudyError(StudyPlace place, ErrorCode code, const PublicText& text)
      : Error(code, text), place_(std::move(place)) {}
  StudyError(StudyPlace place, const Error& error) : Error(error), place_(std::move(place)) {}
  [[nodiscard]] const StudyPlace& place() const { return place_; }

 private:
  StudyPlace place_;
};

/// Runs `check`; an error of it that has no place gets this one.
template <class Check>
decltype(auto) at_place(StudyPlace place, Check check) {
  try {
    return check();
  } catch (const StudyError&) {
    throw;
  } catch (const Error& error) {
    throw StudyError(std::move(place), error);
  }
}

}  // namespace postern::model
