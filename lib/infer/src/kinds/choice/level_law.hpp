#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// The law of the records behind a choice: parameters, their prior (public rows included), and the
/// probability of every level given them. Immutable.
class LevelLaw {
 public:
  using Theta = std::vector<double>;

  LevelLaw() = default;
  LevelLaw(const LevelLaw&) = delete;
  LevelLaw& operator=(const LevelLaw&) = delete;
  virtual ~LevelLaw() = default;

  /// What is reported of the parameters: CmdStan's names, and labels.
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  [[nodiscard]] virtual std::vector<std::string> labels() const = 0;
  virtual void report(const Theta& theta, std::span<double> out) const = 0;

  virtual void probabilities(const Theta& theta, std::vector<double>& p) const = 0;
  /// Parameters from a law q that is, or is close to, their posterior given so many records at each level.
  [[nodiscard]] virtual Theta draw(std::span<const std::int64_t> counts, Rng& rng) const = 0;
  /// log [prior(theta) p(counts | theta) / q(theta)] but for what does not depend on theta.
  [[nodiscard]] virtual double log_excess(const Theta& theta, std::span<const std::int64_t> counts) const = 0;

  /// The Dirichlet prior of the levels' probabilities, where that is what it is: then q is the posterior.
  [[nodiscard]] virtual std::span<const double> dirichlet() const { return {}; }
  /// Of a law with one parameter: where it may be, for a grid.
  struct Line {
    double lo = 0;
    double hi = 1;
  };
  [[nodiscard]] virtual Line line() const = 0;
  /// Log density of the prior at a point of that line, and the parameters there.
  [[nodiscard]] virtual double log_prior(double at) const = 0;
  [[nodiscard]] virtual Theta on_line(double at) const = 0;
  [[nodiscard]] bool one_parameter() const { return names().size() == 1; }
};

/// The law that the records of such a study have, with the prior and the public rows of the options.
[[nodiscard]] std::unique_ptr<const LevelLaw> make_level_law(const model::Study& records,
                                                             const InferOptions& options);

}  // namespace postern::infer
