#include <algorithm>
#include <array>

#include "postern/core/error.hpp"
#include "postern/infer/kind.hpp"

#include "kinds/bayes_net/kind.hpp"
#include "kinds/choice/kind.hpp"
#include "kinds/generalised_linear/kind.hpp"
#include "kinds/linear_regression/kind.hpp"
#include "kinds/logistic_regression/kind.hpp"
#include "kinds/markov_chain/kind.hpp"
#include "kinds/markov_net/kind.hpp"
#include "kinds/multivariate_normal/kind.hpp"
#include "kinds/number/kind.hpp"
#include "kinds/principal_axis/kind.hpp"
#include "kinds/principal_component/kind.hpp"
#include "kinds/table/kind.hpp"
#include "kinds/wide_components/kind.hpp"

namespace postern::infer {

std::span<const Kind* const> kinds() {
  static const std::array kKinds{&bayes_net_kind(),
                                 &choice_kind(),
                                 &generalised_linear_kind(),
                                 &linear_regression_kind(),
                                 &logistic_regression_kind(),
                                 &markov_chain_kind(),
                                 &markov_net_kind(),
                                 &multivariate_normal_kind(),
                                 &number_kind(),
                                 &principal_axis_kind(),
                                 &principal_component_kind(),
                                 &table_kind(),
                                 &wide_components_kind()};
  return kKinds;
}

const Kind& kind_of(const model::Model& model) {
  const auto all = kinds();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Kind* kind) { return kind->name() == model.kind().name(); });
  if (found != all.end()) return **found;
  throw Error(ErrorCode::engine_unsuitable,
              {"a release of quantiles has no posterior: it is for choosing the bounds of a study's column"});
}

std::vector<std::vector<std::string>> Kind::public_tables(const model::Study& /*study*/) const { return {}; }

PublicRows Kind::sum_public_rows(const std::vector<PublicColumn>& /*columns*/,
                                 const model::Study& /*study*/) const {
  throw Error(ErrorCode::unsupported, {"this model takes no public rows"});
}

std::vector<Warning> Kind::planned_warnings(const model::Study& /*study*/,
                                            const model::Measurement& /*measurement*/,
                                            std::int64_t /*n*/) const {
  return {};
}

std::optional<EventPlace> Kind::event_place(const std::string& name, const model::Study& study) const {
  const std::vector<std::string> columns = model::columns_of(study.model);
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return std::nullopt;
  return EventPlace{static_cast<std::size_t>(found - columns.begin()), name};
}

std::vector<std::string> Kind::event_names(const model::Study& study) const {
  return model::columns_of(study.model);
}

EventMass Kind::mean_steps(const Event& /*event*/, const Event& /*given*/,
                           const model::Study& /*study*/) const {
  throw Error(ErrorCode::unsupported, {"this model has no steps of time"});
}

EventMass Kind::event_mass(const Event& /*event*/, const model::Study& /*study*/,
                           const Posterior& /*posterior*/) const {
  throw Error(ErrorCode::unsupported, {"this model has no probabilities of levels"});
}

std::vector<ModelFile> Kind::model_files(const model::Study& /*study*/,
                                         const Posterior& /*posterior*/) const {
  return {};
}

std::optional<NetworkProblem> Kind::network(const model::Study& /*study*/) const { return std::nullopt; }

std::vector<double> Kind::plug_in(const release::Release& /*release*/) const {
  throw Error(ErrorCode::unsupported, {"only networks are looked at without regard to their noise"});
}

std::vector<TableColumn> Kind::table(const model::Study& /*study*/) const { return {}; }

std::optional<std::string> Kind::usual_target(const model::Study& /*study*/) const { return std::nullopt; }

std::unique_ptr<const Predictor> Kind::predictor(const Basis& /*basis*/, std::size_t /*target*/) const {
  throw Error(
      ErrorCode::unsupported,
      {"this model predicts no column of a row; tables of counts, networks, chains and regressions do"});
}

std::unique_ptr<const NumberPredictor> Kind::number_predictor(const Basis& /*basis*/,
                                                              std::size_t /*target*/) const {
  return nullptr;
}

std::unique_ptr<const RecordSampler> Kind::record_sampler(const model::Study& /*study*/) const {
  throw Error(
      ErrorCode::unsupported,
      {"synthetic records are made from tables of counts, networks and chains, and this model is none; "
       "draw from its parameters, which are in the posterior's chains"});
}

}  // namespace postern::infer
