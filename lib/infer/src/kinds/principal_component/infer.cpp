#include "infer.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <span>
#include <string>

#include "postern/model/kinds/principal_component.hpp"

#include "kinds/multivariate_normal/infer.hpp"
#include "posterior/draw_summary.hpp"

namespace postern::infer {
namespace {

/// The same record sets, of the multivariate normal behind the components.
class NormalSets {
 public:
  explicit NormalSets(const std::vector<release::RecordSet>& sets) {
    for (const release::RecordSet& set : sets) {
      std::vector<release::Release>& copies = releases_.emplace_back();
      for (const release::Release* release : set) {
        copies.push_back(*release);
        copies.back().study.model = release->study.model.get<model::PrincipalComponent>().normal;
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

/// An axis has no sign. This is the direction about which the draws of one lie: the leading axis of the mean
/// of v v^T, its largest loading positive.
std::vector<double> mean_axis(std::span<const model::PrincipalAxes> draws, std::size_t k, std::size_t d) {
  std::vector<double> outer(d * d, 0.0);
  for (const model::PrincipalAxes& one : draws) {
    const double* v = one.axes.data() + k * d;
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) outer[i * d + j] += v[i] * v[j] / static_cast<double>(draws.size());
    }
  }
  std::vector<double> axis = model::principal_axes(outer, d).axes;
  axis.resize(d);
  const double largest = *std::max_element(axis.begin(), axis.end(),
                                           [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest < 0) {
    for (double& loading : axis) loading = -loading;
  }
  return axis;
}

/// Columns of draws, appended to a posterior one quantity after the other.
class Columns {
 public:
  explicit Columns(Posterior& out) : out_(out) {}
  template <class Value>
  void add(std::string name, std::string label, const Value& value) {
    out_.names.push_back(std::move(name));
    out_.labels.push_back(std::move(label));
    for (std::size_t c = 0; c < out_.chains; ++c) {
      for (std::size_t i = 0; i < out_.iterations; ++i) out_.draws[c].push_back(value(c, i));
    }
  }

 private:
  Posterior& out_;
};

constexpr double kDegrees = 180 / std::numbers::pi;

void add_axis(Posterior& out, std::span<const model::PrincipalAxes> draws, std::size_t k,
              const std::vector<std::string>& columns) {
  const std::size_t d = columns.size();
  const std::vector<double> mean = mean_axis(draws, k, d);
  const auto along = [&](std::size_t c, std::size_t i) {
    const double* v = draws[c * out.iterations + i].axes.data() + k * d;
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += v[j] * mean[j];
    return sum;
  };
  const std::string number = std::to_string(k + 1);
  Columns add(out);
  for (std::size_t j = 0; j < d; ++j) {
    add.add("axis." + number + "." + std::to_string(j + 1), "axis " + number + ": " + columns[j],
            [&](std::size_t c, std::size_t i) {
              return std::copysign(1.0, along(c, i)) * draws[c * out.iterations + i].axes[k * d + j];
            });
  }
  add.add("angle." + number, "axis " + number + ": degrees from its mean", [&](std::size_t c, std::size_t i) {
    return kDegrees * std::acos(std::min(1.0, std::abs(along(c, i))));
  });
}

/// An axis that turns freely is not known, and its loadings mean nothing.
void warn_of_loose_axes(Posterior& out, std::size_t components) {
  constexpr double kFar = 45;
  constexpr double kOften = 0.05;
  for (std::size_t k = 1; k <= components; ++k) {
    const std::string name = "angle." + std::to_string(k);
    const auto q =
        static_cast<std::size_t>(std::find(out.names.begin(), out.names.end(), name) - out.names.begin());
    double far = 0;
    for (const std::vector<double>& chain : out.draws) {
      far += static_cast<double>(
          std::count_if(chain.begin() + static_cast<std::ptrdiff_t>(q * out.iterations),
                        chain.begin() + static_cast<std::ptrdiff_t>((q + 1) * out.iterations),
                        [](double angle) { return angle > kFar; }));
    }
    const double share = far / static_cast<double>(out.chains * out.iterations);
    if (share <= kOften) continue;
    out.warnings.push_back({"axis-undetermined", "axis " + std::to_string(k) + " is hardly known: " +
                                                     std::to_string(std::lround(100 * share)) +
                                                     " % of its draws lie more than 45 degrees from their "
                                                     "mean. Its variance is close to another's, or "
                                                     "the noise is too large: do not read its loadings; "
                                                     "release with a larger budget, or fewer columns"});
  }
}

}  // namespace

Posterior infer_components(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                           const Conversation& conversation) {
  const model::Study& study = sets.front().front()->study;
  const auto& model = study.model.get<model::PrincipalComponent>();
  const std::size_t d = model.normal.columns.size();
  InferOptions inner = options;
  inner.summarise = false;
  const NormalSets normal_sets(sets);
  Posterior normal = infer_vector(normal_sets.sets(), inner, conversation);
  std::vector<model::PrincipalAxes> axes;
  for (std::size_t c = 0; c < normal.chains; ++c) {
    for (std::size_t i = 0; i < normal.iterations; ++i)
      axes.push_back(model::principal_axes(model, covariance_of(normal, c, i, d)));
  }
  Posterior out = normal;
  out.names.clear();
  out.labels.clear();
  out.draws.assign(normal.chains, {});
  Columns add(out);
  std::size_t q = 0;
  for (model::Parameter& one : study.model.kind().parameters(study)) {
    add.add(std::move(one.name), std::move(one.label), [&](std::size_t c, std::size_t i) {
      return model::component_values(axes[c * normal.iterations + i])[q];
    });
    ++q;
  }
  for (std::size_t n = d + d * (d + 1) / 2; n < normal.names.size(); ++n) {
    add.add(normal.names[n], normal.labels[n],
            [&](std::size_t c, std::size_t i) { return normal.draws[c][n * normal.iterations + i]; });
  }
  for (std::size_t k = 0; k < model.components; ++k) add_axis(out, axes, k, model.normal.columns);
  if (!options.summarise) return out;
  const DrawKind kind = out.engine == "naive" ? DrawKind::independent : DrawKind::markov;
  for (std::size_t row = 0; row < out.names.size(); ++row)
    out.summary.push_back(summarise_draws(out, row, kind));
  for (Warning& warning : convergence_warnings(out.summary)) out.warnings.push_back(std::move(warning));
  warn_of_loose_axes(out, model.components);
  return out;
}

}  // namespace postern::infer
