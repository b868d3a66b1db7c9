#include "trial.hpp"

#include <algorithm>
#include <cmath>

#include "postern/assess/mmd.hpp"
#include "postern/core/draw.hpp"

#include "ours.hpp"

namespace postern::bs18 {
namespace {

/// The least a parameter of a naive posterior may be: noise can carry it below zero.
constexpr double kFloor = 1e-3;
constexpr std::uint32_t kMostTrials = 1u << 16;

/// kPoints points of a sample, evenly spaced.
Sample thin(const Sample& sample, std::size_t dimension) {
  const std::size_t have = sample.size() / dimension;
  Sample out;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const auto from = sample.begin() + static_cast<std::ptrdiff_t>((i + 1) * have / kPoints * dimension);
    out.insert(out.end(), from - static_cast<std::ptrdiff_t>(dimension), from);
  }
  return out;
}

/// Grades samples against the theta that made the records.
class Judge {
 public:
  Judge(const Setting& setting, const Effort& effort, double theta, std::uint64_t key)
      : dimension_(setting.dimension()), utility_(effort.utility), theta_(theta), key_(key) {}

  /// A stream of its own for every method, so that leaving one out changes no other.
  [[nodiscard]] Rng rng(Method method) const {
    return {key_, static_cast<std::uint32_t>(method), Purpose::calibration};
  }

  /// @pre the first is Method::nonprivate
  void add(Method method, const Sample& sample) {
    Grade grade;
    grade.method = method;
    double below = 0;
    for (std::size_t i = 0; i < sample.size(); i += dimension_) below += sample[i] < theta_ ? 1 : 0;
    Rng own(key_, static_cast<std::uint32_t>(method), Purpose::prediction);
    const std::size_t draws = sample.size() / dimension_;
    grade.u = (below + own.uniform()) / static_cast<double>(draws + 1);
    if (method == Method::nonprivate) {
      nonprivate_ = sample;
    } else if (utility_ && method != Method::ops) {
      grade.mmd2 = assess::mmd({thin(sample, dimension_), dimension_}, {nonprivate_, dimension_}, 1).squared;
    }
    grades_.push_back(grade);
  }
  [[nodiscard]] std::vector<Grade> grades() const { return grades_; }

 private:
  std::size_t dimension_;
  bool utility_;
  double theta_;
  std::uint64_t key_;
  Sample nonprivate_;
  std::vector<Grade> grades_;
};

Sample betas(double a, double b, Rng rng) {
  Sample out(kPoints);
  for (double& theta : out) theta = draw_beta(a, b, rng);
  return out;
}

Sample gammas(double shape, double rate, Rng rng) {
  Sample out(kPoints);
  for (double& theta : out) theta = draw_gamma(shape, rng) / rate;
  return out;
}

Sample dirichlets(const std::vector<double>& alpha, Rng rng) {
  Sample out(kPoints * alpha.size());
  for (std::size_t i = 0; i < out.size(); i += alpha.size())
    draw_dirichlet(alpha, std::span(out).subspan(i, alpha.size()), rng);
  return out;
}

std::vector<Grade> binomial_trial(const Setting& setting, const Effort& effort, Rng& rng) {
  const double a = setting.prior[0];
  const double b = setting.prior[1];
  const auto records = static_cast<double>(setting.n);
  const double scale = 1 / setting.epsilon;
  const double theta = draw_beta(a, b, rng);
  const auto s = static_cast<double>(draw_binomial(static_cast<std::int64_t>(setting.n), theta, rng));
  const double y = s + draw_laplace(scale, rng);
  Judge judge(setting, effort, theta, rng());
  const auto ask = [&](Method method, const auto& answer) {
    Rng own = judge.rng(method);
    judge.add(method, answer(own));
  };
  judge.add(Method::nonprivate, betas(a + s, b + records - s, judge.rng(Method::nonprivate)));
  judge.add(Method::naive,
            betas(std::max(a + y, kFloor), std::max(b + records - y, kFloor), judge.rng(Method::naive)));
  ask(Method::ops, [&](Rng& own) { return one_posterior_samples(setting.n, a, b, s, setting.epsilon, own); });
  ask(Method::paper_alg1,
      [&](Rng& own) { return paper_algorithm_1(setting.n, a, b, y, scale, effort.chain, own); });
  ask(Method::exact, [&](Rng& own) {
    const Sample both = exact_counts({setting.n, {a, b}, {y, std::nullopt}, scale}, own);
    Sample first(kPoints);
    for (std::size_t i = 0; i < kPoints; ++i) first[i] = both[2 * i];
    return first;
  });
  return judge.grades();
}

std::vector<Grade> multinomial_trial(const Setting& setting, const Effort& effort, Rng& rng) {
  const std::size_t k = setting.prior.size();
  const double scale = 2 / setting.epsilon;  // one record moved: two counts change
  std::vector<double> theta(k);
  draw_dirichlet(setting.prior, theta, rng);
  std::vector<std::int64_t> counts(k);
  draw_multinomial(static_cast<std::int64_t>(setting.n), theta, counts, rng);
  std::vector<double> y(k);
  std::vector<double> updated(k);
  std::vector<double> naive(k);
  SeenCounts seen{setting.n, setting.prior, {}, scale};
  for (std::size_t j = 0; j < k; ++j) {
    const auto s = static_cast<double>(counts[j]);
    y[j] = s + draw_laplace(scale, rng);
    updated[j] = setting.prior[j] + s;
    naive[j] = std::max(setting.prior[j] + y[j], kFloor);
    seen.y.emplace_back(y[j]);
  }
  Judge judge(setting, effort, theta[0], rng());
  judge.add(Method::nonprivate, dirichlets(updated, judge.rng(Method::nonprivate)));
  judge.add(Method::naive, dirichlets(naive, judge.rng(Method::naive)));
  Rng own = judge.rng(Method::paper_alg1);
  judge.add(Method::paper_alg1, paper_algorithm_1(setting.n, setting.prior, y, scale, effort.chain, own));
  own = judge.rng(Method::exact);
  judge.add(Method::exact, exact_counts(seen, own));
  own = judge.rng(Method::gibbs);
  judge.add(Method::gibbs, gibbs_counts(seen, own));
  return judge.grades();
}

/// The middle 95 % of Exp(theta), or of what Gamma(shape, rate) predicts.
Bounds middle(const Setting& setting, double theta) {
  const auto quantile = [&](double below) {
    return setting.bounds == BoundsFrom::truth
               ? -std::log1p(-below) / theta
               : setting.prior[1] * std::expm1(-std::log1p(-below) / setting.prior[0]);
  };
  return {quantile(0.025), quantile(0.975)};
}

/// Sums of one trial's exponential records.
struct ExponentialSums {
  double all = 0;
  double kept = 0;    ///< of those inside the bounds, as the paper releases it
  double levels = 0;  ///< of clamped and rounded records, as we do
};
ExponentialSums draw_records(std::size_t n, double theta, const Bounds& bounds,
                             const ClampedExponential& clamped, Rng& rng) {
  ExponentialSums out;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = draw_exponential(rng) / theta;
    out.all += x;
    if (x >= bounds.a && x <= bounds.b) out.kept += x;
    out.levels += clamped.adds(x);
  }
  return out;
}

