#include "predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/kinds/generalised_linear.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {
namespace {

/// The predictor of records under draws of the coefficients.
class LinearPredictor {
 public:
  explicit LinearPredictor(const Basis& basis) : draws_(parameter_draws(basis, basis.options.draws)) {
    const auto& model = basis.study().model.get<model::GeneralisedLinear>();
    const model::Schema& schema = basis.study().schema;
    entries_ = model::feature_entries(model.features, model.target, schema);
    for (const std::string& name : model.features) {
      const model::Column& column = schema.at(name);
      values_.push_back(model::is_regression_number(column) ? model::level_values(column, {})
                                                            : model::LevelValues());
    }
  }
  [[nodiscard]] std::size_t draws() const { return draws_.draws; }
  /// False where a feature is not known.
  [[nodiscard]] bool fill(std::span<const std::int32_t> record, std::span<double> out) const {
    const std::span<const double> intercept = draws_.of(0);
    std::copy(intercept.begin(), intercept.end(), out.begin());
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const auto [column, level] = entries_[e];
      if (record[column] < 0) return false;
      const auto at = static_cast<std::uint32_t>(record[column]);
      const model::LevelValues& values = values_[column];
      const double x = level > 0 ? (at == level ? 1.0 : 0.0)
                                 : values.zero + values.unit * static_cast<double>(values.adds[at]);
      const std::span<const double> slope = draws_.of(e + 1);
      for (std::size_t d = 0; x != 0 && d < slope.size(); ++d) out[d] += slope[d] * x;
    }
    return true;
  }

 private:
  SomeDraws draws_;
  std::vector<model::MomentEntry> entries_;
  std::vector<model::LevelValues> values_;  ///< of each feature; empty for a category
};

class OddsPredictor : public Predictor {
 public:
  explicit OddsPredictor(const Basis& basis) : linear_(basis) {}
  [[nodiscard]] std::size_t draws() const override { return linear_.draws(); }
  [[nodiscard]] std::string how() const override {
    return "the logistic function of each draw's coefficients";
  }
  [[nodiscard]] std::unique_ptr<Worker> worker() const override { return std::make_unique<Own>(linear_); }

 private:
  class Own : public Worker {
   public:
    explicit Own(const LinearPredictor& linear) : linear_(&linear) {}
    void conditional(std::span<const std::int32_t> record, std::span<double> out) override {
      const std::size_t draws = linear_->draws();
      if (!linear_->fill(record, out.first(draws))) {
        std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
        return;
      }
      for (std::size_t d = 0; d < draws; ++d) {
        const double odds = out[d];
        out[d] = 1 / (1 + std::exp(odds));
        out[draws + d] = 1 / (1 + std::exp(-odds));
      }
    }

   private:
    const LinearPredictor* linear_;
  };

  LinearPredictor linear_;
};

class CountPredictor : public NumberPredictor {
 public:
  explicit CountPredictor(const Basis& basis) : linear_(basis) {}
  [[nodiscard]] std::size_t draws() const override { return linear_.draws(); }
  [[nodiscard]] bool counts() const override { return true; }
  [[nodiscard]] std::span<const double> deviations() const override { return {}; }
  [[nodiscard]] double value(std::int32_t level) const override { return level; }
  [[nodiscard]] std::string how() const override {
    return "the mean count of a new record, over the draws of the coefficients";
  }
  [[nodiscard]] bool means(std::span<const std::int32_t> record, std::span<double> means) const override {
    constexpr double kMost = 30;  // a count of 1e13
    if (!linear_.fill(record, means)) return false;
    for (double& one : means) one = std::exp(std::min(one, kMost));
    return true;
  }

 private:
  LinearPredictor linear_;
};

void check_target(const Basis& basis, std::size_t target) {
  const auto& model = basis.study().model.get<model::GeneralisedLinear>();
  if (target == model.features.size()) return;
  throw Error(ErrorCode::bad_option, {"a regression predicts its target alone, '",
                                      from_document(model.target), "'; leave --target out"});
}

}  // namespace

std::unique_ptr<const Predictor> odds_predictor(const Basis& basis, std::size_t target) {
  check_target(basis, target);
  return std::make_unique<OddsPredictor>(basis);
}

std::unique_ptr<const NumberPredictor> count_predictor(const Basis& basis, std::size_t target) {
  if (basis.study().model.get<model::GeneralisedLinear>().family != model::GlmFamily::poisson) return nullptr;
  check_target(basis, target);
  return std::make_unique<CountPredictor>(basis);
}

}  // namespace postern::infer
