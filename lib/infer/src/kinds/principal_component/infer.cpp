#include "infer.hpp"

#include "postern/model/kinds/principal_component.hpp"

#include "kinds/multivariate_normal/infer.hpp"
#include "report.hpp"

namespace postern::infer {
namespace {

/// The same record sets, of the multivariate normal behind the components.
class NormalSets {
 public:
  NormalSets(const std::vector<release::RecordSet>& sets, const model::MultivariateNormal& normal) {
    for (const release::RecordSet& set : sets) {
      std::vector<release::Release>& copies = releases_.emplace_back();
      for (const release::Release* release : set) {
        copies.push_back(*release);
        copies.back().study.model = normal;
      }
    }
    for (const std::vector<release::Release>& copies : releases_) {
      release::RecordSet& set = sets_.emplace_back();
      for (const release::Release& release : copies) set.push_back(&release);
    }
  }
  [[nodiscard]] const std::vector<release::RecordSet>& sets() const { return sets_; }

 private:
  std::vector<std::vector<release::Release>> releases_;
  std::vector<release::RecordSet> sets_;
};

/// The covariance of one draw, d x d.
std::vector<double> covariance_of(const Posterior& normal, std::size_t chain, std::size_t i, std::size_t d) {
  std::vector<double> values(d + d * (d + 1) / 2);
  for (std::size_t q = 0; q < values.size(); ++q) values[q] = normal.draws[chain][q * normal.iterations + i];
  return model::vector_theta(values, d).covariance;
}

}  // namespace

Posterior infer_components(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                           const Conversation& conversation) {
  const model::Study& study = sets.front().front()->study;
  const model::Model of =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  if (options.prior) of.kind().check(of, study.schema);
  const auto& model = of.get<model::PrincipalComponent>();
  const std::size_t d = model.normal.columns.size();
  InferOptions inner = options;
  inner.summarise = false;
  inner.prior.reset();
  const NormalSets normal_sets(sets, model.normal);
  const Posterior normal = infer_vector(normal_sets.sets(), inner, conversation, Asked::axes);
  std::vector<model::PrincipalAxes> axes;
  for (std::size_t c = 0; c < normal.chains; ++c) {
    for (std::size_t i = 0; i < normal.iterations; ++i)
      axes.push_back(model::principal_axes(model, covariance_of(normal, c, i, d)));
  }
  const DrawKind kind = normal.engine == "naive" ? DrawKind::independent : DrawKind::markov;
  const AxesToReport what{model.normal.columns, model.components, d + d * (d + 1) / 2, kind,
                          model.normal.learned};
  return report_axes(normal, axes, what, options);
}

}  // namespace postern::infer
