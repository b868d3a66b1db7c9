#include "book.hpp"

#include <array>
#include <ctime>

#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/core/version.hpp"
#include "postern/owner/crash_point.hpp"

#include "schema.hpp"

namespace postern::owner {
namespace {

model::PrivacyPolicy policy_of(const Query& row) {
  model::PrivacyPolicy policy;
  policy.adjacency = model::parse_adjacency(row.text(1)).value_or(model::Adjacency::add_remove);
  if (!row.text(2).empty()) policy.unit = model::PersonUnit{row.text(2), row.integer(3)};
  if (!std::holds_alternative<std::monostate>(row.cell(4))) policy.n_at_most = row.integer(4);
  policy.currency = parse_currency(row.text(5)).value_or(Currency::pure);
  return policy;
}

Blob from_hex(const std::string& text) {
  Blob bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

bool is_digest(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Ledger::Book::Book(Database opened, LedgerKey key)
    : database(std::move(opened)), chain(std::move(key)), process(::getpid()) {}

void Ledger::Book::found(const DatasetTerms& dataset) {
  Entropy entropy;
  const model::PrivacyPolicy& policy = dataset.privacy;
  const auto* person = std::get_if<model::PersonUnit>(&policy.unit);
  Transaction transaction(database, Access::write);
  create_schema(database);
  chain.append(database, Head{}, LinkKind::dataset,
               {dataset.dataset, std::string(to_text(policy.adjacency)),
                person == nullptr ? Cell() : Cell(person->column), model::records_per_unit(policy.unit),
                policy.n_at_most ? Cell(*policy.n_at_most) : Cell(), std::string(to_text(policy.currency)),
                dataset.budget.nano(), random_id(entropy), tool_name(), timestamp()});
  transaction.commit();
}

void Ledger::Book::read() {
  const Transaction snapshot(database, Access::snapshot);
  check_schema(database);
  head = chain.verify(database, Head{});
  Query row = database.query(
      "SELECT name, adjacency, unit_column, at_most, n_at_most, currency, budget_nano FROM dataset");
  row.step();
  terms.dataset = row.text(0);
  terms.privacy = policy_of(row);
  terms.budget = Spend(terms.privacy.currency, row.integer(6));
}

void Ledger::Book::check_usable() const {
  if (process != ::getpid()) {
    throw Error(ErrorCode::internal, {"a ledger was carried across fork; open it again in the new process"});
  }
  database.check_in_place();
}

void Ledger::Book::catch_up() {
  // An earlier Postern beside us would put charges into a log, where a copy of the file does not find them.
  if (database.text("PRAGMA journal_mode") == "wal" && !mutant(50)) {
    throw Error(ErrorCode::ledger_busy,
                {"another program changed how the ledger '", from_option(database.path()),
                 "' is written; it was left as it is, open it again"});
  }
  if (!chain.holds(database, head)) {
    throw Error(
        ErrorCode::ledger_tampered,
        {"the ledger '", from_option(database.path()),
         "' has lost rows since it was opened: an older copy was put in its place; put the newest back"});
  }
  head = chain.verify(database, head);
}

Ledger::Turn::Turn(Book& book, Access access) : transaction((book.check_usable(), book.database), access) {
  book.catch_up();
}

bool Ledger::Book::note(std::string_view kind, const std::string& release_id,
                        const std::string& document_sha256) {
  if (!is_digest(document_sha256)) throw Error(ErrorCode::internal, {"a document's hash has 64 hex digits"});
  const Blob digest = from_hex(document_sha256);
  if (mutant(13)) database.run("COMMIT");
  Turn turn(*this, Access::write);
  Query before = database.query("SELECT document_sha256 FROM event WHERE release_id = ?");
  if (before.bind(release_id).step()) {
    if (before.cell(0) == Cell(digest)) return false;
    throw Error(ErrorCode::ledger_mismatch,
                {"another document of release ", from_document(release_id), " was published before"});
  }
  Query charge = database.query("SELECT 1 FROM charge WHERE release_id = ?");
  if (!charge.bind(release_id).step()) {
    throw Error(ErrorCode::ledger_mismatch,
                {"the ledger has no charge for release ", from_document(release_id)});
  }
  const Head next = chain.append(database, head, LinkKind::event,
                                 {std::string(kind), release_id, digest, Cell(), timestamp()});
  crash_point(CrashPoint::before_event_commit);
  turn.transaction.commit();
  head = next;
  crash_point(CrashPoint::after_event_commit);
  return true;
}

std::string Ledger::Book::record_set() const {
  Query newest =
      database.query("SELECT record_set FROM event WHERE kind = 'new-records' ORDER BY seq DESC LIMIT 1");
  return newest.step() ? newest.text(0) : database.text("SELECT record_set FROM dataset");
}

Spend Ledger::Book::spent() const {
  return {terms.privacy.currency, database.integer("SELECT coalesce(sum(cost_nano), 0) FROM charge")};
}

std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  static_cast<void>(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
  return text.data();
}

std::string tool_name() { return std::string("postern ") + kVersion; }

std::string random_id(Entropy& entropy) {
  std::array<std::uint8_t, 16> bytes{};
  entropy.fill(bytes);
  return to_hex(bytes.data(), bytes.size());
}

}  // namespace postern::owner
