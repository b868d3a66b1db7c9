#include "plan/width_table.hpp"

#include "text.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kMostRows = 30;  // that a reader of text is shown, as by `infer`

}  // namespace

std::vector<assess::WidthRow> shown_rows(std::vector<assess::WidthRow> rows) {
  if (rows.size() <= kMostRows) return rows;
  const bool total = rows.back().kind == assess::WidthRow::Kind::total;
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(kMostRows - (total ? 1 : 0)),
             rows.end() - (total ? 1 : 0));
  return rows;
}

TextTable width_table(const std::vector<assess::WidthRow>& rows) {
  TextTable table;
  table.column("quantity", Align::left);
  for (const char* title : {"prior", "25%", "50%", "75%", "without noise"}) table.column(title, Align::right);
  for (const assess::WidthRow& row : rows) {
    table.row({printable(row.label), number(row.prior), number(row.q25), number(row.median), number(row.q75),
               number(row.without_noise)});
  }
  return table;
}

}  // namespace postern::app
