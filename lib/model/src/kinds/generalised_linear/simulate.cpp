#include "kinds/generalised_linear/simulate.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

#include "kinds/linear_regression/simulate.hpp"

namespace postern::model {
namespace {

/// The same columns with a target of 0 and 1, so that a linear regression makes up the features.
Schema with_plain_target(const Schema& schema, const std::string& target) {
  std::vector<Column> columns = schema.columns();
  for (Column& column : columns) {
    if (column.name == target) column = {target, IntegerRange{0, 1, {}}, MapTo{0}, Clamp{}, true};
  }
  return Schema(std::move(columns));
}

class Predictor {
 public:
  Predictor(const GeneralisedLinear& model, const Schema& schema, std::vector<double> scaled)
      : entries_(feature_entries(model.features, model.target, schema)),
        scaled_(std::move(scaled)),
        steps_(static_cast<double>(model.steps)) {
    for (const std::string& name : model.features) {
      const Column& column = schema.at(name);
      numbers_.push_back(is_regression_number(column) ? moment_levels(column, model.steps)
                                                      : std::vector<std::int16_t>());
    }
  }
  [[nodiscard]] double at(std::span<const std::uint32_t> levels) const {
    double sum = scaled_[0];
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const auto [column, level] = entries_[e];
      const double x = level > 0 ? (levels[column] == level ? 1.0 : 0.0)
                                 : static_cast<double>(numbers_[column][levels[column]]) / steps_;
      sum += scaled_[e + 1] * x;
    }
    return sum;
  }

 private:
  std::vector<MomentEntry> entries_;
  std::vector<double> scaled_;
  double steps_;
  std::vector<std::vector<std::int16_t>> numbers_;  ///< none of a category
};

std::vector<double> draw_scaled(const GeneralisedLinear& model, const Schema& schema, std::size_t features,
                                Rng& rng) {
  const InterceptPrior first = intercept_prior(model, schema);
  std::vector<double> out{first.mean + first.sd * draw_normal(rng)};
  for (std::size_t i = 0; i < features; ++i) out.push_back(model.prior_sd.get_d() * draw_normal(rng));
  return out;
}

std::uint32_t draw_target(GlmFamily family, double predictor, std::int64_t most, bool& outside, Rng& rng) {
  if (family == GlmFamily::logistic) return rng.uniform() < 1 / (1 + std::exp(-predictor)) ? 1 : 0;
  const double sure = std::log(static_cast<double>(most)) + 3;  // past it nothing but the last level is drawn
  const double count = predictor > sure ? std::exp(sure) : draw_poisson(std::exp(predictor), rng);
  outside = outside || count > static_cast<double>(most);
  return static_cast<std::uint32_t>(std::min(count, static_cast<double>(most)));
}

}  // namespace

std::unique_ptr<const SimulatedRecords> simulate_glm(const GeneralisedLinear& model, const Schema& schema,
                                                     std::int64_t n, const Assumed& assumed, Rng& rng) {
  const std::size_t features = feature_entries(model.features, model.target, schema).size();
  LinearRegression line;
  line.target = model.target;
  line.features = model.features;
  line.prior.slopes = Rational(static_cast<long>(features), 5);
  const auto made = simulate_regression(line, with_plain_target(schema, model.target), n, {}, rng);
  const std::vector<double> scaled =
      assumed ? scaled_coefficients(*assumed, model, schema) : draw_scaled(model, schema, features, rng);
  const Predictor predictor(model, schema, scaled);
  const std::int64_t most = glm_most(model, schema);
  std::vector<std::uint32_t> levels;
  std::int64_t outside = 0;
  made->for_each([&](std::span<const std::uint32_t> record, std::int64_t /*one*/) {
    bool off = false;
    levels.insert(levels.end(), record.begin(), record.end() - 1);
    levels.push_back(draw_target(model.family, predictor.at(record), most, off, rng));
    if (off) ++outside;
  });
  return std::make_unique<SimulatedRegression>(natural_coefficients(scaled, model, schema), std::move(levels),
                                               model.features.size() + 1, outside);
}

}  // namespace postern::model
