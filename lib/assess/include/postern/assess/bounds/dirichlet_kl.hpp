#pragma once

#include <span>

namespace postern::assess {

/// Kullback-Leibler divergence KL(Dir(a) || Dir(b)) in nats; two parameters are a Beta. Convex in b. Fails
/// with `usage`: fewer than two parameters, different numbers of them, one that is not positive and finite.
[[nodiscard]] double dirichlet_kl(std::span<const double> a, std::span<const double> b);

/// log Gamma(b) - log Gamma(a) - (b - a) psi(a) >= 0: what one parameter adds to the divergence, and what
/// their sum takes from it. @pre a, b > 0
[[nodiscard]] double gamma_divergence(double b, double a);

}  // namespace postern::assess
