#include "census.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/model/kinds/principal_component.hpp"

#include "ball.hpp"

namespace postern::zhang16 {
namespace {

constexpr std::size_t kFeatures = 14;
constexpr std::array<double, kFeatures> kTruth{1.2, .9, -.6, .4, .3, -.2, .8, -.5, .4, .3, -.3, .2, .6, -.4};
constexpr std::array<double, 8> kCoins{.5, .5, .3, .3, .2, .2, .1, .1};
constexpr std::array kPrecisions{.01, 1.0, 10.0, 100.0, 300.0, 1000.0, 1e4, 1e5};

using Vector = std::array<double, kFeatures>;

/// Sums of products of features and target: all that squared errors depend on.
struct Sums {
  double n = 0;
  double yy = 0;
  Vector xy{};
  std::array<double, kFeatures * kFeatures> xx{};

  void add(const Vector& x, double y) {
    ++n;
    yy += y * y;
    for (std::size_t i = 0; i < kFeatures; ++i) {
      xy[i] += x[i] * y;
      for (std::size_t j = 0; j < kFeatures; ++j) xx[i * kFeatures + j] += x[i] * x[j];
    }
  }
  [[nodiscard]] double error(const std::vector<double>& w) const {
    double out = yy;
    for (std::size_t i = 0; i < kFeatures; ++i) {
      out -= 2 * w[i] * xy[i];
      for (std::size_t j = 0; j < kFeatures; ++j) out += w[i] * w[j] * xx[i * kFeatures + j];
    }
    return out / n;
  }
};

struct Split {
  Sums learn;
  Sums judge;
};

/// A record lands in the part to learn from with probability 1/10. Records are the same in every split.
Split make_split(const CensusPlan& plan, std::size_t split) {
  Rng records(plan.seed, 0, Purpose::simulation);
  Rng parts(plan.seed, static_cast<std::uint32_t>(split + 1), Purpose::simulation);
  const double scale = 1 / std::sqrt(static_cast<double>(kFeatures));
  Split out;
  Vector x;
  for (std::size_t r = 0; r < plan.records; ++r) {
    double y = -.3 + .15 * draw_normal(records);
    for (std::size_t i = 0; i < kFeatures; ++i) {
      const double u = records.uniform();
      x[i] = scale * (i < 6 ? u : (u < kCoins[i - 6] ? 1 : 0));
      y += x[i] * kTruth[i];
    }
    (parts.uniform() < 0.1 ? out.learn : out.judge).add(x, std::clamp(y, -1.0, 1.0));
  }
  return out;
}

std::vector<double> turned_back(const std::vector<double>& v, const model::PrincipalAxes& axes) {
  std::vector<double> out(kFeatures, 0.0);
  for (std::size_t k = 0; k < kFeatures; ++k) {
    for (std::size_t i = 0; i < kFeatures; ++i) out[i] += v[k] * axes.axes[k * kFeatures + i];
  }
  return out;
}

/// Errors of one split at one prior.
struct Trial {
  double ridge = 0;
  double drawn = 0;
  double length = 0;
  double acceptance = 0;
  std::array<double, kTempers.size()> tempered{};
};

Trial run_trial(const Split& split, const model::PrincipalAxes& axes, double b, Rng& rng) {
  constexpr int kDraws = 20;  // of each kind, averaged: the table is of expected errors
  const double radius = 10 / std::sqrt(b);
  std::vector<double> h(kFeatures, 0.0);
  for (std::size_t k = 0; k < kFeatures; ++k) {
    for (std::size_t i = 0; i < kFeatures; ++i) h[k] += axes.axes[k * kFeatures + i] * split.learn.xy[i];
  }
  Trial out;
  // The likelihood has variance 1, or what makes a draw cost epsilon where that is more.
  const auto drawn_error = [&](double variance, double* acceptance) {
    std::vector<double> precision;
    std::vector<double> scaled = h;
    for (std::size_t k = 0; k < kFeatures; ++k) {
      precision.push_back(axes.variances[k] / variance + b);
      scaled[k] /= variance;
    }
    BallNormal law(precision, scaled, radius);
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) sum += split.judge.error(turned_back(law.draw(rng), axes));
    if (acceptance != nullptr) *acceptance = law.acceptance();
    return sum / kDraws;
  };
  out.drawn = drawn_error(1, &out.acceptance);
  std::vector<double> mean(kFeatures);
  for (std::size_t k = 0; k < kFeatures; ++k) mean[k] = h[k] / (axes.variances[k] + b);
  out.length = std::sqrt(std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0));
  out.ridge = split.judge.error(turned_back(mean, axes));
  for (std::size_t t = 0; t < kTempers.size(); ++t)
    out.tempered[t] = drawn_error(std::max(1.0, ball_loss(radius) / kTempers[t]), nullptr);
  return out;
}

