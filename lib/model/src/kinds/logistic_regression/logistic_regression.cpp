#include "postern/model/kinds/logistic_regression.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study.hpp"

#include "kinds/checks.hpp"
#include "kinds/generalised_linear/text.hpp"
#include "kinds/logistic_regression/covariates_text.hpp"
#include "kinds/logistic_regression/text.hpp"
#include "kinds/regression.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

constexpr const char* kWord = "logistic-regression";

/// A study that says nothing of rounds is measured once, by sums of products.
bool measures_gradients(Node& node) {
  const std::array keys{"expected_records", "covariates", "rounds", "split", "step", "intercept"};
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return node.has(key); });
}

/// What of the budget is the gradients', where a part counts the records.
Rational for_gradients(const Study& study, const Rational& budget) {
  return study.privacy.adjacency == Adjacency::replace_one ? budget : Rational(budget * Rational(9, 10));
}

/// The gradient of a round, noised to cost that round's part of the gradients' budget.
std::vector<Block> gradient_blocks(const Study& study, const Rational& budget, std::size_t round,
                                   std::vector<std::int64_t> theta) {
  const auto& model = study.model.get<LogisticRegression>();
  Rational all = 0;
  for (const Rational& part : model.split) all += part;
  const Rational amount = for_gradients(study, budget) * model.split.at(round) / all;
  return share_out({{"gradient", gradient_at(model, std::move(theta))}}, study, {}, amount);
}

/// A gradient a round, at the coefficients to which the last one led. Exact: coefficients are whole numbers.
class GradientAscent : public RoundRule {
 public:
  [[nodiscard]] std::string_view name() const override { return "gradient-ascent"; }
  [[nodiscard]] std::size_t at_most(const Study& study, const Request& /*request*/) const override {
    return study.model.get<LogisticRegression>().split.size();
  }
  [[nodiscard]] std::vector<Block> next(const Study& study, const Request& /*request*/,
                                        const Rational& budget,
                                        std::span<const PublishedRound> before) const override {
    const auto& model = study.model.get<LogisticRegression>();
    const MeasuredBlock& last = before.back().blocks.front();
    const auto* at = last.block.statistic.as<GradientSum>();
    if (at == nullptr || last.values.size() != at->theta.size())
      throw Error(ErrorCode::release_inconsistent, {"a round of gradients begins with something else"});
    return gradient_blocks(study, budget, before.size(), ascended(model, *at, last.values));
  }
};

