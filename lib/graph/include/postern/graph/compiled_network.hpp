#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/graph/dag.hpp"
#include "postern/graph/network.hpp"
#include "postern/graph/propagation.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

/// What is asked of a network again and again, with other tables and other levels of the evidence.
struct NetworkQuestion {
  std::vector<Variables> targets;  ///< a joint table for each; a target may hold variables of the evidence
  Variables evidence;              ///< whose levels will be given
  /// Whether log P(evidence) is wanted, and evidence of probability zero to be noticed wherever it is. If
  /// not, whatever the evidence separates from the targets is left out.
  bool evidence_probability = true;
};

/// Each variable on its own as a target: the posteriors of every node.
[[nodiscard]] NetworkQuestion every_variable(std::size_t variables, Variables evidence);

/// A question compiled for the structure of a network: descendants that nothing depends on are left out,
/// tables are sliced at the evidence, and the rest is a junction tree rooted at the first target. Immutable;
/// a run allocates nothing.
class CompiledNetwork {
 public:
  struct Workspace {
    std::vector<double> logs;          ///< of the tables' slices
    std::vector<double> margin;        ///< of one target
    std::vector<std::uint32_t> drawn;  ///< by the propagation's numbers
    Propagation::Workspace propagation;
  };

  /// Fails: bad_value for variables that are none, repeated in a target or in the evidence; engine_limit if
  /// the tables of the tree need more than `most_bytes`, naming its largest cliques by `names`.
  CompiledNetwork(const Dag& dag, Sizes sizes, NetworkQuestion question,
                  double most_bytes = kPropagationBytes, std::span<const std::string> names = {});
  [[nodiscard]] const NetworkQuestion& question() const { return question_; }
  [[nodiscard]] const Forecast& forecast() const { return forecast_; }
  /// Where the table of a target begins in what `run` fills; of one past the last, how long that is.
  [[nodiscard]] std::size_t offset(std::size_t target) const { return offsets_[target]; }
  [[nodiscard]] Workspace workspace() const;

  /// Fills `out` with the joint probabilities of each target given the evidence, row-major in the target's
  /// own order, and returns log P(evidence), or, if that was not wanted, a finite number. Evidence that has
  /// probability zero: minus infinity is returned and `out` is not touched.
  /// levels[i] is that of question().evidence[i]; out is as long as offset of one past the last target.
  /// Fails: internal if sizes do not fit. @pre no probability is negative or no number.
  double run(Tables tables, std::span<const std::uint32_t> levels, Workspace& work,
             std::span<double> out) const;
  /// The same from logarithms of the tables, which many runs of other evidence may share.
  double run_logs(Tables log_tables, std::span<const std::uint32_t> levels, Workspace& work,
                  std::span<double> out) const;
  /// Draws the variables that the question concerns given the evidence, after `run` with the same workspace;
  /// `state` has a place for every variable of the network, the evidence's and those left out are not
  /// touched.
  void draw(Workspace& work, std::span<std::uint32_t> state, Rng& rng) const;

 private:
  /// How far one level of a variable of the evidence moves within a table.
  struct Step {
    std::size_t evidence = 0;
    std::size_t cells = 0;
  };
  struct Slice {
    std::uint32_t variable = 0;  ///< whose table
    std::size_t table_cells = 1;
    std::size_t cells = 1;
    std::vector<Step> steps;
    Strided place;  ///< over the slice: the table's cell
  };
  struct Target {
    std::size_t cells = 1;       ///< of its variables that are not in the evidence
    Propagation::Margin margin;  ///< of these
    std::vector<Step> steps;
    Strided place;  ///< over these: the target's cell
  };

  [[nodiscard]] static std::size_t start(const std::vector<Step>& steps,
                                         std::span<const std::uint32_t> levels);
  [[nodiscard]] std::vector<Step> steps_in(const Variables& table) const;
  [[nodiscard]] Variables without_evidence(const Variables& variables) const;
  [[nodiscard]] std::vector<bool> relevant(const Dag& dag) const;
  void add_slices(const Dag& dag, const std::vector<bool>& in);
  void add_targets(const std::vector<Variables>& margins);
  void check(std::size_t variables) const;
  template <class Log>
  double run_with(Tables tables, std::span<const std::uint32_t> levels, Workspace& work,
                  std::span<double> out, const Log& log) const;
  void write_targets(std::span<const std::uint32_t> levels, Workspace& work, std::span<double> out) const;
  void check_run(Tables tables, std::span<const std::uint32_t> levels, std::size_t out) const;

  Sizes sizes_;
  NetworkQuestion question_;
  Forecast forecast_;
  std::vector<Slice> slices_;
  std::vector<Target> targets_;
  std::vector<std::size_t> offsets_;
  Variables open_;                    ///< the variables of the propagation, by their numbers here
  std::vector<std::uint32_t> local_;  ///< and the other way round
  std::size_t most_cells_ = 1;        ///< of a target's margin
  std::optional<Propagation> propagation_;
  std::vector<bool> wanted_;
};

}  // namespace postern::graph
