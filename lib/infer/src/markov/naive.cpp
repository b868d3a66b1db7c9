#include "markov/naive.hpp"

#include <algorithm>
#include <functional>

#include "postern/core/draw.hpp"

#include "markov/ridge.hpp"

namespace postern::infer::markov {
namespace {

/// Calls change(values) with the measured cells of each clique's table.
template <class Change>
void change_tables(const Measurements& data, std::vector<double>& cells, const Change& change) {
  std::vector<double> table;
  for (std::size_t f = 0; f < data.model->cliques().size(); ++f) {
    table.clear();
    const std::size_t end = data.model->offset(f + 1);
    for (std::size_t i = data.model->offset(f); i < end; ++i) {
      if (data.measured[i]) table.push_back(cells[i]);
    }
    if (table.empty()) continue;
    change(std::span(table));
    std::size_t k = 0;
    for (std::size_t i = data.model->offset(f); i < end; ++i) {
      if (data.measured[i]) cells[i] = table[k++];
    }
  }
}

MarkovFit fit_with_options(const Measurements& data, std::vector<double> margins,
                           const MarkovOptions& options, const Conversation& conversation) {
  Law law(data, conversation);
  return fit_margins(data, law, std::move(margins), options.ridge,
                     options.tolerance > 0 ? options.tolerance : 1e-9,
                     options.iterations > 0 ? options.iterations : 200);
}

}  // namespace

void project_to_simplex(std::span<double> v, double total) {
  std::vector<double> sorted(v.begin(), v.end());
  std::ranges::sort(sorted, std::greater());
  double sum = 0;
  double shift = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double here = (sum - total) / static_cast<double>(k + 1);
    if (sorted[k] > here) shift = here;
  }
  for (double& x : v) x = std::max(x - shift, 0.0);
}

MarkovFit fit_margins(const Measurements& data, Law& law, std::vector<double> margins, double ridge,
                      double tolerance, int most) {
  const RidgeSolution solution =
      solve_ridge(data, {data.zeros, std::move(margins), std::vector<double>(data.dimension(), 2 * ridge), 1},
                  law, tolerance, most);
  MarkovFit fit = law.fit();
  fit.stop = solution.certified
                 ? MarkovStop::certified
                 : (solution.iterations < most ? MarkovStop::precision : MarkovStop::iterations);
  fit.certificate = solution.gap;
  fit.objective = solution.value;
  fit.iterations = solution.iterations;
  return fit;
}

MarkovFit naive(const Measurements& data, const MarkovOptions& options, const Conversation& conversation) {
  std::vector<double> margins = cell_averages(data).y;
  for (double& m : margins) m /= data.total;
  change_tables(data, margins, [](std::span<double> table) { project_to_simplex(table, 1); });
  return fit_with_options(data, std::move(margins), options, conversation);
}

MarkovFit random(const Measurements& data, const MarkovOptions& options, const Conversation& conversation) {
  Rng rng(options.seed, 0, Purpose::draws);
  std::vector<double> margins(data.dimension());
  change_tables(data, margins, [&](std::span<double> table) {
    draw_dirichlet(std::vector<double>(table.size(), 1.0), table, rng);
  });
  return fit_with_options(data, std::move(margins), options, conversation);
}

}  // namespace postern::infer::markov
