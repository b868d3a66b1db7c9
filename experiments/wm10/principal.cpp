#include "principal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>

#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"

namespace postern::wm10 {
namespace {

using std::numbers::pi;
using Point = std::array<double, 2>;

constexpr double kSigma = 0.5;
constexpr double kLength = 1.5;  // of the true component, along the first axis
constexpr double kPriorSd = 2;
constexpr std::size_t kRecords = 1000;

double square(const Point& x) { return x[0] * x[0] + x[1] * x[1]; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1]; }

/// 24 angles of the half circle, three radii.
std::vector<Point> candidates() {
  std::vector<Point> out;
  for (const double radius : {0.5, 1.0, 2.0}) {
    for (int a = 0; a < 24; ++a)
      out.push_back({radius * kLength * std::cos(pi * a / 24), radius * kLength * std::sin(pi * a / 24)});
  }
  return out;
}

/// log Normal(x; 0, z z' + sigma^2 I), but for a constant.
double log_density(const Point& x, const Point& z) {
  const double along = square(z);
  const double part = dot(x, z) * dot(x, z) / (kSigma * kSigma + along);
  return -0.5 * std::log(kSigma * kSigma + along) - 0.5 * (square(x) - part) / (kSigma * kSigma);
}

/// Scores of all candidates for a record: centred, then clamped to -1..1.
std::vector<double> scores(const Point& x, const std::vector<Point>& all) {
  std::vector<double> out;
  for (const Point& z : all) out.push_back(log_density(x, z));
  const auto [least, most] = std::minmax_element(out.begin(), out.end());
  const double centre = (*least + *most) / 2;
  for (double& one : out) one = std::clamp(one - centre, -1.0, 1.0);
  return out;
}

/// Nodes and weights of a rule for standard normal expectations: equal parts of the normal law would do less
/// well than a fine trapezium, which for smooth functions is exact to rounding.
struct Rule {
  std::vector<double> nodes;
  std::vector<double> weights;
};
Rule normal_rule(int half) {
  Rule out;
  const double step = 6.0 / half;
  for (int i = -half; i <= half; ++i) {
    out.nodes.push_back(step * i);
    out.weights.push_back(step * std::exp(-0.5 * step * i * step * i) / std::sqrt(2 * pi));
  }
  return out;
}

/// log of (5a) for a component theta: -log sum_z' (E e^{eps (l(z') - l(z))})^n.
double log_lower(const Point& theta, std::size_t chosen, double epsilon, const std::vector<Point>& all,
                 const Rule& rule) {
  const double length = std::sqrt(square(theta));
  const Point axis = length > 0 ? Point{theta[0] / length, theta[1] / length} : Point{1, 0};
  std::vector<double> means(all.size(), 0.0);
  const double spread = std::sqrt(length * length + kSigma * kSigma);
  for (std::size_t a = 0; a < rule.nodes.size(); ++a) {
    for (std::size_t b = 0; b < rule.nodes.size(); ++b) {
      const double u = spread * rule.nodes[a];
      const double v = kSigma * rule.nodes[b];
      const std::vector<double> here = scores({u * axis[0] - v * axis[1], u * axis[1] + v * axis[0]}, all);
      const double weight = rule.weights[a] * rule.weights[b];
      for (std::size_t z = 0; z < all.size(); ++z)
        means[z] += weight * std::exp(epsilon * (here[z] - here[chosen]));
    }
  }
  double top = -1e300;
  for (double& one : means) top = std::max(top, one = static_cast<double>(kRecords) * std::log(one));
  double sum = 0;
  for (const double one : means) sum += std::exp(one - top);
  return -top - std::log(sum);
}

/// A grid of theta with the posterior's weights; theta and -theta are one.
struct Grid {
  std::vector<Point> at;
  std::vector<double> below;  ///< cumulative
};

Grid posterior(std::size_t chosen, double epsilon, const std::vector<Point>& all, bool quick) {
  const int angles = quick ? 24 : 48;
  const int radii = quick ? 8 : 16;
  const Rule rule = normal_rule(quick ? 6 : 10);
  Grid out;
  std::vector<double> logs;
  for (int r = 0; r < radii; ++r) {
    const double radius = 3 * kPriorSd * (r + 0.5) / radii;
    for (int a = 0; a < angles; ++a) {
      const double angle = pi * a / angles;
      out.at.push_back({radius * std::cos(angle), radius * std::sin(angle)});
      logs.push_back(log_lower(out.at.back(), chosen, epsilon, all, rule) + std::log(radius) -
                     0.5 * radius * radius / (kPriorSd * kPriorSd));
    }
  }
  const double top = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double one : logs) out.below.push_back(sum += std::exp(one - top));
  for (double& one : out.below) one /= sum;
  return out;
}

