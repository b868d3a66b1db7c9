#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paper_mode.hpp"

namespace postern::bs18 {

enum class Model { binomial, multinomial, exponential };
/// Where numbers are cut: at the middle 95 % of what the prior predicts, or, as the authors' code does, at
/// the middle 95 % under the true theta of each trial. The second is no private release: it tells theta.
enum class BoundsFrom { prior, truth };

enum class Method { nonprivate, naive, ops, paper_alg1, paper_alg2, exact, gibbs };
inline constexpr std::array<std::string_view, 7> kMethodNames{"nonprivate", "naive", "ops",  "paper_alg1",
                                                              "paper_alg2", "exact", "gibbs"};

/// One point of Figure 1a.
struct Setting {
  Model model = Model::binomial;
  std::vector<double> prior;  ///< Beta(a, b), Dirichlet(alpha), Gamma(shape, rate)
  BoundsFrom bounds = BoundsFrom::prior;
  std::size_t n = 0;
  double epsilon = 0;
  std::uint32_t place = 0;  ///< among all settings; names its random streams

  [[nodiscard]] std::string model_name() const;
  [[nodiscard]] std::string prior_name() const;   ///< "Beta(10;10)"
  [[nodiscard]] std::string bounds_name() const;  ///< "none", "prior", "truth"
  [[nodiscard]] std::size_t dimension() const { return model == Model::multinomial ? prior.size() : 1; }
};

/// How long to work at it.
struct Effort {
  std::size_t binomial_trials = 1000;
  std::size_t trials = 500;  ///< of the other models
  ChainLength chain;         ///< of the paper's samplers
  bool utility = false;      ///< also compare with the posterior that sees the records
  /// Trials of the exponential model in which the exact engine is asked too: it takes 40 ms.
  std::size_t exact_number_trials = 100;

  [[nodiscard]] std::size_t of(const Setting& setting) const {
    return setting.model == Model::binomial ? binomial_trials : trials;
  }
};

}  // namespace postern::bs18
