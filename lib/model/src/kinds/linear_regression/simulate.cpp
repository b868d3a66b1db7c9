#include "kinds/linear_regression/simulate.hpp"

#include <cmath>
#include <optional>

#include "postern/core/draw.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/wishart.hpp"

namespace postern::model {
namespace {

constexpr double kReach = 2;          // standard deviations of a column that its bounds hold
constexpr double kTargetReach = 2.5;  // of the target: about one record in a hundred lies outside
constexpr int kTries = 1'000;
constexpr double kExtraDegrees = 11;   // the prior of the features' covariance: d + 11 degrees,
constexpr double kScaleOfSpread = 10;  // scale 10 spread I

/// The law of the features, scaled.
struct FeatureLaw {
  VectorTheta numbers;                           ///< of those that are numbers, in their order
  std::vector<std::vector<double>> frequencies;  ///< one a feature; none of a number
};

/// A mean whose column would reach past its bounds is drawn anew from where it would not.
void pull_inside(VectorTheta& theta, Rng& rng) {
  const std::size_t d = theta.mean.size();
  for (std::size_t i = 0; i < d; ++i) {
    const double room = std::max(0.0, 1 - kReach * std::sqrt(theta.covariance[i * d + i]));
    if (std::abs(theta.mean[i]) > room) theta.mean[i] = room * (2 * rng.uniform() - 1);
  }
}

FeatureLaw draw_features(const LinearRegression& model, const Schema& schema, Rng& rng) {
  FeatureLaw law;
  std::size_t d = 0;
  for (const std::string& name : model.features) {
    const Column& column = schema.at(name);
    std::vector<double>& frequencies = law.frequencies.emplace_back();
    if (is_regression_number(column)) {
      ++d;
    } else {
      frequencies.assign(column.levels(), 1);
      draw_dirichlet(frequencies, frequencies, rng);
    }
  }
  if (d == 0) return law;
  const auto size = static_cast<double>(d);
  WishartPrior prior{std::vector<double>(d), model.prior.mean_weight.get_d(), size + kExtraDegrees,
                     std::vector<double>(d * d)};
  for (std::size_t i = 0; i < d; ++i) prior.scale[i * d + i] = kScaleOfSpread * model.prior.spread.get_d();
  law.numbers = draw_normal_inverse_wishart(prior, rng);
  pull_inside(law.numbers, rng);
  return law;
}

/// The features' entries of one record.
class FeatureDraw {
 public:
  FeatureDraw(const LinearRegression& model, const Schema& schema, FeatureLaw law)
      : law_(std::move(law)), entries_(regression_entries(model, schema)), z_(law_.numbers.mean.size()) {}

  /// Their scaled values, and the level of every category.
  void draw(std::vector<double>& x, std::vector<std::uint32_t>& category, Rng& rng) {
    for (double& one : z_) one = draw_normal(rng);
    for (std::size_t c = 0; c < law_.frequencies.size(); ++c) {
      if (!law_.frequencies[c].empty()) category[c] = draw_level(law_.frequencies[c], rng);
    }
    std::size_t number = 0;
    const std::size_t d = z_.size();
    for (std::size_t e = 0; e + 1 < entries_.size(); ++e) {
      const MomentEntry& entry = entries_[e];
      if (entry.level > 0) {
        x[e] = category[entry.column] == entry.level ? 1 : 0;
        continue;
      }
      x[e] = law_.numbers.mean[number];
      for (std::size_t k = 0; k < d; ++k) x[e] += law_.numbers.root[number * d + k] * z_[k];
      ++number;
    }
  }

 private:
  static std::uint32_t draw_level(const std::vector<double>& frequencies, Rng& rng) {
    double rest = rng.uniform();
    std::uint32_t level = 0;
    while (level + 1 < frequencies.size() && rest >= frequencies[level]) rest -= frequencies[level++];
    return level;
  }

