#include "predict.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/model/kinds/logistic_regression.hpp"

#include "collapsed.hpp"

namespace postern::infer {
namespace {

class LogisticPredictor : public Predictor {
 public:
  LogisticPredictor(const model::Study& study, const SomeDraws& draws, std::size_t parameters)
      : model_(study.model.get<model::LogisticRegression>()),
        schema_(study.schema),
        entries_(model::gradient_at(model_, {}), schema_),
        draws_(draws.draws) {
    std::vector<double> natural(parameters);
    for (std::size_t d = 0; d < draws_; ++d) {
      for (std::size_t q = 0; q < parameters; ++q) natural[q] = draws.of(q)[d];
      theta_.push_back(model::scaled_coefficients(natural, model_, schema_));
    }
    constexpr std::size_t kFillings = 64;
    Rng rng(1, 0, Purpose::prediction);
    const model::CovariateLaw features = model::covariate_law(model_, schema_);
    for (std::size_t i = 0; i < kFillings; ++i) {
      std::vector<std::uint32_t>& levels = fillings_.emplace_back(model_.features.size() + 1, 0);
      features.draw(levels, rng);
    }
  }

  [[nodiscard]] std::size_t draws() const override { return draws_; }
  [[nodiscard]] std::string how() const override {
    return "the logistic function of each draw's coefficients";
  }
  [[nodiscard]] std::unique_ptr<Worker> worker() const override { return std::make_unique<Own>(*this); }

 private:
  class Own : public Worker {
   public:
    explicit Own(const LogisticPredictor& all) : all_(all) {}
    void conditional(std::span<const std::int32_t> record, std::span<double> out) override {
      all_.conditional(record, out);
    }

   private:
    const LogisticPredictor& all_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the worker
  };

  void conditional(std::span<const std::int32_t> record, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    const bool whole =
        std::all_of(record.begin(), record.end() - 1, [](std::int32_t level) { return level >= 0; });
    const std::size_t fillings = whole ? 1 : fillings_.size();
    std::vector<std::int64_t> w(entries_.size());
    for (std::size_t f = 0; f < fillings; ++f) {
      std::vector<std::uint32_t> levels = fillings_[f];
      for (std::size_t c = 0; c + 1 < record.size(); ++c) {
        if (record[c] >= 0) levels[c] = static_cast<std::uint32_t>(record[c]);
      }
      entries_.fill(levels, w);
      for (std::size_t d = 0; d < draws_; ++d) {
        double odds = 0;
        for (std::size_t j = 0; j < w.size(); ++j) odds += theta_[d][j] * static_cast<double>(w[j]);
        out[draws_ + d] += logistic(odds / model::kGradientSteps) / static_cast<double>(fillings);
      }
    }
    for (std::size_t d = 0; d < draws_; ++d) out[d] = 1 - out[draws_ + d];
  }

  model::LogisticRegression model_;
  model::Schema schema_;
  model::GradientEntries entries_;
  std::size_t draws_;
  std::vector<std::vector<double>> theta_;
  std::vector<std::vector<std::uint32_t>> fillings_;
};

}  // namespace

std::unique_ptr<const Predictor> logistic_predictor(const Basis& basis, std::size_t target) {
  const auto& model = basis.study().model.get<model::LogisticRegression>();
  if (target != model.features.size())
    throw Error(ErrorCode::unsupported, {"a logistic regression predicts its target '",
                                         from_document(model.target), "', and no other column"});
  return std::make_unique<LogisticPredictor>(basis.study(), parameter_draws(basis, basis.options.draws),
                                             basis.parameters);
}

}  // namespace postern::infer
