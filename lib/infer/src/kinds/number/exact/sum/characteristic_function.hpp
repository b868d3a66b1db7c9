#pragma once

#include <cstdint>

#include "kinds/number/exact/record/record_law.hpp"
#include "kinds/number/exact/record/tilted_record.hpp"
#include "noise_transform.hpp"
#include "sum_noise.hpp"

namespace postern::infer {

/// How far a sum of n tilted records goes from its mean but for e^-42, by the inequalities of Bernstein and
/// Chernoff.
struct SumSpan {
  double down = 0;
  double up = 0;
};
[[nodiscard]] SumSpan sum_span(const RecordNodes& nodes, const TiltedRecord& tilted, double n);
/// Nodes with less weight add nothing to sums of n.
[[nodiscard]] double negligible_weight(const RecordNodes& nodes, double n);

/// E w(S) for sums of n tilted records, by their characteristic function on the frequencies of a period that
/// holds every sum that counts: exact up to what is outside (e^-42) and rounding. Frequencies at which
/// |phi|^n is negligible are left out (see needed_from).
class CharacteristicFunction {
 public:
  /// For any n in least..most, and noise as sharp as this. @pre tilted belongs to nodes; 1 <= least
  CharacteristicFunction(const RecordNodes& nodes, const TiltedRecord& tilted, double least, double most,
                         const SumNoise& noise);
  /// About one place for all n together, without frequencies that add less than e^-nats.
  CharacteristicFunction(const RecordNodes& nodes, const TiltedRecord& tilted, double least, double most,
                         const SumNoise& noise, double nats);

  /// Steps that a spectrum would take; the characteristic function is empty where they are too many.
  [[nodiscard]] bool usable() const { return usable_; }
  /// Frequencies times sums in the period: what noise that has no closed form costs.
  [[nodiscard]] double breadth() const { return period_ * static_cast<double>(log_size_.size()); }
  struct Answer {
    double log_mean = 0;
    double clarity = 0;  ///< E_tilted g over the mean of g on the period: what rounding compares with
  };
  [[nodiscard]] Answer log_mean(double n, const SumNoise& noise) const;

  /// How far from n times the mean sums of the most records go.
  [[nodiscard]] const SumSpan& widest() const { return widest_; }
  [[nodiscard]] double period() const { return period_; }
  /// log phi(u_j) of a record about its mean, at the frequencies that count for the least n.
  [[nodiscard]] const std::vector<double>& log_size() const { return log_size_; }
  [[nodiscard]] const std::vector<double>& angle() const { return angle_; }

 private:
  void fill_period(const RecordNodes& nodes, double least, double drift, const SumNoise& noise, double nats);
  void keep_nodes(const RecordNodes& nodes, const TiltedRecord& tilted, double most);
  struct Scan;
  [[nodiscard]] Scan scan(double limit, double fine) const;
  [[nodiscard]] double needed_from(const RecordNodes& nodes, double least, const SumNoise& noise,
                                   double nats) const;
  [[nodiscard]] double unseen(double least, double limit, const SumNoise& noise) const;
  void fill(double least, double needed);

  double lambda_, log_mass_, mean_, variance_;
  SumSpan widest_;              ///< of sums of the most records
  std::vector<double> offset_;  ///< from the mean
  std::vector<double> weight_;
  double period_ = 1;
  bool usable_ = true;
  std::vector<double> log_size_;  ///< of phi(u_j)
  std::vector<double> angle_;
};

}  // namespace postern::infer
