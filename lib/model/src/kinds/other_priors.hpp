#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/model.hpp"

namespace postern::model {

/// What a kind may also be: one whose prior has other names than that of its PriorWords.
class OtherPriors {
 public:
  OtherPriors() = default;
  OtherPriors(const OtherPriors&) = delete;
  OtherPriors& operator=(const OtherPriors&) = delete;
  virtual ~OtherPriors() = default;
  /// "bdeu 10": how such a prior is written.
  [[nodiscard]] virtual std::string other_prior() const = 0;
  /// The numbers of Kind::with_prior for the prior of this name with one number; nothing if there is none of
  /// that name.
  [[nodiscard]] virtual std::optional<std::vector<Rational>> other_prior_numbers(
      const Model& model, std::string_view name, const Rational& number) const = 0;
};

}  // namespace postern::model
