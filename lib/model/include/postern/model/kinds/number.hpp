#pragma once

#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/model.hpp"
#include "postern/model/number_law.hpp"

namespace postern::model {

/// A number of one column, x ~ family(theta), with the conjugate prior of that family.
struct Number {
  std::string family;  ///< a name of number_families()
  std::string column;
  std::vector<Rational> known;  ///< in the order of the family's words, as is the prior
  std::vector<Rational> prior;
  bool count_inside = false;  ///< releases also how many records lie surely inside the column's range
  /// The prior is the family's learned one (learned_prior in number_family.hpp), and `prior` is empty. Truths
  /// of plan, calibrate and audit come from the family's planning law.
  bool learned = false;
};
[[nodiscard]] const Kind& kind_of(const Number& model);

/// Records of a number that were made up.
class SimulatedNumbers : public SimulatedRecords {
 public:
  SimulatedNumbers(std::vector<double> theta, std::vector<std::int64_t> counts, const Sums& sums,
                   std::int64_t outside)
      : theta_(std::move(theta)), counts_(std::move(counts)), sums_(sums), outside_(outside) {}
  [[nodiscard]] const std::vector<double>& theta() const override { return theta_; }
  void for_each(const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const override;
  [[nodiscard]] std::int64_t outside() const override { return outside_; }
  /// Of the numbers as they were drawn, before they were encoded.
  [[nodiscard]] const Sums& sums() const { return sums_; }

 private:
  std::vector<double> theta_;
  std::vector<std::int64_t> counts_;  ///< by level
  Sums sums_;
  std::int64_t outside_;
};

}  // namespace postern::model
