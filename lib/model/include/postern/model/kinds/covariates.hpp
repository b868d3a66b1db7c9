#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/core/rng.hpp"
#include "postern/model/schema.hpp"

namespace postern::model {

/// What a study assumes of one feature.
struct ColumnLaw {
  enum class Shape : std::uint8_t {
    uniform,  ///< every level as likely as the others
    normal,   ///< a number's: mean and standard deviation; what lies beyond the bounds is at them
    weights,  ///< a category's, one a level; a number's, one for each of equally wide parts of its range
  };
  Shape shape = Shape::uniform;
  std::vector<Rational> numbers = {};
};

/// What a study assumes of the law of its features, which noisy gradients do not tell: a law a column,
/// columns independent, or public records that stand for it as they are.
struct Covariates {
  std::vector<ColumnLaw> laws = {};      ///< one a feature; none: all are uniform
  std::vector<std::uint32_t> rows = {};  ///< levels of public records, record after record; then no laws
};

inline constexpr std::size_t kMostCovariateRows = 2000;

/// That law, over levels of the features in their order.
class CovariateLaw {
 public:
  /// @pre the study was checked
  CovariateLaw(const Covariates& covariates, const std::vector<std::string>& features, const Schema& schema);

  [[nodiscard]] std::size_t features() const { return features_; }
  /// Public records that stand for the law, with the error that so many leave; 0 where it is stated.
  [[nodiscard]] std::size_t rows() const { return rows_.size() / features_; }
  /// @pre i < rows()
  [[nodiscard]] std::span<const std::uint32_t> row(std::size_t i) const {
    return std::span(rows_).subspan(i * features_, features_);
  }
  /// The level below which a share u of records lies. @pre rows() == 0, 0 <= u < 1
  [[nodiscard]] std::uint32_t level(std::size_t feature, double u) const;
  /// Levels of one record. What follows the features in `levels` is left as it is.
  void draw(std::span<std::uint32_t> levels, Rng& rng) const;

 private:
  std::size_t features_;
  std::vector<std::vector<double>> below_;  ///< P(level <= l), feature by feature; none where it is uniform
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace postern::model
