#include <map>

#include "postern/core/error.hpp"
#include "postern/core/json_text.hpp"
#include "postern/owner/ledger.hpp"

#include "book.hpp"
#include "schema.hpp"

// What the book tells: balance, rows, verification, export. Nothing here writes.
namespace postern::owner {
namespace {

constexpr const char* kChargeColumns =
    "SELECT c.seq, c.release_id, c.cost_nano, c.mechanism, c.record_set, c.at, lower(hex(c.mac)),"
    " e.seq IS NOT NULL, lower(hex(coalesce(e.document_sha256, x'')))"
    " FROM charge c LEFT JOIN event e ON e.release_id = c.release_id";

ChargeRow charge_row(const Query& row, Currency currency) {
  ChargeRow out;
  out.seq = static_cast<std::uint64_t>(row.integer(0));
  out.release_id = row.text(1);
  out.cost = Spend(currency, row.integer(2));
  out.mechanism = row.text(3);
  out.record_set = row.text(4);
  out.at = row.text(5);
  out.mac = row.text(6);
  out.published = row.integer(7) != 0;
  out.document_sha256 = row.text(8);
  return out;
}

std::string json_number(std::int64_t value) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const std::string text = std::to_string(value);
  return value > kExact || value < -kExact ? '"' + text + '"' : text;
}

std::string json_cell(const Cell& cell) {
  struct Writer {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(std::int64_t value) const { return json_number(value); }
    std::string operator()(const std::string& value) const { return json_quoted(value); }
    std::string operator()(const Blob& value) const { return '"' + to_hex(value.data(), value.size()) + '"'; }
  };
  return std::visit(Writer{}, cell);
}

std::string json_line(const std::map<std::string, std::string>& members) {
  std::string out;
  for (const auto& [key, value] : members) {
    out += out.empty() ? '{' : ',';
    out += json_quoted(key);
    out += ':';
    out += value;
  }
  return out + "}\n";
}

void add_lines(std::map<std::int64_t, std::string>& lines, const Database& database, const char* table) {
  Query rows = database.query(("SELECT * FROM " + std::string(table)).c_str());
  while (rows.step()) {
    std::map<std::string, std::string> members{{"row", json_quoted(table)}};
    for (int column = 0; column < rows.columns(); ++column)
      members[rows.name(column)] = json_cell(rows.cell(column));
    lines[rows.integer(0)] = json_line(members);
  }
}

}  // namespace

const DatasetTerms& Ledger::terms() const { return book_->terms; }

Balance Ledger::balance() const {
  const Turn turn(*book_, Access::snapshot);
  Balance out;
  out.terms = book_->terms;
  out.spent = book_->spent();
  out.left = Spend(out.spent.currency(), out.terms.budget.nano() - out.spent.nano());
  const auto count = [&](const char* sql) {
    return static_cast<std::uint64_t>(book_->database.integer(sql));
  };
  out.charges = count("SELECT count(*) FROM charge");
  out.published = count("SELECT count(release_id) FROM event");
  out.record_set = book_->record_set();
  return out;
}

std::vector<ChargeRow> Ledger::charges() const {
  const Turn turn(*book_, Access::snapshot);
  std::vector<ChargeRow> out;
  Query rows = book_->database.query((std::string(kChargeColumns) + " ORDER BY c.seq").c_str());
  while (rows.step()) out.push_back(charge_row(rows, book_->terms.privacy.currency));
  return out;
}

std::optional<ChargeRow> Ledger::find_charge(const std::string& release_id) const {
  const Turn turn(*book_, Access::snapshot);
  Query row = book_->database.query((std::string(kChargeColumns) + " WHERE c.release_id = ?").c_str());
  if (!row.bind(release_id).step()) return std::nullopt;
  return charge_row(row, book_->terms.privacy.currency);
}

std::uint64_t Ledger::verify_chain() const {
  const Turn turn(*book_, Access::snapshot);
  check_schema(book_->database);
  const Head head = book_->chain.verify(book_->database, Head{});
  if (book_->database.text("PRAGMA integrity_check(1)") != "ok" ||
      book_->spent().nano() > book_->terms.budget.nano()) {
    throw Error(ErrorCode::ledger_tampered, {"the ledger '", from_option(book_->database.path()),
                                             "' is damaged or overspent; restore it from a backup"});
  }
  return static_cast<std::uint64_t>(head.seq) + 1;
}

std::string Ledger::export_lines() const {
  const Balance totals = balance();
  const Turn turn(*book_, Access::snapshot);
  std::map<std::int64_t, std::string> lines;
  for (const char* table : {"dataset", "charge", "event"}) add_lines(lines, book_->database, table);
  std::string out;
  for (const auto& [seq, line] : lines) out += line;
  return out + json_line({{"row", json_quoted("total")},
                          {"budget", json_quoted(totals.terms.budget.text())},
                          {"spent", json_quoted(totals.spent.text())},
                          {"left", json_quoted(totals.left.text())},
                          {"charges", std::to_string(totals.charges)},
                          {"published", std::to_string(totals.published)}});
}

bool holds(const Ledger& ledger, const PublishedFact& fact) {
  const auto row = ledger.find_charge(fact.release_id);
  if (!row || row->seq != fact.seq || row->mac != fact.head) return false;
  return !row->published || fact.document_sha256.empty() || row->document_sha256 == fact.document_sha256;
}

}  // namespace postern::owner
