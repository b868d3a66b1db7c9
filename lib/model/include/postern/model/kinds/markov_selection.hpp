#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/rounds.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// "tree" or "adaptive". Throws bad_option for other words.
[[nodiscard]] Selection parse_selection(const std::string& text);

/// A network of all declared columns, or of a model's, that the release chooses. Of a network that is chosen
/// already all else that the study says of it stays.
[[nodiscard]] Model selecting(const Schema& schema, Selection select);
[[nodiscard]] Model selecting(const Model& model, const Schema& schema, Selection select);

/// What an adaptive selection does unless the study says so: pairs after the tree, cells of the junction
/// tree.
[[nodiscard]] std::size_t usual_pairs(const MarkovNet& net);
/// How many pairs of columns a tree leaves out: what is charged for more could not be spent.
[[nodiscard]] std::size_t most_more_pairs(const MarkovNet& net);
inline constexpr std::int64_t kUsualCells = std::int64_t{1} << 18;

/// Bytes that a cell of the junction tree takes in the mode of a network, which names and summarises all of
/// them; measured at a million cells. Fitting alone takes 24.
inline constexpr double kModeBytes = 1100;
/// The same where synthetic records are made from that mode, which is read from its files.
inline constexpr double kRecordBytes = 1900;
/// Seconds of a processor that a cell takes in a fit while pairs are chosen, as measured on Adult and on a
/// hundred columns.
inline constexpr double kFitSeconds = 3e-6;

/// What can be said of a selection before anything is chosen.
struct SelectionForecast {
  double tree_cells = 0;      ///< cells of the junction tree, at most
  std::size_t treewidth = 1;  ///< at most
  std::size_t fits = 0;       ///< how often a model is fitted while the release is made
};
[[nodiscard]] SelectionForecast selection_forecast(const MarkovNet& net);

/// Whole numbers that a release of a selection holds at most, candidates of all its choices above all; and
/// what it may hold, which leaves room for all else within what a document may (10 million tokens, two a
/// number). More would be found out after the charge.
[[nodiscard]] double published_numbers(const MarkovNet& net);
inline constexpr double kMostPublished = 4'500'000;

// What an adaptive selection of pairs needs from somebody who fits models: the candidates of its next choice.

/// Where the selection stands.
struct SelectionState {
  MarkovNet measured;       ///< with the tables that were measured so far as its cliques
  std::size_t choices = 0;  ///< how many pairs are chosen next
  Noise noise;              ///< of each cell of a table that is measured then
};
/// Nothing where the round after those takes no candidates.
[[nodiscard]] std::optional<SelectionState> awaited_candidates(const Study& study, const Rational& budget,
                                                               std::span<const PublishedRound> before);

/// A pair that may be chosen next, and what the model expects in its table.
struct PairCandidate {
  std::uint32_t first = 0;  ///< places among the network's columns
  std::uint32_t second = 0;
  std::int64_t handicap = 0;           ///< what its score is lowered by
  std::vector<std::int64_t> expected;  ///< records in each cell, row-major
};
/// How often a model is fitted: once for some pairs that are chosen at once.
[[nodiscard]] std::size_t fits_of(const MarkovNet& net);
/// As the public integers of a round, and back. Reading throws bad_value where they are none.
[[nodiscard]] std::vector<Int128> write_candidates(const std::vector<PairCandidate>& candidates);
[[nodiscard]] std::vector<PairCandidate> read_candidates(std::span<const Int128> table, const MarkovNet& net);

/// Cells of the network's junction tree, quickly: by the elimination that fills in least at each step.
/// What a selection holds to its limit.
[[nodiscard]] double quick_cells(const MarkovNet& net);

}  // namespace postern::model
