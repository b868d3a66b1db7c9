#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/units.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// How a budget is spent on a study, chosen by the owner within what the model's kind offers. It stands in
/// the plan, the ledger and the document, and `verify` plans again by it.
struct Request {
  Mechanism mechanism = Mechanism::laplace;
  /// Of blocks, by their names: how many times the precision (lambda, or 1/sigma^2) that they have by default
  /// in proportion to the others. 1 where a block is not named.
  std::map<std::string, Rational> shares;
};

/// What a plan fixes of rounds: by which rule they follow each other (postern/model/rounds.hpp), and how many
/// there can be.
struct RoundsPlan {
  std::string rule;
  std::size_t at_most = 1;
  friend bool operator==(const RoundsPlan&, const RoundsPlan&) = default;
};

/// The measurement a study needs, noised so that its cost is exactly the budget. It is what the ledger
/// charges and what the noise source draws; `cost` is in whole nano-units. Where there are rounds the
/// measurement is that of the first, and the cost, which is the budget, pays for all.
struct NoisePlan {
  Request request;
  Measurement measurement;
  Spend cost{Currency::pure, 0};
  std::optional<RoundsPlan> rounds = {};
};
[[nodiscard]] NoisePlan make_noise_plan(const Study& study, const Request& request, const Spend& budget);
[[nodiscard]] NoisePlan make_noise_plan(const Study& study, Mechanism mechanism, const Spend& budget);
/// The mechanism a study asks for when none is named: the first that its kind offers.
[[nodiscard]] Mechanism default_mechanism(const Study& study);

}  // namespace postern::model
