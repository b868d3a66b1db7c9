#include "kind.hpp"

#include "postern/infer/foresight.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/model/kinds/bayes_net.hpp"

#include "grid_draw.hpp"
#include "infer_choices.hpp"
#include "network/check_plan.hpp"
#include "network/event.hpp"
#include "network/infer_network.hpp"
#include "network/make_problem.hpp"
#include "network/mean_network.hpp"
#include "network/predict_columns.hpp"
#include "network/truth.hpp"
#include "network/width.hpp"
#include "plug_in_tables.hpp"

namespace postern::infer {
namespace {

/// A Bayesian network of discrete columns, naive Bayes among them.
class BayesNetKind : public Kind, public Foresees {
 public:
  [[nodiscard]] std::string_view name() const override { return "bayes_net"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    if (holds_choices(sets)) return infer_choices(sets, options, conversation);
    return infer_network(sets.front().front()->study, sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& sets) const override {
    if (sets.size() > 1) return {EngineChoice::automatic, EngineChoice::tables};
    if (holds_choices(sets) || sets.front().front()->request.mechanism == model::Mechanism::fourier)
      return {EngineChoice::automatic, EngineChoice::tables, EngineChoice::naive};
    if (StarPosterior::fits(start_network(sets.front().front()->study, {})))
      return {EngineChoice::automatic, EngineChoice::exact, EngineChoice::tables, EngineChoice::naive};
    return {EngineChoice::automatic, EngineChoice::tables, EngineChoice::naive};
  }

  [[nodiscard]] bool takes_foreign() const override { return true; }
  [[nodiscard]] bool takes_public_rows() const override { return true; }
  [[nodiscard]] std::vector<std::vector<std::string>> public_tables(
      const model::Study& study) const override {
    std::vector<std::vector<std::string>> out;
    for (const model::BayesNode& node : study.model.get<model::BayesNet>().nodes)
      out.push_back(model::family_columns(node));
    return out;
  }

  [[nodiscard]] bool has_probabilities() const override { return true; }
  [[nodiscard]] EventMass event_mass(const Event& event, const model::Study& study,
                                     const Posterior& posterior) const override {
    return network_event(event, study, posterior);
  }

  [[nodiscard]] std::vector<ModelFile> model_files(const model::Study& study,
                                                   const Posterior& posterior) const override {
    return bif_of_means(study, posterior);
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& plan,
                             std::optional<std::int64_t> n) const override {
    return network_bytes(study, plan, n);
  }
  void check_plan(const model::Study& study, const model::NoisePlan& plan,
                  std::optional<std::int64_t> n) const override {
    check_network_plan(study, study, plan, n);
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<NetworkWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    return network_truth(text, study);
  }

  [[nodiscard]] std::optional<NetworkProblem> network(const model::Study& study) const override {
    return start_network(study, {});
  }
  [[nodiscard]] std::vector<double> plug_in(const release::Release& release) const override {
    return plug_in_tables(release);
  }

  [[nodiscard]] std::optional<std::string> usual_target(const model::Study& study) const override {
    return study.model.get<model::BayesNet>().class_column;
  }
  [[nodiscard]] std::unique_ptr<const Predictor> predictor(const Basis& basis,
                                                           std::size_t target) const override {
    return predict_columns(basis.study(), basis, target);
  }
  [[nodiscard]] std::unique_ptr<const RecordSampler> record_sampler(
      const model::Study& study) const override {
    return network_records(study);
  }
};

}  // namespace

const Kind& bayes_net_kind() {
  static const BayesNetKind kind;
  return kind;
}

}  // namespace postern::infer
