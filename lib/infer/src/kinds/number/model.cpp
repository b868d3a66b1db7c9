#include "model.hpp"

#include "postern/core/error.hpp"
#include "postern/infer/noise/published_values.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study.hpp"

#include "posterior/named_total.hpp"

namespace postern::infer {
namespace {

/// A conjugate update of the prior, exactly: public records are whole ones, not clamped or rounded.
void take_public_rows(NumberModel& out, const PublicRows& rows) {
  const auto* given = std::get_if<PublicSums>(&rows);
  if (given == nullptr || !out.law->possible(given->sums))
    throw Error(ErrorCode::bad_option, {"public rows of a number need sums that its records can add up to"});
  if (given->sums.n > 0) out.prior = out.law->update(out.prior, given->sums);
}

/// `own` is the sum that the model takes of its column.
void add_noisy_value(NumberProblem& problem, const model::Statistic& statistic, const NoisyValue& noisy_value,
                     const model::LevelSum& own) {
  if (const auto* sum = statistic.as<model::LevelSum>()) {
    if (sum->column != own.column || sum->transform.kind != own.transform.kind ||
        sum->transform.exponent != own.transform.exponent)
      throw Error(ErrorCode::release_inconsistent, {"a release holds a sum that its model does not need"});
    (sum->mirrored     ? problem.mirrored_sums
     : sum->power == 2 ? problem.square_sums
     : sum->power == 0 ? problem.inside_counts
                       : problem.sums)
        .push_back(noisy_value);
  } else if (statistic.as<model::RecordCount>() != nullptr) {
    problem.counts.push_back(noisy_value);
  } else {
    throw Error(ErrorCode::release_inconsistent, {"a release of a number holds a table"});
  }
}

/// Of a sum in the column's own units. Where n is not known, or k is squared, k = 0 must stand for 0.
LatentUnit latent_unit(const model::Statistic& statistic, const NumberProblem& problem) {
  const auto* sum = statistic.as<model::LevelSum>();
  if (sum == nullptr) return {};
  const model::LevelValues& values = problem.number.values;
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  if (values.zero != 0 && (sum->power == 2 || known == nullptr)) {
    throw Error(ErrorCode::engine_unsuitable,
                {"sums of squares, and sums where n is private, are taken from elsewhere only for a column "
                 "whose range holds 0; declare such a range, or state n"});
  }
  if (sum->power == 2) return {0, values.unit * values.unit};
  return {values.zero == 0 ? 0 : values.zero * static_cast<double>(known->n), values.unit};
}

void add_foreign(NumberProblem& problem, const model::Foreign& foreign, const model::LevelSum& own) {
  for (const model::ForeignBlock& block : foreign.blocks) {
    const std::vector<NoisyValue> values = noisy_values(block, latent_unit(block.statistic, problem));
    add_noisy_value(problem, block.statistic, values.at(0), own);
  }
}

}  // namespace

NumberModel make_number_model(const model::Study& study, const InferOptions& options) {
  const auto& model = study.model.get<model::Number>();
  NumberModel out;
  out.family = model::find_number_family(model.family);
  if (options.prior) {
    const model::Kind& kind = study.model.kind();
    kind.check(kind.with_prior(study.model, *options.prior), study.schema);
  }
  const auto [law, prior] = law_with_prior(study, options);
  out.law = law;
  out.prior = prior;
  out.learned = model.learned && !options.prior;
  for (std::size_t i = 0; i < out.family->parameters.size(); ++i) {
    out.names.emplace_back(out.family->parameters[i]);
    out.labels.push_back(out.family->label(i, model.column));
  }
  if (options.public_rows) take_public_rows(out, *options.public_rows);
  return out;
}

model::LawWithPrior law_with_prior(const model::Study& study, const InferOptions& options) {
  const auto& model = study.model.get<model::Number>();
  const model::NumberFamily& family = *model::find_number_family(model.family);
  if (model.learned && !options.prior) {
    const model::EncodedNumber number =
        model::encoded_number(study.schema.at(model.column), family.transform(model.known), family.wholes());
    return learned_prior(family, model.known, statistic_range(number), options.prior_scale);
  }
  const std::vector<Rational>& numbers = options.prior ? *options.prior : model.prior;
  model::LawWithPrior out{family.law(model.known), {}};
  for (std::size_t i = 0; i < numbers.size(); ++i) out.prior[i] = numbers[i].get_d();
  return out;
}

NumberProblem make_number_problem(const NumberModel& model, const release::RecordSet& releases) {
  const model::Study& study = releases.front()->study;
  const auto& number = study.model.get<model::Number>();
  NumberProblem problem;
  problem.law = model.law;
  problem.parameters = model.names.size();
  problem.whole = model.family->whole;
  problem.squares = model.family->squares;
  problem.prior = model.prior;
  problem.learned = model.learned;
  const model::LevelSum own{number.column, model.family->transform(number.known)};
  problem.number =
      model::encoded_number(study.schema.at(number.column), own.transform, model.family->wholes());
  problem.total = total_of(releases);
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks)
      add_noisy_value(problem, block.block.statistic, noisy_values(block).at(0), own);
    if (release->foreign) add_foreign(problem, *release->foreign, own);
  }
  return problem;
}

}  // namespace postern::infer