  FeatureLaw law_;
  std::vector<MomentEntry> entries_;
  std::vector<double> z_;
};

RegressionTheta draw_coefficients(const RegressionPrior& prior, std::size_t entries, Rng& rng) {
  RegressionTheta theta;
  theta.sigma = std::sqrt(prior.rate.get_d() / draw_gamma(prior.shape.get_d(), rng));
  theta.beta.push_back(theta.sigma / std::sqrt(prior.intercept.get_d()) * draw_normal(rng));
  for (std::size_t i = 0; i < entries; ++i)
    theta.beta.push_back(theta.sigma / std::sqrt(prior.slopes.get_d()) * draw_normal(rng));
  return theta;
}

double mean_of(const RegressionTheta& theta, const std::vector<double>& x) {
  double mean = theta.beta[0];
  for (std::size_t i = 0; i < x.size(); ++i) mean += theta.beta[i + 1] * x[i];
  return mean;
}

/// Coefficients with which the target's bounds hold nearly all records, judged by a few; past so many tries,
/// the last with its mean in the middle.
RegressionTheta draw_inside(const RegressionPrior& prior, const std::vector<std::vector<double>>& few,
                            Rng& rng) {
  RegressionTheta theta;
  double middle = 0;
  for (int tried = 0; tried < kTries; ++tried) {
    theta = draw_coefficients(prior, few.front().size(), rng);
    double sum = 0;
    double squares = 0;
    for (const std::vector<double>& x : few) {
      const double mean = mean_of(theta, x);
      sum += mean;
      squares += mean * mean;
    }
    const auto count = static_cast<double>(few.size());
    middle = sum / count;
    const double variance = theta.sigma * theta.sigma + std::max(0.0, squares / count - middle * middle);
    if (std::abs(middle) + kTargetReach * std::sqrt(variance) <= 1) return theta;
  }
  theta.beta[0] -= middle;
  return theta;
}

/// What features and target become when they are encoded, one a column of the model.
class Encoding {
 public:
  Encoding(const std::vector<std::string>& columns, const Schema& schema)
      : numbers_(columns.size()), scales_(columns.size()) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Column& column = schema.at(columns[c]);
      if (!is_regression_number(column)) continue;
      numbers_[c].emplace(column);
      scales_[c] = regression_scale(column);
    }
  }
  /// The level of a scaled number. None is dropped.
  [[nodiscard]] std::uint32_t level(std::size_t column, double scaled, bool& outside) const {
    const double value = scales_[column].centre + scales_[column].half * scaled;
    const NumberLevels& levels = numbers_[column].value();
    outside = outside || levels.lies_outside(value);
    return static_cast<std::uint32_t>(levels.level_of(value));
  }

 private:
  std::vector<std::optional<NumberLevels>> numbers_;  ///< of the columns that are numbers
  std::vector<RegressionScale> scales_;
};

std::vector<std::vector<double>> draw_few(FeatureDraw& features, std::size_t entries, std::size_t columns,
                                          Rng& rng) {
  constexpr std::size_t kFew = 200;
  std::vector<std::vector<double>> few(kFew, std::vector<double>(entries));
  std::vector<std::uint32_t> record(columns);
  for (std::vector<double>& x : few) features.draw(x, record, rng);
  return few;
}

}  // namespace

std::unique_ptr<const SimulatedRecords> simulate_regression(const LinearRegression& model,
                                                            const Schema& schema, std::int64_t n,
                                                            const Assumed& assumed, Rng& rng) {
  std::vector<std::string> names = model.features;
  names.push_back(model.target);
  const Encoding encoding(names, schema);
  const std::vector<MomentEntry> entries = regression_entries(model, schema);
  FeatureDraw features(model, schema, draw_features(model, schema, rng));
  const auto few = draw_few(features, entries.size() - 1, names.size(), rng);
  const RegressionTheta theta =
      assumed ? scaled_parameters(*assumed, model, schema) : draw_inside(model.prior, few, rng);
  std::vector<double> x(entries.size() - 1);
  std::vector<std::uint32_t> record(names.size());
  std::vector<std::uint32_t> levels;
  std::int64_t outside = 0;
  for (std::int64_t r = 0; r < n; ++r) {
    features.draw(x, record, rng);
    bool off = false;
    for (std::size_t e = 0; e < x.size(); ++e) {
      if (entries[e].level == 0) record[entries[e].column] = encoding.level(entries[e].column, x[e], off);
    }
    record.back() = encoding.level(names.size() - 1, mean_of(theta, x) + theta.sigma * draw_normal(rng), off);
    levels.insert(levels.end(), record.begin(), record.end());
    if (off) ++outside;
  }
  return std::make_unique<SimulatedRegression>(natural_parameters(theta, model, schema), std::move(levels),
                                               names.size(), outside);
}

void SimulatedRegression::for_each(
    const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const {
  for (std::size_t at = 0; at + columns_ <= levels_.size(); at += columns_)
    add(std::span(levels_).subspan(at, columns_), 1);
}

}  // namespace postern::model
