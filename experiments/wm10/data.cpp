#include "data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/draw.hpp"

namespace postern::wm10 {
namespace {

double dot(const double* x, const std::vector<double>& theta) {
  return std::inner_product(theta.begin(), theta.end(), x, 0.0);
}

std::vector<double> on_sphere(std::size_t d, Rng& rng) {
  std::vector<double> x(d);
  for (double& one : x) one = draw_normal(rng);
  const double length = std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
  for (double& one : x) one /= length;
  return x;
}

std::vector<double> in_cube(std::size_t d, Rng& rng) {
  std::vector<double> x(d);
  for (double& one : x) one = rng.uniform() - 0.5;
  return x;
}

void add(Labelled& to, const std::vector<double>& x, bool y) {
  to.dimensions = x.size();
  to.x.insert(to.x.end(), x.begin(), x.end());
  to.y.push_back(y);
}

/// Points and their mirror images: means of odd functions are exact.
template <class Draw>
std::vector<std::vector<double>> cloud_of(const Draw& draw) {
  constexpr std::size_t kPairs = 1000;
  std::vector<std::vector<double>> out;
  for (std::size_t i = 0; i < kPairs; ++i) {
    std::vector<double> x = draw();
    out.push_back(x);
    for (double& one : x) one = -one;
    out.push_back(std::move(x));
  }
  return out;
}

}  // namespace

Dataset make_dataset(const std::string& name, bool quick, Rng& rng) {
  Dataset out;
  out.name = name;
  const bool synth = name == "SYNTH";
  const std::size_t d = synth ? 4 : 10;
  const std::size_t n = synth ? 1000 : (quick ? 1750 : 17500);
  std::vector<double> truth = on_sphere(d, rng);
  if (synth) {
    for (double& one : truth) one *= 10;
  }
  constexpr std::size_t kKnown = 200;
  for (Labelled* part : {&out.learn, &out.test, &out.known}) {
    while (part->size() < (part == &out.known ? kKnown : n)) {
      const std::vector<double> x = synth ? in_cube(d, rng) : on_sphere(d, rng);
      const double side = dot(x.data(), truth);
      if (synth) {
        add(*part, x, rng.uniform() < 1 / (1 + std::exp(-side)));
      } else if (name == "CM2") {
        add(*part, x, (side > 0) != (std::abs(side) < 0.1 && rng.uniform() < 0.2));
      } else if (std::abs(side) >= 0.03) {
        add(*part, x, side > 0);
      }
    }
  }
  out.cloud = cloud_of([&] { return synth ? in_cube(d, rng) : on_sphere(d, rng); });
  out.most = synth ? static_cast<double>(d) / 2 : std::sqrt(static_cast<double>(d));
  out.step = synth ? 20 : 200;
  out.prior_sd = synth ? 10 : 30;
  return out;
}

double error_rate(const Labelled& points, const std::vector<double>& theta) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    wrong += (dot(points.at(i), theta) > 0) != points.y[i] ? 1 : 0;
  return 100 * static_cast<double>(wrong) / static_cast<double>(points.size());
}

}  // namespace postern::wm10