/// One candidate, by the exponential mechanism.
std::size_t choose(const std::vector<double>& sums, double epsilon, Rng& rng) {
  const double top = *std::max_element(sums.begin(), sums.end());
  std::vector<double> below;
  double sum = 0;
  for (const double one : sums) below.push_back(sum += std::exp(epsilon * (one - top)));
  const double at = rng.uniform() * sum;
  return std::min(sums.size() - 1,
                  static_cast<std::size_t>(std::upper_bound(below.begin(), below.end(), at) - below.begin()));
}

std::vector<double> score_sums(const std::vector<Point>& all, Rng& rng) {
  std::vector<double> out(all.size(), 0.0);
  for (std::size_t i = 0; i < kRecords; ++i) {
    const double along = kLength * draw_normal(rng);
    const std::vector<double> here =
        scores({along + kSigma * draw_normal(rng), kSigma * draw_normal(rng)}, all);
    for (std::size_t z = 0; z < all.size(); ++z) out[z] += here[z];
  }
  return out;
}

/// Of one release: resultant, mass near the truth, error of the mean angle in degrees.
struct Found {
  double resultant = 0;
  double near = 0;
  double error = 0;
};

Found look_at(const Grid& grid) {
  std::complex<double> mean = 0;
  Found out;
  for (std::size_t i = 0; i < grid.at.size(); ++i) {
    const double weight = grid.below[i] - (i == 0 ? 0 : grid.below[i - 1]);
    const double angle = std::atan2(grid.at[i][1], grid.at[i][0]);
    mean += weight * std::polar(1.0, 2 * angle);
    if (std::min(angle, pi - angle) <= pi / 12 + 1e-9) out.near += weight;
  }
  out.resultant = std::abs(mean);
  out.error = std::abs(std::arg(mean)) / 2 * 180 / pi;
  return out;
}

}  // namespace

void write_principal(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream draws(folder / "wm10-fig4.csv");
  std::ofstream summary(folder / "wm10-fig4-summary.csv");
  draws << "epsilon,theta1,theta2\n";
  summary << "epsilon,releases,resultant,mass_within_15,mean_angle_error\n";
  const std::vector<Point> all = candidates();
  const std::size_t releases = plan.quick ? 4 : 12;
  std::uint32_t stream = 400;
  for (const double epsilon : {0.001, 0.003, 0.01, 0.03, 0.1}) {
    if (plan.quick && epsilon != 0.003 && epsilon != 0.1) continue;
    std::vector<Grid> grids(releases);
    ++stream;
    parallel_for(releases, plan.threads, [&](std::size_t r) {
      Rng rng(plan.seed, stream * 1000 + static_cast<std::uint32_t>(r), Purpose::simulation);
      grids[r] = posterior(choose(score_sums(all, rng), epsilon, rng), epsilon, all, plan.quick);
    });
    Found mean;
    for (const Grid& grid : grids) {
      const Found one = look_at(grid);
      const auto count = static_cast<double>(releases);
      mean = {mean.resultant + one.resultant / count, mean.near + one.near / count,
              mean.error + one.error / count};
    }
    summary << epsilon << ',' << releases << ',' << mean.resultant << ',' << mean.near << ',' << mean.error
            << '\n';
    Rng rng(plan.seed, stream * 1000 + 999, Purpose::simulation);
    for (int i = 0; i < 1000; ++i) {
      const auto& below = grids.front().below;
      const auto at = static_cast<std::size_t>(std::upper_bound(below.begin(), below.end(), rng.uniform()) -
                                               below.begin());
      const Point& theta = grids.front().at[std::min(at, grids.front().at.size() - 1)];
      const double sign = rng.uniform() < 0.5 ? 1 : -1;
      draws << epsilon << ',' << sign * theta[0] << ',' << sign * theta[1] << '\n';
    }
  }
}

}  // namespace postern::wm10
