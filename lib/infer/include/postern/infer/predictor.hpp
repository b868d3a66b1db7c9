#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/infer/basis.hpp"
#include "postern/infer/rows.hpp"

namespace postern::infer {

/// What a posterior says of one column of a new record, given the levels of others: -1 stands for a level
/// that is not known. The target's own level is not looked at. Immutable; each thread has a Worker of its
/// own.
class Predictor {
 public:
  class Worker {
   public:
    Worker() = default;
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    virtual ~Worker() = default;
    /// out[level * draws() + d] = P(target = level | the levels known, parameters of draw d); no number where
    /// these levels are impossible under the draw.
    virtual void conditional(std::span<const std::int32_t> record, std::span<double> out) = 0;
  };

  Predictor() = default;
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;
  virtual ~Predictor() = default;

  /// The rows as `conditional` takes them, one each: themselves, unless what is known of a row is in others.
  /// The target stays where it is; -1 there is a row that is not to be judged.
  [[nodiscard]] virtual Rows arranged(const Rows& rows) const { return rows; }
  [[nodiscard]] virtual std::size_t draws() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Worker> worker() const = 0;
  /// Whether `predictive` is exact: no average over draws.
  [[nodiscard]] virtual bool exact() const { return false; }
  /// How probabilities are computed, in a few words.
  [[nodiscard]] virtual std::string how() const;
  /// p(target = level | the levels known, releases), where the posterior knows more of it than single draws
  /// do: the joint probabilities averaged over parameters, then divided. Else nothing. Thread-safe.
  [[nodiscard]] virtual std::optional<std::vector<double>> predictive(
      std::span<const std::int32_t> record) const;
};

}  // namespace postern::infer
