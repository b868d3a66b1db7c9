#include "postern/assess/bounds/dirichlet_kl.hpp"

#include <numeric>

#include "postern/core/special.hpp"

#include "digamma.hpp"
#include "domain.hpp"

namespace postern::assess {

double gamma_divergence(double b, double a) { return log_rising(a, b - a) - (b - a) * digamma(a); }

double dirichlet_kl(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size() || a.size() < 2)
    throw Error(ErrorCode::usage,
                {"two Dirichlet laws to compare have the same number of parameters, at least two"});
  double kl = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    check_positive(a[k]);
    check_positive(b[k]);
    kl += gamma_divergence(b[k], a[k]);
  }
  return kl -
         gamma_divergence(std::accumulate(b.begin(), b.end(), 0.0), std::accumulate(a.begin(), a.end(), 0.0));
}

}  // namespace postern::assess