/// Mean and its standard error.
struct Mean {
  double mean = 0;
  double se = 0;
};
template <class Value>
Mean mean_of(const std::vector<Trial>& trials, const Value& value) {
  Mean out;
  const auto count = static_cast<double>(trials.size());
  for (const Trial& one : trials) out.mean += value(one) / count;
  for (const Trial& one : trials) out.se += (value(one) - out.mean) * (value(one) - out.mean);
  out.se = std::sqrt(out.se / std::max(1.0, count - 1) / count);
  return out;
}

CensusRow row_of(double b, const std::vector<Trial>& trials) {
  CensusRow out;
  out.precision = b;
  out.radius = 10 / std::sqrt(b);
  out.epsilon = ball_loss(out.radius);
  out.ridge = mean_of(trials, [](const Trial& one) { return one.ridge; }).mean;
  out.drawn = mean_of(trials, [](const Trial& one) { return one.drawn; }).mean;
  const Mean ratio = mean_of(trials, [](const Trial& one) { return one.drawn / one.ridge; });
  out.ratio = ratio.mean;
  out.ratio_se = ratio.se;
  out.length = mean_of(trials, [](const Trial& one) { return one.length; }).mean;
  out.acceptance = mean_of(trials, [](const Trial& one) { return one.acceptance; }).mean;
  for (std::size_t t = 0; t < kTempers.size(); ++t) {
    const Mean tempered = mean_of(trials, [t](const Trial& one) { return one.tempered[t] / one.ridge; });
    out.tempered[t] = tempered.mean;
    out.tempered_se[t] = tempered.se;
  }
  return out;
}

}  // namespace

std::vector<CensusRow> run_census(const CensusPlan& plan, const Progress& progress) {
  std::vector<std::vector<Trial>> trials(kPrecisions.size(), std::vector<Trial>(plan.splits));
  parallel_for(plan.splits, plan.threads, [&](std::size_t s) {
    const Split split = make_split(plan, s);
    const model::PrincipalAxes axes =
        model::principal_axes({split.learn.xx.begin(), split.learn.xx.end()}, kFeatures);
    Rng rng(plan.seed, static_cast<std::uint32_t>(s + 1), Purpose::draws);
    for (std::size_t b = 0; b < kPrecisions.size(); ++b)
      trials[b][s] = run_trial(split, axes, kPrecisions[b], rng);
  });
  std::vector<CensusRow> out;
  for (std::size_t b = 0; b < kPrecisions.size(); ++b) out.push_back(row_of(kPrecisions[b], trials[b]));
  progress(1);
  return out;
}

void write_census(const std::filesystem::path& file, const std::vector<CensusRow>& rows) {
  std::ofstream out(file);
  out << "precision,radius,epsilon,ridge_mse,draw_mse,ratio,ratio_se,length,acceptance";
  for (const double epsilon : kTempers) out << ",tempered_" << epsilon << ",tempered_" << epsilon << "_se";
  out << "\n";
  for (const CensusRow& row : rows) {
    out << row.precision << "," << row.radius << "," << row.epsilon << "," << row.ridge << "," << row.drawn
        << "," << row.ratio << "," << row.ratio_se << "," << row.length << "," << row.acceptance;
    for (std::size_t t = 0; t < kTempers.size(); ++t)
      out << "," << row.tempered[t] << "," << row.tempered_se[t];
    out << "\n";
  }
}

}  // namespace postern::zhang16
