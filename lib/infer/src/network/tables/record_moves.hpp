#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/core/rng.hpp"

#include "contrast.hpp"
#include "network_target.hpp"

namespace postern::infer {

/// Moves of whole records of the core: some leave, drawn by chance, and some join, drawn from the urn, that
/// is from the posterior predictive of those that stayed. Prior and proposal cancel; noise and messages
/// decide.
class RecordMoves {
 public:
  struct State {
    std::vector<std::uint32_t> moved;  ///< records that left or joined, to undo it
    double log_block = 0;              ///< log of the records that a move takes, tuned
    double log_joining = 0;            ///< the same where n changes
    double width = 1;                  ///< of a slice along copies of one record
  };

  explicit RecordMoves(const NetworkTarget& target);
  /// Weights of the CPTs that copies of records are drawn from, families in their order.
  void use_plug_in(std::vector<std::vector<double>> below) { plug_in_ = std::move(below); }
  [[nodiscard]] State init() const;

  /// As many leave as join.
  void refresh(TableState& tables, State& state, Rng& rng) const;
  /// Some join or some leave: n changes. @pre n is latent
  void resize(TableState& tables, State& state, Rng& rng) const;
  /// m copies of one record join, or leave, m by a slice; which record does not depend on the tables.
  /// @pre n is latent
  void copy(TableState& tables, State& state, CountLine& line, Rng& rng) const;
  /// Records join or leave until there are n, whatever noise says of it.
  void set_total(TableState& tables, std::int64_t n, Rng& rng) const;

 private:
  struct Step {
    std::uint32_t variable = 0;
    std::size_t stride = 0;
  };
  struct Urn {
    const NetworkTarget::Family* family = nullptr;
    std::vector<Step> cells;  ///< of the parents in the family's table
    std::vector<Step> rows;
    std::uint32_t levels = 0;
  };

  void draw_leaving(TableState& tables, Rng& rng) const;
  void draw_joining(TableState& tables, Rng& rng) const;
  /// Adds `sign` record to every table; returns what noise and messages say of it.
  double put(TableState& tables, int sign) const;
  void add_sums(const TableState& tables, CountLine& line) const;
  /// Moves so many out and so many in, and takes all of it back if refused.
  bool exchange(TableState& tables, State& state, std::size_t leaving, std::size_t joining, double log_prior,
                Rng& rng) const;

  const NetworkTarget* target_;
  std::vector<std::size_t> all_sums_;         ///< that are noised
  std::vector<LevelDraw> cliques_;            ///< from the root
  std::vector<Urn> urns_;                     ///< parents first
  std::vector<std::vector<double>> plug_in_;  ///< per family and row, summed up
};

}  // namespace postern::infer
