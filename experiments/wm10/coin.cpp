#include "coin.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "postern/core/special.hpp"

#include "kinds/choice/likelihood.hpp"

namespace postern::wm10 {
namespace {

constexpr int kCandidates = 9;
constexpr std::int64_t kRecords = 100;

/// Centred over the candidates, then clamped to -1..1: the reading under which the printed clamp makes sense.
std::vector<double> log_scores() {
  const double centre = (std::log(0.1) + std::log(0.9)) / 2;
  std::vector<double> out;
  for (int z = 1; z <= kCandidates; ++z) {
    for (const double p : {1 - 0.1 * z, 0.1 * z}) out.push_back(std::clamp(std::log(p) - centre, -1.0, 1.0));
  }
  return out;
}

infer::ChoiceLikelihoods coin_of(double epsilon, std::size_t chosen) {
  infer::ChosenCandidate one;
  one.chosen = chosen;
  for (const double score : log_scores()) one.log_weights.push_back(epsilon * score);
  return {{one}, 2};
}

double exact_at(const infer::ChoiceLikelihoods& coin, double theta, std::int64_t n) {
  double out = 0;
  for (std::int64_t k = 0; k <= n; ++k) {
    const auto heads = static_cast<double>(k);
    const auto tails = static_cast<double>(n - k);
    const double log = log_choose(heads + tails, heads) + (k > 0 ? heads * std::log(theta) : 0) +
                       (k < n ? tails * std::log1p(-theta) : 0);
    const std::vector<std::int64_t> counts{n - k, k};
    out += std::exp(log + coin.log_at(counts));
  }
  return out;
}

/// q ~ exp(n E log phi): as printed, whatever epsilon is.
std::vector<double> printed_choice(double theta, double n) {
  const std::vector<double> scores = log_scores();
  std::vector<double> out;
  for (std::size_t z = 0; z < kCandidates; ++z)
    out.push_back(n * ((1 - theta) * scores[2 * z] + theta * scores[2 * z + 1]));
  const double whole = log_sum_exp(out);
  for (double& one : out) one = std::exp(one - whole);
  return out;
}

struct Errors {
  double lower = 0, printed = 0, expected = 0, best = 0;
};

}  // namespace

std::vector<CoinPoint> coin_points(std::int64_t n, double epsilon, std::size_t chosen) {
  const infer::ChoiceLikelihoods coin = coin_of(epsilon, chosen);
  const auto records = static_cast<double>(n);
  std::vector<CoinPoint> out;
  for (int i = 0; i <= 100; ++i) {
    const double theta = i / 100.0;
    const std::vector<double> p{1 - theta, theta};
    out.push_back({epsilon, theta, exact_at(coin, theta, n), std::exp(coin.log_lower(p, records)),
                   std::exp(coin.log_upper(p, records, printed_choice(theta, records))),
                   std::exp(coin.log_upper(p, records, coin.expected_choice(p, records))),
                   std::exp(coin.log_upper(p, records))});
  }
  return out;
}

void write_coin(const std::filesystem::path& folder, bool quick) {
  std::ofstream errors(folder / "wm10-fig2a.csv");
  errors << "epsilon,lower,upper_printed,upper_expected,upper_best\n";
  const double step = quick ? 0.1 : 0.02;
  std::vector<double> epsilons{0.01};
  for (double epsilon = step; epsilon < 1 + step / 2; epsilon += step) epsilons.push_back(epsilon);
  for (const double epsilon : epsilons) {
    Errors most;
    for (std::size_t z = 0; z < kCandidates; ++z) {
      for (const CoinPoint& at : coin_points(kRecords, epsilon, z)) {
        most.lower = std::max(most.lower, at.exact - at.lower);
        most.printed = std::max(most.printed, at.upper_printed - at.exact);
        most.expected = std::max(most.expected, at.upper_expected - at.exact);
        most.best = std::max(most.best, at.upper_best - at.exact);
      }
    }
    errors << epsilon << ',' << most.lower << ',' << most.printed << ',' << most.expected << ',' << most.best
           << '\n';
  }
  std::ofstream shape(folder / "wm10-fig2b.csv");
  shape << "theta,exact,lower,upper_printed,upper_expected,upper_best\n";
  for (const CoinPoint& at : coin_points(kRecords, 0.5, 6)) {
    shape << at.theta << ',' << at.exact << ',' << at.lower << ',' << at.upper_printed << ','
          << at.upper_expected << ',' << at.upper_best << '\n';
  }
}

}  // namespace postern::wm10
