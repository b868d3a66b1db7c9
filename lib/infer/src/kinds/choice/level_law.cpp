#include "level_law.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/table/count_model.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/kinds/number.hpp"

#include "kinds/number/model.hpp"

namespace postern::infer {
namespace {

/// Probabilities of levels with a Dirichlet prior: bernoulli, categorical.
class DirichletLevels : public LevelLaw {
 public:
  explicit DirichletLevels(CountModel model) : model_(std::move(model)) {}

  [[nodiscard]] std::vector<std::string> names() const override {
    std::vector<std::string> out;
    for (const CellQuantity& quantity : model_.quantities) out.push_back(quantity.name);
    return out;
  }
  [[nodiscard]] std::vector<std::string> labels() const override {
    std::vector<std::string> out;
    for (const CellQuantity& quantity : model_.quantities) out.push_back(quantity.label);
    return out;
  }
  void report(const Theta& theta, std::span<double> out) const override {
    for (std::size_t q = 0; q < model_.quantities.size(); ++q) out[q] = theta[model_.quantities[q].cell];
  }
  void probabilities(const Theta& theta, std::vector<double>& p) const override { p = theta; }
  [[nodiscard]] Theta draw(std::span<const std::int64_t> counts, Rng& rng) const override {
    std::vector<double> alpha = model_.alpha;
    for (std::size_t x = 0; x < alpha.size(); ++x) alpha[x] += static_cast<double>(counts[x]);
    Theta theta(alpha.size());
    draw_dirichlet(alpha, theta, rng);
    return theta;
  }
  [[nodiscard]] double log_excess(const Theta& /*theta*/,
                                  std::span<const std::int64_t> /*counts*/) const override {
    return 0;
  }
  [[nodiscard]] std::span<const double> dirichlet() const override { return model_.alpha; }
  [[nodiscard]] Line line() const override { return {0, 1}; }
  [[nodiscard]] double log_prior(double at) const override {
    const std::size_t cell = model_.quantities.front().cell;
    return beta_log_density(model_.alpha[cell], model_.alpha[1 - cell], at);
  }
  [[nodiscard]] Theta on_line(double at) const override {
    Theta theta(2, 1 - at);
    theta[model_.quantities.front().cell] = at;
    return theta;
  }

 private:
  CountModel model_;
};

/// A number's parameters. q takes every level for the number that it stands for, which is right but for
/// rounding and for what was clamped.
class NumberLevels : public LevelLaw {
 public:
  NumberLevels(NumberModel model, model::EncodedNumber number)
      : model_(std::move(model)), number_(std::move(number)) {}

  [[nodiscard]] std::vector<std::string> names() const override { return model_.names; }
  [[nodiscard]] std::vector<std::string> labels() const override { return model_.labels; }
  void report(const Theta& theta, std::span<double> out) const override {
    std::copy_n(theta.begin(), model_.names.size(), out.begin());
  }
  void probabilities(const Theta& theta, std::vector<double>& p) const override {
    model::level_masses(*model_.law, inside(theta), number_, p);
  }
  [[nodiscard]] Theta draw(std::span<const std::int64_t> counts, Rng& rng) const override {
    const model::Theta theta = model_.law->draw_theta(after(counts), rng);
    return {theta.begin(), theta.end()};
  }
  [[nodiscard]] double log_excess(const Theta& theta, std::span<const std::int64_t> counts) const override {
    std::vector<double> p;
    probabilities(theta, p);
    double out = model_.law->log_prior(model_.prior, inside(theta)) -
                 model_.law->log_prior(after(counts), inside(theta));
    for (std::size_t x = 0; x < p.size(); ++x) {
      if (counts[x] > 0) out += static_cast<double>(counts[x]) * (p[x] > 0 ? std::log(p[x]) : kMinusInfinity);
    }
    return out;
  }
  [[nodiscard]] Line line() const override {
    constexpr double kDeviations = 9;
    const double reach = kDeviations * std::sqrt(model_.prior[1]);
    return {model_.prior[0] - reach, model_.prior[0] + reach};
  }
  [[nodiscard]] double log_prior(double at) const override {
    return model_.law->log_prior(model_.prior, {at, 0});
  }
  [[nodiscard]] Theta on_line(double at) const override { return {at, 0}; }

 private:
  static model::Theta inside(const Theta& theta) { return {theta[0], theta[1]}; }
  [[nodiscard]] model::Hyper after(std::span<const std::int64_t> counts) const {
    model::Sums sums;
    for (std::size_t x = 0; x < counts.size(); ++x) {
      const double t =
          number_.values.zero + number_.values.unit * static_cast<double>(number_.values.adds[x]);
      sums.n += static_cast<double>(counts[x]);
      sums.t += t * static_cast<double>(counts[x]);
    }
    return sums.n > 0 ? model_.law->update(model_.prior, sums) : model_.prior;
  }

  NumberModel model_;
  model::EncodedNumber number_;
};

}  // namespace

std::unique_ptr<const LevelLaw> make_level_law(const model::Study& records, const InferOptions& options) {
  const auto* number = records.model.as<model::Number>();
  if (number == nullptr) return std::make_unique<DirichletLevels>(make_count_model(records, options));
  NumberModel model = make_number_model(records, options);
  model::EncodedNumber encoded = model::encoded_number(
      records.schema.at(number->column), model.family->transform(number->known), model.family->wholes());
  return std::make_unique<NumberLevels>(std::move(model), std::move(encoded));
}

}  // namespace postern::infer
