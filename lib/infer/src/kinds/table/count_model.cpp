#include "postern/infer/kinds/table/count_model.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/infer/noise/published_values.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study.hpp"

#include "posterior/named_total.hpp"

namespace postern::infer {
namespace {

std::vector<double> to_doubles(const std::vector<Rational>& values) {
  std::vector<double> out;
  for (const Rational& value : values) out.push_back(value.get_d());
  return out;
}

/// "smoker = yes, age = 18-29"
std::string describe_cell(const model::Schema& schema, const std::vector<std::string>& columns,
                          std::size_t cell) {
  const auto levels = schema.domain(columns).levels_of(cell);
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += (i == 0 ? "" : ", ") + columns[i] + " = " + schema.at(columns[i]).label(levels[i]);
  }
  return text;
}

void check_prior_size(std::size_t given, std::size_t wanted) {
  if (given == wanted) return;
  throw Error(ErrorCode::bad_prior,
              {"the prior given has ", public_number(static_cast<long long>(given)),
               " parameters; this model needs ", public_number(static_cast<long long>(wanted))});
}

CountModel start(const model::Bernoulli& model, const model::Schema& schema, const InferOptions& options) {
  const std::vector<Rational> prior = options.prior.value_or(std::vector<Rational>{model.a, model.b});
  check_prior_size(prior.size(), 2);
  CountModel out;
  out.alpha.resize(2);
  out.alpha[model.success] = prior[0].get_d();
  out.alpha[1 - model.success] = prior[1].get_d();
  out.quantities.push_back(
      {"theta", "P(" + describe_cell(schema, {model.column}, model.success) + ")", model.success});
  return out;
}

CountModel start(const model::Categorical& model, const model::Schema& schema, const InferOptions& options) {
  CountModel out;
  out.alpha = to_doubles(options.prior.value_or(model.alpha));
  if (out.alpha.size() == 1) out.alpha.assign(model.alpha.size(), out.alpha.front());
  check_prior_size(out.alpha.size(), model.alpha.size());
  for (std::size_t cell = 0; cell < out.alpha.size(); ++cell) {
    out.quantities.push_back(
        {"p." + std::to_string(cell + 1), "P(" + describe_cell(schema, model.columns, cell) + ")", cell});
  }
  return out;
}

void add_noisy_values(CountProblem& problem, const model::Statistic& statistic,
                      const std::vector<NoisyValue>& values) {
  const auto* level = statistic.as<model::LevelCount>();
  for (std::size_t i = 0; i < values.size(); ++i)
    problem.noisy_values[level != nullptr ? level->level : i].push_back(values[i]);
}

/// A release of ours measures its model's table, as verifying shows; one made elsewhere may hold anything.
void check_statistic(const model::Statistic& statistic, const model::Model& model) {
  const bool counts = statistic.as<model::Table>() != nullptr || statistic.as<model::LevelCount>() != nullptr;
  if (counts && statistic.kind().columns(statistic) == model::columns_of(model)) return;
  throw Error(ErrorCode::release_inconsistent,
              {"a release made elsewhere holds what its model does not count; a table's model takes a table "
               "of all its columns in the model's order, or the count of a level of its only column: declare "
               "such a model, or leave the rest out"});
}

}  // namespace

CountModel make_count_model(const model::Study& study, const InferOptions& options) {
  const auto* bernoulli = study.model.as<model::Bernoulli>();
  CountModel out = bernoulli != nullptr ? start(*bernoulli, study.schema, options)
                                        : start(study.model.get<model::Categorical>(), study.schema, options);
  for (const double alpha : out.alpha) {
    if (!(alpha > 0)) throw Error(ErrorCode::bad_prior, {"every parameter of the prior must be positive"});
  }
  if (options.public_rows) {
    const auto* rows = std::get_if<PublicCounts>(&*options.public_rows);
    if (rows == nullptr || rows->counts.size() != out.alpha.size())
      throw Error(ErrorCode::bad_option, {"public rows of a table need one count for each of its cells"});
    for (std::size_t cell = 0; cell < out.alpha.size(); ++cell)
      out.alpha[cell] += static_cast<double>(rows->counts[cell]);
  }
  return out;
}

CountProblem make_count_problem(const CountModel& model, const release::RecordSet& releases) {
  CountProblem problem;
  problem.alpha = model.alpha;
  problem.noisy_values.resize(model.alpha.size());
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks)
      add_noisy_values(problem, block.block.statistic, noisy_values(block));
    if (!release->foreign) continue;
    for (const model::ForeignBlock& block : release->foreign->blocks) {
      check_statistic(block.statistic, release->study.model);
      add_noisy_values(problem, block.statistic, noisy_values(block));
    }
  }
  problem.total = total_of(releases);
  return problem;
}

}  // namespace postern::infer
