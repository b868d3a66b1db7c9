#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace postern::zhang16 {

/// The rows of the table. Names say whose omega, noise or increment it is: `printed` ones are the paper's.
enum class Method : std::uint8_t {
  nonprivate,
  best,      ///< the true coins
  majority,  ///< the commoner class of the test records
  laplace_continuous,
  laplace_discrete,
  laplace_add_remove,
  fourier_clipped,
  fourier_stealthy,   ///< the paper's way: an increment that suffices in 90 % of runs, and only those
  fourier_printed_t,  ///< the increment of Corollary 3 for t = ln 10, of which it claims 90 %
  fourier_least,      ///< the least increment
  fourier_shrunk,     ///< exact sensitivity, public n, shrinkage
  sampler_printed,    ///< one draw, omega = e^(-epsilon/2)
  sampler_printed_100,
  sampler,      ///< one draw, omega for which it costs epsilon
  sampler_10,   ///< ten, each for epsilon / 10
  tempered_05,  ///< omega = .05
  tempered_20,
  tempered_35,
  private_map,
  noise_aware,       ///< the exact posterior given what laplace_discrete released
  laplace_fair,      ///< laplace_discrete told that classes are equally likely, as they are
  noise_aware_fair,  ///< noise_aware told so
  stealth,           ///< no accuracy: whether fourier_stealthy was stealthy
  increment,         ///< no accuracy: the least increment, a cell of four
  gain,        ///< no accuracy: log P(class | features) of noise_aware over that of laplace_discrete, in nats
  gain_half,   ///< no accuracy: the same, both under the priors Beta(.5, .5)
  joint_gain,  ///< no accuracy: the same for log P(class, features), uniform priors
};

struct MethodFacts {
  std::string_view name;
  bool has_epsilon = true;
  bool is_accuracy = true;
};
inline constexpr std::array<MethodFacts, 27> kMethods{{{"nonprivate", false},
                                                       {"best", false},
                                                       {"majority", false},
                                                       {"laplace_continuous"},
                                                       {"laplace_discrete"},
                                                       {"laplace_add_remove"},
                                                       {"fourier_clipped"},
                                                       {"fourier_stealthy"},
                                                       {"fourier_printed_t"},
                                                       {"fourier_least"},
                                                       {"fourier_shrunk"},
                                                       {"sampler_printed"},
                                                       {"sampler_printed_100"},
                                                       {"sampler"},
                                                       {"sampler_10"},
                                                       {"tempered_05"},
                                                       {"tempered_20"},
                                                       {"tempered_35"},
                                                       {"private_map"},
                                                       {"noise_aware"},
                                                       {"laplace_fair"},
                                                       {"noise_aware_fair"},
                                                       {"stealth", true, false},
                                                       {"increment", true, false},
                                                       {"gain", true, false},
                                                       {"gain_half", true, false},
                                                       {"joint_gain", true, false}}};
static_assert(kMethods.size() == static_cast<std::size_t>(Method::joint_gain) + 1);

inline constexpr std::array<double, 8> kEpsilons{.1, .5, 1, 2, 5, 10, 20, 50};

[[nodiscard]] constexpr const MethodFacts& facts(Method method) {
  return kMethods[static_cast<std::size_t>(method)];
}

/// What a run with this nominal epsilon costs in truth, in real numbers, with 50 records: by integration for
/// draws, by the sensitivity otherwise (of Fourier noise that is n's business too: n is public). NaN if it
/// cannot be run or has no epsilon.
[[nodiscard]] double true_epsilon(Method method, double epsilon);

}  // namespace postern::zhang16
