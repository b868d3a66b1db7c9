#pragma once

#include <concepts>
#include <memory>
#include <typeindex>
#include <typeinfo>
#include <utility>

#include "postern/core/error.hpp"

namespace postern {

/// Facts that belong to a kind: beside their type, `kind_of` names the one object that knows what to do with
/// it.
template <class Facts, class Kind>
concept FactsOf = requires(const Facts& facts) {
  { kind_of(facts) } -> std::same_as<const Kind&>;
};

/// An immutable value of one of several kinds; cheap to copy. Whoever holds it asks its kind, and only the
/// kind's own folder looks at the facts (`as`): no list of all kinds stands anywhere but in their registry.
template <class Kind>
class Kinded {
 public:
  Kinded() = default;
  template <FactsOf<Kind> Facts>
  Kinded(Facts facts)  // NOLINT(*-explicit-*): a value of a kind is its facts
      : kind_(&kind_of(facts)),
        type_(typeid(Facts)),
        facts_(std::make_shared<const Facts>(std::move(facts))) {}

  [[nodiscard]] const Kind& kind() const {
    if (kind_ == nullptr) throw Error(ErrorCode::internal, {"a value without a kind was asked for it"});
    return *kind_;
  }
  /// The facts, if they are these.
  template <class Facts>
  [[nodiscard]] const Facts* as() const {
    return type_ == typeid(Facts) ? static_cast<const Facts*>(facts_.get()) : nullptr;
  }
  /// @pre they are these; anything else is refused as internal.
  template <class Facts>
  [[nodiscard]] const Facts& get() const {
    const Facts* facts = as<Facts>();
    if (facts == nullptr) throw Error(ErrorCode::internal, {"a value was taken for one of another kind"});
    return *facts;
  }

 private:
  const Kind* kind_ = nullptr;
  std::type_index type_ = typeid(void);
  std::shared_ptr<const void> facts_;
};

}  // namespace postern