/// Records by the model: features by the law that is assumed of them, the target by its odds.
class SimulatedLabels : public SimulatedRecords {
 public:
  SimulatedLabels(const Study& study, std::int64_t n, const Assumed& assumed, Rng& rng) {
    const auto& model = study.model.get<LogisticRegression>();
    const GradientEntries entries(gradient_at(model, {}), study.schema);
    std::vector<double> scaled(entries.size());
    for (double& one : scaled) one = model.prior_sd.get_d() * draw_normal(rng);
    if (assumed) scaled = scaled_coefficients(*assumed, model, study.schema);
    theta_ = natural_coefficients(scaled, model, study.schema);
    columns_ = model.features.size() + 1;
    std::vector<std::uint32_t> record(columns_, 0);
    std::vector<std::int64_t> w(entries.size());
    const CovariateLaw features = covariate_law(model, study.schema);
    for (std::int64_t i = 0; i < n; ++i) {
      features.draw(record, rng);
      entries.fill(record, w);
      double odds = 0;
      for (std::size_t j = 0; j < w.size(); ++j)
        odds += scaled[j] * static_cast<double>(w[j]) / kGradientSteps;
      record.back() = rng.uniform() < 1 / (1 + std::exp(-odds)) ? 1 : 0;
      levels_.insert(levels_.end(), record.begin(), record.end());
    }
  }
  [[nodiscard]] const std::vector<double>& theta() const override { return theta_; }
  void for_each(const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const override {
    for (std::size_t at = 0; at + columns_ <= levels_.size(); at += columns_)
      add(std::span(levels_).subspan(at, columns_), 1);
  }

 private:
  std::vector<double> theta_;
  std::vector<std::uint32_t> levels_;
  std::size_t columns_ = 1;
};

class LogisticRegressionKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "logistic_regression"; }
  [[nodiscard]] std::string_view study_kind() const override { return kWord; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return kWord; }
  /// The features, the target last.
  [[nodiscard]] std::vector<std::string> columns(const Model& of) const override {
    const auto& model = of.get<LogisticRegression>();
    return regression_columns(model.features, model.target);
  }
  void check(const Model& model, const Schema& schema) const override {
    check_logistic(model.get<LogisticRegression>(), schema);
  }

  [[nodiscard]] std::vector<Mechanism> mechanisms(const Study& /*study*/) const override {
    return {Mechanism::gradient};
  }
  /// The first gradient, at coefficients 0, and the number of records where it is private.
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    if (!request.shares.empty())
      throw Error(ErrorCode::bad_option,
                  {"gradients take no shares: the study's `split` says what each round has of the budget"});
    const auto& model = study.model.get<LogisticRegression>();
    const GradientEntries entries(gradient_at(model, {}), study.schema);
    std::vector<Block> blocks =
        gradient_blocks(study, budget, 0, std::vector<std::int64_t>(entries.size(), 0));
    if (study.privacy.adjacency == Adjacency::add_remove)
      blocks.push_back(
          share_out({{"count", RecordCount{}}}, study, {}, budget - for_gradients(study, budget)).front());
    return blocks;
  }
  [[nodiscard]] const RoundRule* round_rule(const Study& /*study*/,
                                            const Request& /*request*/) const override {
    static const GradientAscent rule;
    return &rule;
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    if (!measures_gradients(node)) return read_glm(node, GlmFamily::logistic, schema);
    return read_logistic(node, schema);
  }
  [[nodiscard]] JsonValue write(const Model& model) const override {
    return write_logistic(model.get<LogisticRegression>());
  }
  [[nodiscard]] std::string text(const Model& of, const Schema& /*schema*/) const override {
    const auto& model = of.get<LogisticRegression>();
    return std::string(kWord) + ": " + model.target + " on " + joined(model.features, ", ") + ", " +
           std::to_string(model.split.size()) + " rounds, prior normal(" + to_decimal(model.prior_sd) +
           "), features " + covariates_words(model.covariates, model.features);
  }

  [[nodiscard]] PriorWords prior_words(const Model& /*model*/) const override {
    return {"normal", 1, "standard deviation of a scaled column's coefficient"};
  }
  [[nodiscard]] Model with_prior(const Model& of, const std::vector<Rational>& numbers) const override {
    LogisticRegression model = of.get<LogisticRegression>();
    model.prior_sd = numbers.at(0);
    return model;
  }
  [[nodiscard]] Model without_prior(const Model& of) const override { return with_prior(of, {1}); }
  /// A record of a scaled column says at most 1/4 about its coefficient's precision.
  [[nodiscard]] double prior_records(const Model& of) const override {
    const double sd = of.get<LogisticRegression>().prior_sd.get_d();
    return 4 / (sd * sd);
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& of, const Rational& factor) const override {
    const Rational& sd = of.get<LogisticRegression>().prior_sd;
    return {root_below(sd * sd / factor)};
  }

  /// "beta.1", ...: the intercept where there is one, then the slopes.
  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    const auto& model = study.model.get<LogisticRegression>();
    return coefficient_parameters(model.features, model.target, model.intercept, study.schema);
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    return std::make_unique<SimulatedLabels>(study, n, assumed, rng);
  }
};

}  // namespace

const Kind& kind_of(const LogisticRegression& /*model*/) {
  static const LogisticRegressionKind kind;
  return kind;
}

}  // namespace postern::model
