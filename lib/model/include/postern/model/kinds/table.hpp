#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/model.hpp"

namespace postern::model {

/// x ~ Bernoulli(theta) where x = [column is at `success`]; theta ~ Beta(a, b).
struct Bernoulli {
  std::string column;
  std::uint32_t success = 1;
  Rational a = 1;
  Rational b = 1;
  bool learned = false;  ///< theta ~ the learned prior; a and b are the planning law's
};
[[nodiscard]] const Kind& kind_of(const Bernoulli& model);

/// The joint level of some columns is Categorical(p); p ~ Dirichlet(alpha), one alpha a cell, row-major.
struct Categorical {
  std::vector<std::string> columns;
  std::vector<Rational> alpha;
  bool learned = false;  ///< p has the learned prior (docs/priors.md); alpha is the planning law's
};
[[nodiscard]] const Kind& kind_of(const Categorical& model);

/// Records of a table that were made up.
class SimulatedTable : public SimulatedRecords {
 public:
  SimulatedTable(std::vector<double> theta, std::vector<std::int64_t> counts,
                 std::vector<std::uint32_t> sizes)
      : theta_(std::move(theta)), counts_(std::move(counts)), sizes_(std::move(sizes)) {}
  [[nodiscard]] const std::vector<double>& theta() const override { return theta_; }
  void for_each(const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const override;
  /// Row-major, in the order of levels.
  [[nodiscard]] const std::vector<std::int64_t>& counts() const { return counts_; }

 private:
  std::vector<double> theta_;
  std::vector<std::int64_t> counts_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace postern::model
