#include "predict.hpp"

#include <utility>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {
namespace {

class RegressionPredictor : public NumberPredictor {
 public:
  explicit RegressionPredictor(const Basis& basis)
      : draws_(parameter_draws(basis, basis.options.draws)),
        entries_(model::regression_entries(basis.study().model.get<model::LinearRegression>(),
                                           basis.study().schema)) {
    entries_.pop_back();  // the target's
    for (const std::string& name : model::columns_of(basis.study().model)) {
      const model::Column& column = basis.study().schema.at(name);
      values_.push_back(model::is_regression_number(column) ? model::level_values(column, {})
                                                            : model::LevelValues());
    }
    for (const double deviation : deviations()) {
      if (!(deviation > 0))
        throw Error(ErrorCode::input_unreadable, {"the posterior has a draw whose sigma is not above 0"});
    }
  }

  [[nodiscard]] std::size_t draws() const override { return draws_.draws; }
  [[nodiscard]] std::span<const double> deviations() const override { return draws_.of(entries_.size() + 1); }
  [[nodiscard]] double value(std::int32_t level) const override { return at(values_.back(), level); }
  [[nodiscard]] std::string how() const override {
    return "the mean of a new record, over the draws of the coefficients";
  }

  [[nodiscard]] bool means(std::span<const std::int32_t> record, std::span<double> means) const override {
    const std::span<const double> intercept = draws_.of(0);
    std::copy(intercept.begin(), intercept.end(), means.begin());
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const std::int32_t level = record[entries_[e].column];
      if (level < 0) return false;
      const bool indicator = entries_[e].level > 0;
      const double x = indicator ? (static_cast<std::uint32_t>(level) == entries_[e].level ? 1 : 0)
                                 : at(values_[entries_[e].column], level);
      const std::span<const double> slope = draws_.of(e + 1);
      for (std::size_t d = 0; d < slope.size(); ++d) means[d] += slope[d] * x;
    }
    return true;
  }

 private:
  static double at(const model::LevelValues& values, std::int32_t level) {
    return values.zero + values.unit * static_cast<double>(values.adds[static_cast<std::size_t>(level)]);
  }

  SomeDraws draws_;
  std::vector<model::MomentEntry> entries_;
  std::vector<model::LevelValues> values_;  ///< of each column; empty for a category
};

}  // namespace

std::unique_ptr<const NumberPredictor> regression_predictor(const Basis& basis, std::size_t target) {
  const model::Study& study = basis.study();
  const auto& model = study.model.get<model::LinearRegression>();
  if (target != model.features.size()) {
    throw Error(ErrorCode::bad_option, {"a regression predicts its target alone, '",
                                        from_document(model.target), "'; leave --target out"});
  }
  return std::make_unique<RegressionPredictor>(basis);
}

}  // namespace postern::infer
