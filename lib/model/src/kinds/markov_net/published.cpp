#include <algorithm>
#include <numeric>

#include "postern/model/kinds/markov_selection.hpp"

#include "kinds/markov_net/select.hpp"

namespace postern::model {
namespace {

// Models are fitted at most so often: where more pairs are wanted, several are chosen at once.
constexpr double kMostFits = 24;

double pairs_of(const MarkovNet& net) {
  const auto columns = static_cast<double>(net.columns.size());
  return columns * (columns - 1) / 2;
}

/// Every choice of a tree names all pairs that are left, and has the margins of all columns.
double tree_numbers(const MarkovNet& net) {
  const auto columns = static_cast<double>(net.columns.size());
  const double levels = std::accumulate(net.levels.begin(), net.levels.end(), 0.0);
  return (columns - 1) * (2 * pairs_of(net) + levels + columns);
}

/// The table of candidates, and the scores made of it: what is expected stands in both, beside two places and
/// a handicap in one, and these and a size in the other.
double numbers_a_fit(const MarkovNet& net) {
  const double levels = std::accumulate(net.levels.begin(), net.levels.end(), 0.0);
  double squares = 0;
  for (const std::uint32_t own : net.levels) squares += static_cast<double>(own) * own;
  return (levels * levels - squares) + 7 * pairs_of(net);
}

}  // namespace

std::size_t pairs_at_once(const MarkovNet& net) {
  const double room = (kMostPublished - tree_numbers(net)) / numbers_a_fit(net);
  const auto fits = static_cast<std::size_t>(std::clamp(room, 1.0, kMostFits));
  return (net.more_pairs + fits - 1) / fits;
}

double published_numbers(const MarkovNet& net) {
  const double tree = tree_numbers(net);
  return net.select == Selection::adaptive ? tree + static_cast<double>(fits_of(net)) * numbers_a_fit(net)
                                           : tree;
}

}  // namespace postern::model
