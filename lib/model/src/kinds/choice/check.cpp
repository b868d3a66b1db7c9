#include <algorithm>
#include <set>

#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/choice/read.hpp"

namespace postern::model {
namespace {

void check_records(const Choice& model, const Schema& schema) {
  const Kind& kind = model.records.kind();
  const std::string family = kind.family(model.records);
  kind.check(model.records, schema);
  const bool known = family == "bernoulli" || family == "categorical" || family == "normal-mean";
  if (!known || columns_of(model.records).size() != 1) {
    throw StudyError({{"model", "family"}}, ErrorCode::unsupported,
                     {"a choice is about one column of family bernoulli, categorical or normal-mean"});
  }
}

/// Is a row of numbers one that the family could have for parameters?
bool may_be_point(const std::vector<Rational>& point, const std::string& family, std::uint32_t levels) {
  constexpr long kMost = 1'000'000'000'000;
  const bool likely = std::all_of(point.begin(), point.end(), [](const Rational& p) {
    return sgn(p) > 0 && cmp(p, 1) < 0 && p.get_den() <= 1'000'000'000;
  });
  if (family == "normal-mean") return point.size() == 1 && abs(point[0]) <= kMost;
  if (family == "bernoulli") return point.size() == 1 && likely;
  Rational sum = 0;
  for (const Rational& p : point) sum += p;
  return point.size() == levels && likely && sum == 1;
}

void check_points(const Choice& model, const Column& column) {
  const std::string family = model.records.kind().family(model.records);
  for (std::size_t z = 0; z < model.points.size(); ++z) {
    if (may_be_point(model.points[z], family, column.levels())) continue;
    throw StudyError(
        {{"model", "candidates"}, z}, ErrorCode::bad_value,
        {"candidate '", from_study(joined(model.points[z])), "' is no parameter of family ",
         from_study(family),
         family == "categorical"
             ? Piece(": it needs a probability above 0 for each level, and they sum to 1")
             : (family == "bernoulli" ? Piece(": a probability lies between 0 and 1") : Piece(""))});
  }
  const bool tempers = model.power > 0 && model.power <= 1000 && model.power.get_num() <= 1000 &&
                       model.power.get_den() <= 1000;
  if (!tempers)
    throw StudyError({{"model", "power"}}, ErrorCode::bad_value,
                     {"`power` is ", from_study(to_decimal(model.power)),
                      "; it must lie in 0.001..1000, with at most three digits that count"});
}

}  // namespace

void check_choice(const Choice& model, const Schema& schema) {
  check_records(model, schema);
  const Column& column = named_column(columns_of(model.records).front(), schema);
  const bool scored = model.points.empty();
  const StudyPlace place{{"model", scored ? "scores" : "candidates"}};
  const std::size_t candidates = scored ? model.names.size() : model.points.size();
  if (candidates < 2 || candidates > kMostCandidates || candidates * column.levels() > kMostScores) {
    throw StudyError(place, ErrorCode::bad_value,
                     {"a choice has 2 to ", public_number(kMostCandidates),
                      " candidates, and times the levels of the column at most ", public_number(kMostScores),
                      " scores; here are ", public_number(static_cast<long long>(candidates)),
                      " candidates and ", public_number(column.levels()), " levels"});
  }
  if (!scored) check_points(model, column);
  const ScoreTable table = score_table(model, schema);
  const std::set<std::string> names(table.candidates.begin(), table.candidates.end());
  if (names.size() != candidates)
    throw StudyError(place, ErrorCode::bad_value, {"a candidate is there twice; leave one out"});
  at_place(place, [&] { static_cast<void>(kind_of(table).shape(table, schema)); });
}

}  // namespace postern::model
