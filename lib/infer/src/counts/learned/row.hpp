#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "counts/message.hpp"
#include "direct_sum.hpp"
#include "row_problem.hpp"
#include "row_sum.hpp"
#include "seen_count.hpp"

namespace postern::infer {

/// Counts that add up to N, split by Dirichlet-multinomial(A centre), A uniform on a grid:
///   m_A(N) = sum over counts that add up to N of N! Gamma(A) / Gamma(N + A) prod_v f_v(s_v),
///   f_v(s) = Gamma(s + A q_v) / (Gamma(A q_v) s!) seen_v(s),   m = mean of m_A over the grid.
class LearnedRow {
 public:
  LearnedRow() = default;
  /// Completes the plan: tilts, and what the next row of this place may skip.
  LearnedRow(const RowProblem& problem, LearnedRowPlan& plan);

  /// m, for the row above.
  [[nodiscard]] const SeenCount& message() const { return message_; }
  [[nodiscard]] double log_message(std::int64_t sum) const;
  /// Products that building it took, about.
  [[nodiscard]] double work() const;
  using Cramped = CrampedChild;
  [[nodiscard]] std::span<const Cramped> cramped() const { return cramped_; }
  /// Draws A, then the counts; returns A. Nothing if the sum has no weight.
  [[nodiscard]] std::optional<double> draw(std::int64_t sum, std::span<std::int64_t> counts, Rng& rng) const;

 private:
  /// The law of the sum under one tilt, and the sums it is taken for.
  struct Panel {
    PanelPlan plan;
    std::optional<RowSum> law;
    Window right;  ///< where its messages keep their digits
    std::vector<Cramped> cramped;
  };
  struct Entry {
    double concentration = 0;
    std::vector<Panel> panels;
    std::vector<Window> windows;      ///< of the sums that each panel is for
    std::optional<DirectSum> direct;  ///< in the place of panels
    bool dropped = false;             ///< has no share in the mean over the grid
    Message message;                  ///< m_A, to the common scale
    double largest = 0;               ///< of its weights
    double log_scale = 0;             ///< before that
  };
  static constexpr double kLeastTarget = 0.3;  ///< of a panel
  static constexpr std::size_t kMostPanels = 64;
  static constexpr double kEnd = 1e-14;  ///< of the largest weight: an end of a row's message
  /// Without ends that are at or below a share of the largest weight.
  [[nodiscard]] static Message ends_dropped(const Message& from, double share);
  [[nodiscard]] static Panel build_panel(const RowProblem& problem, double concentration, PanelPlan plan,
                                         bool tilted);
  [[nodiscard]] static std::vector<Panel> start(const RowProblem& problem, double concentration,
                                                double target, const std::vector<PanelPlan>& plans);
  static void close_gaps(const RowProblem& problem, double concentration, std::vector<Panel>& panels);
  // Are there sums below the first panel, or above the last, for which no panel is right?
  [[nodiscard]] static bool open_below(const RowProblem& problem, const std::vector<Panel>& panels);
  [[nodiscard]] static bool open_above(const RowProblem& problem, const std::vector<Panel>& panels);
  /// A panel more beyond an open end.
  static void extend(const RowProblem& problem, double concentration, bool above, std::vector<Panel>& panels);
  [[nodiscard]] static Entry join(const RowProblem& problem, double concentration, double target,
                                  std::vector<Panel> panels);
  /// Adds panels where a concentration has a share beyond its own.
  void extend_all(const RowProblem& problem, double target);
  [[nodiscard]] bool matters(const Entry& entry, std::int64_t sum, double least) const;
  /// By panels, and what they were is kept in the plan.
  void add_panels(const RowProblem& problem, double target, LearnedRowPlan& plan,
                  std::span<const std::size_t> places);
  /// False where a concentration has no weight that way.
  bool add_directly(const RowProblem& problem, std::span<const std::size_t> places);
  void drop_idle(LearnedRowPlan& plan, const RowProblem& problem, std::span<const std::size_t> places,
                 const Message& sum);
  void find_cramped(double largest);
  void mix(LearnedRowPlan& plan, const RowProblem& problem, std::span<const std::size_t> places);

  std::vector<Entry> entries_;
  SeenCount message_;
  std::vector<Cramped> cramped_;
};

}  // namespace postern::infer
