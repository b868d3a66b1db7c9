#include "postern/owner/count.hpp"

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {
std::uint32_t code_at(const CodedColumn& column, std::size_t row) {
  return std::visit([row](const auto& codes) -> std::uint32_t { return codes[row]; }, column);
}
}  // namespace

std::vector<std::int64_t> count_table(const Records& records, const model::Schema& schema,
                                      std::span<const std::string> columns, int /*threads*/) {
  const graph::Domain domain = schema.domain(columns);
  std::vector<std::int64_t> counts(domain.cells());
  for (std::size_t row = 0; row < records.rows(); ++row) {
    std::size_t cell = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      cell = cell * domain.sizes()[c] + code_at(records.column(columns[c]), row);
    }
    ++counts[cell];
  }
  return counts;
}

std::vector<std::vector<std::int64_t>> count_pairs(const Records& records, const model::Schema& schema,
                                                   std::span<const std::string> columns, int threads) {
  std::vector<std::vector<std::int64_t>> tables;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i + 1; j < columns.size(); ++j) {
      const std::string pair[] = {columns[i], columns[j]};
      tables.push_back(count_table(records, schema, pair, threads));
    }
  }
  return tables;
}

std::vector<Int128> measure(const Records& records, const model::Schema& schema,
                            const model::Statistic& statistic, int threads) {
  if (const auto* table = std::get_if<model::Table>(&statistic)) {
    const auto counts = count_table(records, schema, table->columns, threads);
    return {counts.begin(), counts.end()};
  }
  const auto& one = std::get<model::LevelCount>(statistic);
  const std::string name[] = {one.column};
  return {Int128{count_table(records, schema, name, threads)[one.level]}};
}

}  // namespace postern::owner
