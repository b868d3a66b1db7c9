#include "postern/model/statistic_text.hpp"

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

}  // namespace

std::string statistic_text(const Statistic& statistic, const Schema& schema) {
  return std::visit([&](const auto& one) { return text_of(one, schema); }, statistic);
}

}  // namespace postern::model
