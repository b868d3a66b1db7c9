#include "network/truth.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"

#include "network/make_problem.hpp"
#include "query/assumption.hpp"

namespace postern::infer {
namespace {

constexpr double kRounding = 1e-6;  // of probabilities written with six digits

/// Fills what is left of a row. @pre `given` marks what was said of it
void settle_row(std::span<double> row, const std::vector<bool>& given, std::size_t first,
                const std::string& label) {
  double said = 0;
  double open = 0;
  for (std::size_t l = 0; l < row.size(); ++l) (given[first + l] ? said : open) += row[l];
  if (said > 1 + kRounding || (open == 0 && said < 1 - kRounding)) {
    throw Error(ErrorCode::bad_option, {"at: the probabilities of one row sum to 1, and those beside ",
                                        quote(label, 200), " do not"});
  }
  for (std::size_t l = 0; l < row.size(); ++l) {
    if (!given[first + l]) row[l] *= std::max(0.0, 1 - said) / open;
  }
  double total = 0;
  for (const double cell : row) total += cell;
  for (double& cell : row) cell /= total;
}

}  // namespace

std::vector<double> rows_truth(const std::string& text, const model::Study& study, std::vector<double> cells,
                               const std::vector<std::size_t>& rows) {
  const std::vector<model::Parameter> parameters = study.model.kind().parameters(study);
  std::vector<bool> given(cells.size());
  for (const Assumption& one : read_assumptions(text, parameters.front().label + " 0.3")) {
    const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const model::Parameter& each) {
      return names_parameter(one.what, each.label) || each.name == one.what;
    });
    if (found == parameters.end()) {
      std::vector<std::string> known;
      for (const model::Parameter& each : parameters) known.push_back(each.label);
      const auto nearest = model::nearest_name(one.what, known);
      throw Error(ErrorCode::bad_option,
                  {"at: '", from_option(one.what), "' is no cell of the model's tables; write one like ",
                   quote(nearest.value_or(known.front()), 200)});
    }
    if (one.value < 0 || one.value > 1) refuse_value(one.what, "a probability, from 0 to 1");
    const auto cell = static_cast<std::size_t>(found - parameters.begin());
    if (given[cell]) throw Error(ErrorCode::bad_option, {"at: '", from_option(one.what), "' is given twice"});
    given[cell] = true;
    cells[cell] = one.value;
  }
  std::size_t first = 0;
  for (const std::size_t levels : rows) {
    settle_row(std::span(cells).subspan(first, levels), given, first, parameters[first].label);
    first += levels;
  }
  return cells;
}

std::vector<double> network_truth(const std::string& text, const model::Study& study) {
  const NetworkProblem problem = start_network(study, {});
  std::vector<std::size_t> rows;
  for (std::size_t v = 0; v < problem.families.size(); ++v)
    rows.insert(rows.end(), problem.families[v].alpha.size() / problem.sizes[v], problem.sizes[v]);
  return rows_truth(text, study, prior_means(problem), rows);
}

}  // namespace postern::infer
