#pragma once

#include <utility>

#include "postern/owner/arrow_abi.hpp"

namespace postern::owner {

/// Owns one struct of the Arrow C interfaces: releases it once, by its own callback.
template <class Struct>
class ArrowHandle {
 public:
  ArrowHandle() = default;
  /// Moves out of the given struct, as the interface says: its release callback becomes null.
  explicit ArrowHandle(Struct* given) : held_(*given) { given->release = nullptr; }
  ArrowHandle(ArrowHandle&& other) noexcept : held_(other.held_) { other.held_.release = nullptr; }
  ArrowHandle& operator=(ArrowHandle&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~ArrowHandle() {
    if (held_.release != nullptr) held_.release(&held_);
  }
  [[nodiscard]] bool filled() const { return held_.release != nullptr; }
  [[nodiscard]] Struct* get() { return &held_; }
  [[nodiscard]] const Struct& operator*() const { return held_; }
  [[nodiscard]] const Struct* operator->() const { return &held_; }

 private:
  Struct held_{};
};

}  // namespace postern::owner
