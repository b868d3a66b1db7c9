#pragma once

#include <cstdint>

#include "number_noise.hpp"
#include "number_record.hpp"
#include "number_tilt.hpp"
#include "number_transform.hpp"

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
/// |phi|^n is provably negligible are left out (see provable_from).
class SumFrame {
 public:
  /// For any n in least..most. @pre tilted belongs to nodes; 1 <= least
  SumFrame(const RecordNodes& nodes, const TiltedRecord& tilted, double least, double most);

  /// Steps that a spectrum would take; the frame is empty where they are too many.
  [[nodiscard]] bool usable() const { return usable_; }
  /// Frequencies times sums in the period: what noise that has no closed form costs.
  [[nodiscard]] double breadth() const { return period_ * static_cast<double>(log_size_.size()); }
  struct Answer {
    double log_mean = 0;
    double clarity = 0;  ///< E_tilted g over the mean of g on the period: what rounding compares with
  };
  [[nodiscard]] Answer log_mean(double n, const SumNoise& noise) const;

 private:
  void keep_nodes(const RecordNodes& nodes, const TiltedRecord& tilted, double most);
  [[nodiscard]] double paired(double gap, double slack) const;
  [[nodiscard]] double core_from(double least, double width) const;
  [[nodiscard]] double provable_from(double least, const RecordNodes& nodes) const;
  void fill(double least, double highest);

  double lambda_, log_mass_, mean_, variance_;
  SumSpan widest_;              ///< of sums of the most records
  std::vector<double> offset_;  ///< from the mean
  std::vector<double> weight_;
  double period_ = 1;
  bool usable_ = true;
  std::vector<double> log_size_;  ///< of phi(u_j)
  std::vector<double> angle_;
};

/// Sums listed one by one: all multisets of n nodes.
[[nodiscard]] double multisets(double nodes, double n);
[[nodiscard]] double log_mean_listed(const RecordNodes& nodes, const TiltedRecord& tilted, std::int64_t n,
                                     const SumNoise& noise);

}  // namespace postern::infer
