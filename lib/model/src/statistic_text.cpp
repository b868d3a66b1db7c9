#include "postern/model/statistic_text.hpp"

#include <sstream>

#include "postern/model/encoded_number.hpp"

namespace postern::model {
namespace {

std::string text_of(const Table& table, const Schema& /*schema*/) {
  std::string out;
  for (const std::string& column : table.columns) out += (out.empty() ? "table of " : " x ") + column;
  return out;
}
std::string text_of(const LevelCount& count, const Schema& schema) {
  return "count of " + count.column + " = " + schema.at(count.column).label(count.level);
}
std::string text_of(const LevelSum& sum, const Schema& /*schema*/) {
  if (sum.power == 0) return "number of records inside of " + sum.column;
  std::string term = sum.column;
  if (sum.transform.kind == Transform::Kind::log) term.insert(0, "log ");
  if (sum.transform.kind == Transform::Kind::power) term += "^" + to_decimal(sum.transform.exponent);
  if (sum.mirrored) return "sum of largest - " + term;
  return (sum.power == 2 ? "sum of squares of " : "sum of ") + term;
}
std::string text_of(const ProductSum& sum, const Schema& /*schema*/) {
  return "sum of " + sum.first + " x " + sum.second;
}
std::string text_of(const RankScores& scores, const Schema& /*schema*/) {
  return "quantile " + to_decimal(scores.at) + " of " + scores.column;
}
std::string text_of(const RecordCount& /*count*/, const Schema& /*schema*/) { return "number of records"; }

Rational grid_of(const Column& column) {
  const auto* real = std::get_if<RealRange>(&column.values);
  return real == nullptr ? Rational(1) : real->grid;
}

std::string steps_of(const Rational& step) { return "steps of " + to_decimal(step); }

template <class Counted>
std::string unit_of(const Counted& /*counted*/, const Schema& /*schema*/) {
  return "records";
}
std::string unit_of(const RankScores& /*scores*/, const Schema& /*schema*/) { return {}; }
std::string unit_of(const ProductSum& sum, const Schema& schema) {
  return steps_of(grid_of(schema.at(sum.first)) * grid_of(schema.at(sum.second)));
}
std::string unit_of(const LevelSum& sum, const Schema& schema) {
  if (sum.power == 0) return "records";
  const Column& column = schema.at(sum.column);
  if (sum.transform.kind == Transform::Kind::identity) {
    const Rational grid = grid_of(column);
    return steps_of(sum.power == 2 ? Rational(grid * grid) : grid);
  }
  const double unit = level_values(column, sum.transform).unit;
  std::ostringstream text;
  text.precision(3);
  text << "steps of " << (sum.power == 2 ? unit * unit : unit);
  return text.str();
}

}  // namespace

std::string statistic_text(const Statistic& statistic, const Schema& schema) {
  return std::visit([&](const auto& one) { return text_of(one, schema); }, statistic);
}

std::string statistic_unit(const Statistic& statistic, const Schema& schema) {
  return std::visit([&](const auto& one) { return unit_of(one, schema); }, statistic);
}

}  // namespace postern::model
