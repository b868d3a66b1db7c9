#include "markov/clique_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/graph/log_linear.hpp"
#include "postern/graph/strided.hpp"

#include "markov/conjugate_gradients.hpp"

namespace postern::infer::markov {
namespace {

using graph::Variables;

constexpr double kClose = 1e-10;  ///< probabilities that match
constexpr double kRounding = 1e-14;

std::size_t cells(const Variables& variables, const graph::Sizes& sizes) {
  return static_cast<std::size_t>(graph::cells_of(variables, sizes));
}

/// A law as logarithms of its conditional tables, and with the cells' probabilities of any clique.
class Logs {
 public:
  explicit Logs(const ConditionalLaw& law)
      : law_(law), propagation_(law.tree, law.families), work_(propagation_.workspace()) {
    for (const double p : law.tables) logs_.push_back(std::log(p));
    propagation_.collect(logs_, {}, work_);
    propagation_.distribute(work_);
  }
  [[nodiscard]] std::vector<double> probabilities(const Variables& clique) const {
    return propagation_.marginal(clique, work_);
  }
  [[nodiscard]] std::span<const double> family(std::size_t f) const {
    return std::span(logs_).subspan(propagation_.offset(f),
                                    propagation_.offset(f + 1) - propagation_.offset(f));
  }
  [[nodiscard]] std::size_t families() const { return law_.families.size(); }
  [[nodiscard]] const Variables& variables(std::size_t f) const { return law_.families[f]; }
  [[nodiscard]] const graph::Sizes& sizes() const { return law_.tree.sizes(); }
  /// A state of the greatest probability.
  [[nodiscard]] std::vector<std::uint32_t> likeliest() const {
    std::vector<std::uint32_t> state(sizes().size(), 0);
    graph::Propagation::Workspace work = propagation_.workspace();
    propagation_.maximise(logs_, {}, work, state);
    return state;
  }

 private:
  const ConditionalLaw& law_;
  graph::Propagation propagation_;
  graph::Propagation::Workspace work_;
  std::vector<double> logs_;
};

/// Adds `sign` times a table over `other` to one over `clique`, with variables that only `other` has at their
/// levels of `state`.
void add_table(std::vector<double>& table, const Variables& clique, std::span<const double> values,
               const Variables& other, const graph::Sizes& sizes, std::span<const std::uint32_t> state,
               double sign) {
  std::size_t base = 0;
  for (const std::uint32_t v : other) {
    const bool fixed = std::find(clique.begin(), clique.end(), v) == clique.end();
    base = base * sizes[v] + (fixed ? state[v] : 0);
  }
  graph::Strided(clique, other, sizes)
      .walk([&](std::size_t first, std::size_t at, std::size_t count, std::size_t step) {
        for (std::size_t i = 0; i < count; ++i) table[first + i] += sign * values[base + at + i * step];
      });
}

bool share(const Variables& a, const Variables& b) {
  return std::ranges::any_of(a, [&](std::uint32_t v) { return std::ranges::find(b, v) != b.end(); });
}

/// Potentials of the law, up to constants, if it is a product over the cliques: log P of states that are as
/// `state` outside of a clique, each interaction of columns in the first clique that holds it. Not finite
/// where states cannot be.
std::vector<std::vector<double>> canonical_potentials(const Logs& law,
                                                      const std::vector<Variables>& cliques) {
  const std::vector<std::uint32_t> state = law.likeliest();
  std::vector<std::vector<double>> out;
  for (const Variables& clique : cliques) {
    std::vector<double> table(cells(clique, law.sizes()), 0.0);
    for (std::size_t f = 0; f < law.families(); ++f) {
      const Variables& family = law.variables(f);
      if (share(family, clique)) add_table(table, clique, law.family(f), family, law.sizes(), state, 1);
    }
    for (std::size_t d = 0; d < out.size(); ++d) {
      if (share(cliques[d], clique)) add_table(table, clique, out[d], cliques[d], law.sizes(), state, -1);
    }
    out.push_back(std::move(table));
  }
  return out;
}

/// Newton's method for the theta whose marginals are those wanted.
class Matching {
 public:
  Matching(const graph::LogLinear& model, std::vector<double> wanted)
      : model_(model), wanted_(std::move(wanted)), work_(model.workspace()), off_(wanted_.size()) {}

