#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <sstream>
#include <utility>

#include "spread.hpp"

namespace postern::infer {
namespace {

/// The direction about which the draws of an axis lie: the leading axis of the mean of v v^T, its largest
/// loading positive; and that mean's eigenvalue from 0, if the draws point anywhere, to 1.
struct MeanAxis {
  std::vector<double> loadings;
  double concentration = 0;
};

MeanAxis mean_axis(std::span<const model::PrincipalAxes> draws, std::size_t k, std::size_t d) {
  std::vector<double> outer(d * d, 0.0);
  for (const model::PrincipalAxes& one : draws) {
    const double* v = one.axes.data() + k * d;
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) outer[i * d + j] += v[i] * v[j] / static_cast<double>(draws.size());
    }
  }
  const model::PrincipalAxes whole = model::principal_axes(outer, d);
  std::vector<double> axis(whole.axes.begin(), whole.axes.begin() + static_cast<std::ptrdiff_t>(d));
  const double largest = *std::max_element(axis.begin(), axis.end(),
                                           [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest < 0) {
    for (double& loading : axis) loading = -loading;
  }
  const auto size = static_cast<double>(d);
  return {std::move(axis), std::max(0.0, (size * whole.variances.front() - 1) / (size - 1))};
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

std::string concentration_text(const Posterior& out, std::size_t angle, const std::string& number,
                               double concentration) {
  std::vector<double> all;
  for (const std::vector<double>& chain : out.draws)
    all.insert(all.end(), chain.begin() + static_cast<std::ptrdiff_t>(angle * out.iterations),
               chain.begin() + static_cast<std::ptrdiff_t>((angle + 1) * out.iterations));
  const auto place = static_cast<std::ptrdiff_t>(0.9 * static_cast<double>(all.size() - 1));
  std::nth_element(all.begin(), all.begin() + place, all.end());
  std::ostringstream text;
  text.precision(2);
  text << "axis " << number << ": axial concentration " << concentration
       << " (1 where its direction is known, 0 where it is not at all); 90 % of its draws lie within ";
  text.precision(3);
  text << all[static_cast<std::size_t>(place)] << " degrees of its mean";
  return text.str();
}

void add_axis(Posterior& out, std::span<const model::PrincipalAxes> draws, std::size_t k,
              const std::vector<std::string>& columns) {
  const std::size_t d = columns.size();
  const auto [mean, concentration] = mean_axis(draws, k, d);
  const auto along = [&, &mean = mean](std::size_t c, std::size_t i) {
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
  out.notes.push_back(concentration_text(out, out.names.size() - 1, number, concentration));
  if (d != 2) return;
  add.add("direction." + number, "axis " + number + ": degrees from " + columns[0] + " to " + columns[1],
          [&, &mean = mean](std::size_t c, std::size_t i) {
            const double* v = draws[c * out.iterations + i].axes.data() + k * d;
            const double turn =
                std::remainder(std::atan2(v[1], v[0]) - std::atan2(mean[1], mean[0]), std::numbers::pi);
            return kDegrees * (std::atan2(mean[1], mean[0]) + turn);
          });
}

constexpr double kOften = 0.05;  // of its draws, from which an axis that is far away is not known

/// The share of an axis' draws that lie far from their mean.
double share_far(const Posterior& out, std::size_t axis) {
  constexpr double kFar = 45;
  const std::string name = "angle." + std::to_string(axis);
  const auto q =
      static_cast<std::size_t>(std::find(out.names.begin(), out.names.end(), name) - out.names.begin());
  double far = 0;
  for (const std::vector<double>& chain : out.draws) {
    far += static_cast<double>(
        std::count_if(chain.begin() + static_cast<std::ptrdiff_t>(q * out.iterations),
                      chain.begin() + static_cast<std::ptrdiff_t>((q + 1) * out.iterations),
                      [](double angle) { return angle > kFar; }));
  }
  return far / static_cast<double>(out.chains * out.iterations);
}

/// An axis that turns freely is not known, and its loadings mean nothing.
void warn_of_loose_axes(Posterior& out, std::size_t components) {
  for (std::size_t k = 1; k <= components; ++k) {
    const double share = share_far(out, k);
    if (share <= kOften) continue;
    out.warnings.push_back({"axis-undetermined", "axis " + std::to_string(k) + " is hardly known: " +
                                                     std::to_string(std::lround(100 * share)) +
                                                     " % of its draws lie more than 45 degrees from their "
                                                     "mean. Its variance is close to another's, or "
                                                     "the noise is too large: do not read its loadings; "
                                                     "release with a larger budget, or fewer columns"});
  }
}

/// Where what lies off the first axis is hardly known, the prior says how large it is, and so the shares.
[[nodiscard]] bool warn_of_open_shares(Posterior& out, const std::vector<model::PrincipalAxes>& draws) {
  constexpr double kOpen = 0.15;
  double sum = 0;
  double squares = 0;
  for (const model::PrincipalAxes& one : draws) {
    double all = 0;
    for (const double variance : one.variances) all += variance;
    const double rest = 1 - one.variances.front() / all;
    sum += rest;
    squares += rest * rest;
  }
  const auto size = static_cast<double>(draws.size());
  const double mean = sum / size;
  const double sd = std::sqrt(std::max(0.0, squares / size - mean * mean));
  if (!(sd > kOpen * mean)) return false;
  out.warnings.push_back(
      {"prior-outweighs-data",
       "the variance off the first axis is known to " + std::to_string(std::lround(100 * sd / mean)) +
           " % only: noise or few records hide it, and the prior says much of how large the shares are, so "
           "that "
           "their intervals may miss; look at --sensitivity, release with a larger budget, or have fewer "
           "columns"});
  return true;
}

/// That the prior says much of the shares is told: which columns noise hides, and that it drives variances
/// apart, are then notes. Intervals are wide there.
void note_the_rest(Posterior& out) {
  const auto said = [](const Warning& warning) {
    return warning.name == "columns-hidden" || warning.name == "shares-spread";
  };
  for (const Warning& warning : out.warnings) {
    if (said(warning)) out.notes.push_back(warning.text);
  }
  std::erase_if(out.warnings, said);
}

}  // namespace

Posterior report_axes(const Posterior& drawn, const std::vector<model::PrincipalAxes>& axes,
                      const AxesToReport& what, const InferOptions& options) {
  const std::size_t d = what.columns.size();
  Posterior out = drawn;
  out.names.clear();
  out.labels.clear();
  out.summary.clear();
  out.draws.assign(drawn.chains, {});
  Columns add(out);
  std::size_t q = 0;
  for (model::Parameter& one : model::component_parameters(d)) {
    add.add(std::move(one.name), std::move(one.label), [&](std::size_t c, std::size_t i) {
      return model::component_values(axes[c * drawn.iterations + i])[q];
    });
    ++q;
  }
  for (std::size_t n = what.others; n < drawn.names.size(); ++n) {
    add.add(drawn.names[n], drawn.labels[n],
            [&](std::size_t c, std::size_t i) { return drawn.draws[c][n * drawn.iterations + i]; });
  }
  for (std::size_t k = 0; k < what.components; ++k) add_axis(out, axes, k, what.columns);
  if (!options.summarise) return out;
  for (std::size_t row = 0; row < out.names.size(); ++row)
    out.summary.push_back(summarise_draws(out, row, what.kind));
  if (what.kind == DrawKind::markov)
    for (Warning& warning : convergence_warnings(out.summary)) out.warnings.push_back(std::move(warning));
  warn_of_loose_axes(out, what.components);
  if (what.learned) {
    if (auto warning = spread_warning(axes, d)) out.warnings.push_back(std::move(*warning));
  }
  if (warn_of_open_shares(out, axes) && what.learned) note_the_rest(out);
  return out;
}

}  // namespace postern::infer
