#include "kinds/number/families/families.hpp"

#include <algorithm>

namespace postern::model {

std::span<const NumberFamily> number_families() {
  static const std::vector<NumberFamily> kFamilies{
      binomial_family(),    poisson_family(),   geometric_family(),   negative_binomial_family(),
      exponential_family(), gamma_family(),     normal_mean_family(), normal_family(),
      pareto_family(),      weibull_family(),   rayleigh_family(),    half_normal_family(),
      maxwell_family(),     log_normal_family()};
  return kFamilies;
}

const NumberFamily* find_number_family(std::string_view name) {
  const auto families = number_families();
  const auto found = std::find_if(families.begin(), families.end(),
                                  [&](const NumberFamily& family) { return family.name == name; });
  return found == families.end() ? nullptr : &*found;
}

}  // namespace postern::model
