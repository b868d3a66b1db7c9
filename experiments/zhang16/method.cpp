#include "method.hpp"

#include <algorithm>
#include <limits>

#include "noisy_tables.hpp"
#include "posterior_draw.hpp"
#include "privacy_loss.hpp"
#include "trial.hpp"

namespace postern::zhang16 {

double true_epsilon(Method method, double epsilon) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kFourierShare = kFourierSensitivity / kPrintedFourierSensitivity;
  const auto loss = [](double omega, double tempering) {
    return draw_loss(kFeatures, kTrain, omega, tempering);
  };
  switch (method) {
    case Method::laplace_continuous:
    case Method::laplace_discrete:
    case Method::laplace_add_remove:
    case Method::noise_aware:
    case Method::laplace_fair:
    case Method::noise_aware_fair:
    case Method::fourier_shrunk:
      return epsilon;
    case Method::fourier_clipped:
    case Method::fourier_printed_t:
    case Method::fourier_least:
      return kFourierShare * epsilon;
    case Method::fourier_stealthy:  // a bound: showing only some runs tells how likely these were
      return 2 * kFourierShare * epsilon;
    case Method::sampler_printed:
      return printed_omega(epsilon) < 0.5 ? loss(printed_omega(epsilon), 1) : kNone;
    case Method::sampler_printed_100:
      return 100 * true_epsilon(Method::sampler_printed, epsilon);
    case Method::sampler:
      return loss(priced_omega(epsilon), 1);
    case Method::sampler_10:
      return 10 * loss(priced_omega(epsilon / 10), 1);
    case Method::tempered_05:
    case Method::tempered_20:
    case Method::tempered_35:
      return loss(omega_of(method), std::min(1.0, priced_tempering(omega_of(method), epsilon)));
    case Method::private_map:
      return loss(omega_of(method), priced_tempering(omega_of(method), epsilon));
    case Method::nonprivate:
    case Method::best:
    case Method::majority:
    case Method::stealth:
    case Method::increment:
    case Method::gain:
    case Method::gain_half:
    case Method::joint_gain:
      return kNone;
  }
  return kNone;
}

}  // namespace postern::zhang16
