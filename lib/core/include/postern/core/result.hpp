#pragma once

#include <utility>
#include <variant>

#include "postern/core/error.hpp"

namespace postern {

/// A value or the reason there is none, for callers that branch on failure.
template <class T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(*-explicit-*)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(*-explicit-*)
  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const { return std::get<Error>(state_); }
  /// The value; throws the error if there is none.
  [[nodiscard]] const T& value() const& {
    if (!ok()) throw error();
    return std::get<T>(state_);
  }
  [[nodiscard]] T value() && {
    if (!ok()) throw error();
    return std::get<T>(std::move(state_));
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace postern
