#include "postern/assess/bounds/fourier_bound.hpp"

#include <cmath>

#include "domain.hpp"

namespace postern::assess {
namespace {

constexpr std::size_t kMostVariables = 30;

/// The cells' errors are an orthogonal transform of the coefficients' noise, so their absolute sum is at most
/// the noise's Euclidean length, and that at most 2^(f/2) times its largest entry.
double table_bound(const FourierNoise& noise, std::size_t variables, double entries, double delta) {
  check_positive(static_cast<double>(noise.coefficients));
  check_positive(noise.scale);
  check_not_negative(noise.increment);
  check_probability(delta);
  if (variables == 0 || variables > kMostVariables)
    throw Error(ErrorCode::usage, {"a family has from 1 to 30 variables"});
  const double largest = noise.scale * std::log(entries / delta);
  return noise.increment + std::exp2(static_cast<double>(variables) / 2) * largest;
}

}  // namespace

double fourier_table_bound(const FourierNoise& noise, std::size_t variables, double delta) {
  return table_bound(noise, variables, std::exp2(static_cast<double>(variables)), delta);
}

double fourier_tables_bound(const FourierNoise& noise, std::size_t variables, double delta) {
  return table_bound(noise, variables, static_cast<double>(noise.coefficients), delta);
}

double fourier_printed_bound(std::size_t coefficients, std::size_t parents, double epsilon, double t,
                             double delta) {
  const auto all = static_cast<double>(coefficients);
  check_positive(all);
  check_positive(epsilon);
  check_not_negative(t);
  check_probability(delta);
  if (parents >= kMostVariables) throw Error(ErrorCode::usage, {"a family has from 1 to 30 variables"});
  return 4 * all / epsilon * (std::exp2(static_cast<double>(parents)) * std::log(all / delta) + t * all);
}

}  // namespace postern::assess
