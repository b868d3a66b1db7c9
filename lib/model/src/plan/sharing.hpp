#pragma once

#include <string>
#include <vector>

#include "postern/model/plan.hpp"

namespace postern::model {

/// A block to be noised beside others. `unit` is what a change of one coordinate by 1 costs in proportion:
/// lambda or 1/sigma^2. The name is what an owner's shares call it.
struct WantedBlock {
  std::string name;
  Statistic statistic;
  Rational unit = 1;
};

/// A Laplace scale or a deviation in proportion to 1/weight (docs/decisions/noise-in-proportion.md).
[[nodiscard]] Rational unit_of(const Rational& weight, const Study& study);

/// The blocks, noised in proportion to their units and the request's shares so that together they cost
/// exactly `amount`. Refuses shares of blocks that are not there.
[[nodiscard]] std::vector<Block> share_out(const std::vector<WantedBlock>& wanted, const Study& study,
                                           const Request& request, const Rational& amount);
/// The same, with a tenth of the budget (times its share) for the number of records where that is private.
[[nodiscard]] std::vector<Block> share_out_with_count(const std::vector<WantedBlock>& wanted,
                                                      const Study& study, const Request& request,
                                                      const Rational& budget);
/// The largest multiple of 2^-80 whose square is at most `value`: a scale of scores whose cost in rho is
/// within a billionth of the budget, and not above.
[[nodiscard]] Rational root_below(const Rational& value);
/// Choices that share the budget evenly, or by the request's shares.
[[nodiscard]] std::vector<Block> share_choices(const std::vector<WantedBlock>& wanted, const Study& study,
                                               const Request& request, const Rational& budget);
/// The same, with a tenth of the budget (times its share) for the number of records where that is private.
[[nodiscard]] std::vector<Block> share_choices_with_count(const std::vector<WantedBlock>& wanted,
                                                          const Study& study, const Request& request,
                                                          const Rational& budget);

}  // namespace postern::model