std::vector<Grade> exponential_trial(const Setting& setting, const Effort& effort, bool ask_exact, Rng& rng) {
  const double shape = setting.prior[0];
  const double rate = setting.prior[1];
  const double theta = draw_gamma(shape, rng) / rate;
  const Bounds bounds = middle(setting, theta);
  const ClampedExponential clamped(shape, rate, bounds);
  const ExponentialSums sums = draw_records(setting.n, theta, bounds, clamped, rng);
  const double scale = bounds.b / setting.epsilon;  // a kept record may become one that is not: 0
  const double noise = draw_laplace(scale, rng);
  const double level_scale = clamped.sensitivity() / setting.epsilon;
  const double level_y = sums.levels + draw_laplace(level_scale, rng);
  const double updated = shape + static_cast<double>(setting.n);

  Judge judge(setting, effort, theta, rng());
  judge.add(Method::nonprivate, gammas(updated, rate + sums.all, judge.rng(Method::nonprivate)));
  // The paper lets it cheat: it sees the whole sum, with the noise of the kept one.
  judge.add(Method::naive,
            gammas(updated, std::max(rate + sums.all + noise, kFloor), judge.rng(Method::naive)));
  Rng own = judge.rng(Method::paper_alg2);
  judge.add(Method::paper_alg2,
            paper_algorithm_2(setting.n, shape, rate, bounds, sums.kept + noise, scale, effort.chain, own));
  if (ask_exact) {
    own = judge.rng(Method::exact);
    judge.add(Method::exact, clamped.exact(setting.n, level_y, level_scale, own));
  }
  return judge.grades();
}

}  // namespace

std::vector<Grade> run_trial(const Setting& setting, const Effort& effort, std::uint64_t seed,
                             std::size_t index) {
  const std::uint32_t stream = setting.place * kMostTrials + static_cast<std::uint32_t>(index);
  Rng rng(seed, stream, Purpose::calibration);
  switch (setting.model) {
    case Model::binomial:
      return binomial_trial(setting, effort, rng);
    case Model::multinomial:
      return multinomial_trial(setting, effort, rng);
    case Model::exponential:
      return exponential_trial(setting, effort, index < effort.exact_number_trials, rng);
  }
  return {};
}

}  // namespace postern::bs18
