#include "kind.hpp"

#include "postern/core/draw.hpp"
#include "postern/model/kinds/logistic_regression.hpp"

#include "collapsed.hpp"
#include "infer.hpp"
#include "posterior/width.hpp"
#include "predict.hpp"
#include "query/assumption.hpp"
#include "rows.hpp"

namespace postern::infer {
namespace {

/// By draws; without noise by the information that records have about the coefficients.
class LogisticWidths : public WidthForecast {
 public:
  explicit LogisticWidths(const model::Study& study) : study_(study) {}
  [[nodiscard]] std::vector<PriorWidth> rows() const override {
    constexpr double kCentral = 2 * 1.6448536269514722;
    const auto& model = study_.model.get<model::LogisticRegression>();
    std::vector<model::Parameter> parameters = study_.model.kind().parameters(study_);
    // A scaled coefficient's interval in the column's units; the intercept's, at the middle of all columns.
    std::vector<PriorWidth> out;
    for (std::size_t q = 0; q < parameters.size(); ++q) {
      std::vector<double> one(parameters.size(), 0.0);
      one[q] = kCentral * model.prior_sd.get_d();
      out.push_back({parameters[q].label, model::natural_coefficients(one, model, study_.schema)[q]});
    }
    add_total(out, study_);
    return out;
  }
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng,
                               const std::stop_token& stop) const override {
    StudyWidths out;
    out.without_noise = noiseless(made, rng);
    out.expected = posterior_widths(made, rng, stop);
    out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
    return out;
  }

 private:
  [[nodiscard]] std::vector<double> noiseless(const MadeUpStudy& made, Rng& rng) const {
    constexpr std::size_t kDraws = 2000;
    const auto& model = study_.model.get<model::LogisticRegression>();
    const std::vector<double> truth = model::scaled_coefficients(made.records.theta(), model, study_.schema);
    const Cholesky information = record_information(covariate_cloud(model, study_.schema), truth,
                                                    static_cast<double>(made.n), model.prior_sd.get_d());
    std::vector<std::vector<double>> values(truth.size());
    for (std::size_t i = 0; i < kDraws; ++i) {
      std::vector<double> one(truth.size());
      for (double& z : one) z = draw_normal(rng);
      information.solve_upper(one);
      for (std::size_t j = 0; j < one.size(); ++j) one[j] += truth[j];
      const std::vector<double> natural = model::natural_coefficients(one, model, study_.schema);
      for (std::size_t j = 0; j < one.size(); ++j) values[j].push_back(natural[j]);
    }
    std::vector<double> out;
    for (std::vector<double>& of_one : values) out.push_back(width_of(std::move(of_one)));
    return out;
  }

  const model::Study& study_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the forecast
};

class LogisticRegressionKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "logistic_regression"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    return infer_logistic(sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& sets) const override {
    const model::Study& study = sets.front().front()->study;
    const bool sampled = !study.model.get<model::LogisticRegression>().covariates.rows.empty();
    if (study.privacy.n_at_most || sampled) return {EngineChoice::automatic, EngineChoice::gibbs};
    return {EngineChoice::automatic, EngineChoice::gibbs, EngineChoice::augment};
  }
  [[nodiscard]] bool takes_public_rows() const override { return true; }
  /// They are kept one by one: a label given its features is what they tell.
  [[nodiscard]] PublicRows sum_public_rows(const std::vector<PublicColumn>& columns,
                                           const model::Study& study) const override {
    return encoded_rows(columns, study);
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& /*plan*/,
                             std::optional<std::int64_t> /*n*/) const override {
    const auto coordinates = static_cast<double>(study.model.kind().parameters(study).size() *
                                                 study.model.get<model::LogisticRegression>().split.size());
    return 1e6 + 8 * 8 * coordinates * coordinates;
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<LogisticWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    std::vector<NamedParameter> parameters;
    for (model::Parameter& one : study.model.kind().parameters(study))
      parameters.push_back({{std::move(one.label), std::move(one.name)}, true, {}});
    return read_values(text, std::move(parameters));
  }
  [[nodiscard]] std::optional<std::string> usual_target(const model::Study& study) const override {
    return study.model.get<model::LogisticRegression>().target;
  }
  [[nodiscard]] std::unique_ptr<const Predictor> predictor(const Basis& basis,
                                                           std::size_t target) const override {
    return logistic_predictor(basis, target);
  }
};

}  // namespace

const Kind& logistic_regression_kind() {
  static const LogisticRegressionKind kind;
  return kind;
}

}  // namespace postern::infer
