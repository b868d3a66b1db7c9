#include "kind.hpp"

#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/kinds/wide_components.hpp"

#include "infer.hpp"
#include "posterior/width.hpp"

namespace postern::infer {
namespace {

/// By draws, of shares of the variance and of variances.
class WideWidths : public WidthForecast {
 public:
  explicit WideWidths(const model::Study& study) : study_(study) {}
  [[nodiscard]] std::vector<PriorWidth> rows() const override {
    Rng rng(1, 0, Purpose::plan);
    std::vector<model::VectorTheta> draws(2000);
    for (model::VectorTheta& one : draws)
      one = model::draw_normal_inverse_wishart(model::wide_prior(model()), rng);
    const std::vector<double> prior = widths(draws);
    std::vector<PriorWidth> rows;
    for (model::Parameter& one : study_.model.kind().parameters(study_))
      rows.push_back({std::move(one.label), prior[rows.size()]});
    add_total(rows, study_);
    return rows;
  }
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng,
                               const std::stop_token& stop) const override {
    const auto& vectors = dynamic_cast<const model::SimulatedVectors&>(made.records);
    StudyWidths out;
    out.without_noise = widths(model::draw_after(model::wide_prior(model()), vectors.sums(), 1000, rng));
    out.expected = posterior_widths(made, rng, stop);
    const std::size_t looked_at = out.without_noise.size() + (study_.privacy.n_at_most ? 1 : 0);
    out.expected.resize(looked_at);       // axes and angles come behind
    out.without_noise.resize(looked_at);  // n is known when nothing is noised
    return out;
  }

 private:
  [[nodiscard]] const model::WideComponents& model() const {
    return study_.model.get<model::WideComponents>();
  }
  [[nodiscard]] std::vector<double> widths(const std::vector<model::VectorTheta>& draws) const {
    std::vector<std::vector<double>> values(2 * model().columns.size());
    for (const model::VectorTheta& theta : draws) {
      const std::vector<double> one =
          model::component_values(model::wide_axes(model(), study_.schema, theta.covariance));
      for (std::size_t q = 0; q < one.size(); ++q) values[q].push_back(one[q]);
    }
    std::vector<double> out;
    for (std::vector<double>& of_one : values) out.push_back(width_of(std::move(of_one)));
    return out;
  }

  const model::Study& study_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the forecast
};

/// Directions in which many numbers vary most.
class WideComponentsKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "wide_components"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    return infer_wide(sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& /*sets*/) const override {
    return {EngineChoice::automatic, EngineChoice::moments, EngineChoice::naive};
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& /*plan*/,
                             std::optional<std::int64_t> /*n*/) const override {
    const auto width = static_cast<double>(model::columns_of(study.model).size() + 1);
    const double unknowns = width * (width + 1) / 2;
    return 1e6 + 8 * (7 * width * width + 3 * unknowns * unknowns + 1000 * unknowns) * InferOptions{}.chains;
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<WideWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& /*text*/,
                                          const model::Study& /*study*/) const override {
    throw Error(ErrorCode::bad_option,
                {"at: shares of variance do not say which records there were; leave it out, and truths are "
                 "drawn from the prior"});
  }
};

}  // namespace

const Kind& wide_components_kind() {
  static const WideComponentsKind kind;
  return kind;
}

}  // namespace postern::infer