  [[nodiscard]] std::vector<double> solve(std::vector<double> theta) {
    constexpr int kMostSteps = 60;
    double off = look(theta);
    for (int step = 0; step < kMostSteps && off > kRounding; ++step) {
      const std::vector<double> along = direction();
      std::vector<double> next(theta.size());
      double by = 1;
      double there = std::numeric_limits<double>::infinity();
      for (; by > 1e-6; by *= 0.5) {
        for (std::size_t i = 0; i < theta.size(); ++i) next[i] = theta[i] + by * along[i];
        there = look(next);
        if (there < (1 - 1e-4 * by) * off) break;
      }
      if (!(there < off)) break;  // as near as rounding lets it come
      theta = std::move(next);
      off = there;
    }
    look(theta);
    return theta;
  }
  /// The law at the theta that was solved for.
  [[nodiscard]] const graph::LogLinear::Workspace& law() const { return work_; }
  [[nodiscard]] bool matches() const {
    return std::ranges::all_of(off_, [](double d) { return std::abs(d) <= kClose; });
  }

 private:
  double look(const std::vector<double>& theta) {
    if (!std::isfinite(model_.evaluate(theta, work_))) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < off_.size(); ++i) off_[i] = wanted_[i] - work_.marginals[i];
    return std::sqrt(dot(off_, off_));
  }
  [[nodiscard]] std::vector<double> direction() {
    std::vector<double> diagonal(off_.size());
    for (std::size_t i = 0; i < off_.size(); ++i) {
      const double mu = work_.marginals[i];
      diagonal[i] = std::max(mu * (1 - mu), 1e-30);
    }
    std::vector<double> out(off_.size(), 0.0);
    (void)conjugate_gradients(
        [&](std::span<const double> v, std::span<double> to) { model_.covariance_times(v, work_, to); },
        diagonal, off_, out, 1e-4, 300);
    return out;
  }

  const graph::LogLinear& model_;
  std::vector<double> wanted_;
  graph::LogLinear::Workspace work_;
  std::vector<double> off_;
};

/// Where Newton's method starts: at the answer, if the law is a product over the cliques.
std::vector<double> start_of(const Logs& law, const std::vector<Variables>& cliques,
                             const std::vector<double>& wanted) {
  std::vector<double> theta;
  for (const std::vector<double>& table : canonical_potentials(law, cliques))
    theta.insert(theta.end(), table.begin(), table.end());
  if (std::ranges::all_of(theta, [](double t) { return std::isfinite(t); })) return theta;
  for (std::size_t i = 0; i < theta.size(); ++i)
    theta[i] = wanted[i] > 0 ? 0 : -std::numeric_limits<double>::infinity();
  return theta;
}

}  // namespace

CliqueFactors conditional_factors(const ConditionalLaw& law, std::vector<Variables> cliques) {
  const Logs logs(law);
  CliqueFactors out{std::move(cliques), {}, {}};
  for (const Variables& clique : out.cliques) {
    out.logs.emplace_back(cells(clique, logs.sizes()), 0.0);
    out.probabilities.push_back(logs.probabilities(clique));
  }
  for (std::size_t f = 0; f < logs.families(); ++f) {
    const Variables family = graph::sorted(logs.variables(f));
    const auto home = std::ranges::find_if(
        out.cliques, [&](const Variables& clique) { return graph::holds(graph::sorted(clique), family); });
    if (home == out.cliques.end()) throw Error(ErrorCode::internal, {"a conditional table has no clique"});
    add_table(out.logs[static_cast<std::size_t>(home - out.cliques.begin())], *home, logs.family(f),
              logs.variables(f), logs.sizes(), {}, 1);
  }
  return out;
}

std::optional<CliqueFactors> matching_factors(const ConditionalLaw& law, std::vector<Variables> cliques) {
  const Logs logs(law);
  const graph::LogLinear model(logs.sizes(), cliques);
  CliqueFactors out{std::move(cliques), {}, {}};
  std::vector<double> wanted;
  for (const Variables& clique : out.cliques) {
    out.probabilities.push_back(logs.probabilities(clique));
    wanted.insert(wanted.end(), out.probabilities.back().begin(), out.probabilities.back().end());
  }
  Matching matching(model, wanted);
  const std::vector<double> theta = matching.solve(start_of(logs, out.cliques, wanted));
  if (!matching.matches()) return std::nullopt;
  const double constant = matching.law().log_partition / static_cast<double>(out.cliques.size());
  for (std::size_t f = 0; f < out.cliques.size(); ++f) {
    out.logs.emplace_back(theta.begin() + static_cast<std::ptrdiff_t>(model.offset(f)),
                          theta.begin() + static_cast<std::ptrdiff_t>(model.offset(f + 1)));
    for (double& log : out.logs.back()) log -= constant;
  }
  return out;
}

}  // namespace postern::infer::markov
