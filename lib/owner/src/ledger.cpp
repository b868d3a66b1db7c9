#include "postern/owner/ledger.hpp"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/owner/crash_point.hpp"
#include "postern/release/document.hpp"

#include "durable_file.hpp"
#include "ledger_book.hpp"
#include "ledger_schema.hpp"

namespace postern::owner {
namespace {

void check_dataset_terms(const DatasetTerms& terms) {
  model::check_policy(terms.privacy);
  if (terms.dataset.empty())
    throw Error(ErrorCode::bad_value, {"a ledger belongs to a dataset, which needs a name"});
  if (terms.budget.currency() != terms.privacy.currency) {
    throw Error(ErrorCode::currency_mismatch,
                {"the dataset counts ", from_study(unit_name(terms.privacy.currency)), ", the budget ",
                 from_study(unit_name(terms.budget.currency()))});
  }
  if (terms.budget.nano() <= 0)
    throw Error(ErrorCode::bad_budget, {"a budget is a positive amount of privacy"});
}

[[noreturn]] void fail_to_create(int error, const std::string& path) {
  const Quotation name = from_option(path);
  if (error == EEXIST) {
    throw Error(ErrorCode::ledger_exists,
                {"'", name, "' exists; a ledger is never replaced, since its budget may have been spent"});
  }
  if (is_out_of_space(error)) throw Error(ErrorCode::disk_full, {"no room for the ledger '", name, "'"});
  throw Error(ErrorCode::output_unwritable,
              {"cannot create '", name, "'; check that its directory exists and may be written"});
}

void check_absent(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) fail_to_create(EEXIST, path);
}

bool same_unit(const model::Unit& a, const model::Unit& b) {
  const auto* left = std::get_if<model::PersonUnit>(&a);
  const auto* right = std::get_if<model::PersonUnit>(&b);
  if (left == nullptr || right == nullptr) return left == right;
  return left->column == right->column && left->at_most == right->at_most;
}

/// The plan must cost at least what its noise costs, whatever it says of itself.
void check_plan(const model::Study& study, const model::NoisePlan& plan) {
  const Spend due =
      Spend::ceil(study.privacy.currency, model::cost(plan.measurement, study.schema, study.privacy));
  if (plan.cost.currency() != due.currency()) {
    throw Error(ErrorCode::currency_mismatch,
                {"the plan is costed in ", from_study(unit_name(plan.cost.currency())),
                 ", the ledger counts ", from_study(unit_name(due.currency()))});
  }
  if (plan.cost.nano() < due.nano() || plan.cost.nano() <= 0) {
    throw Error(ErrorCode::internal, {"a noise plan costs ", from_study(due.text()), " but states ",
                                      from_study(plan.cost.text())});
  }
}

[[noreturn]] void refuse_overdraft(const DatasetTerms& terms, const Spend& cost, const Spend& spent) {
  const Spend left(spent.currency(), terms.budget.nano() - spent.nano());
  throw Error(ErrorCode::budget_exhausted,
              {"this release costs ", from_study(unit_name(cost.currency())), " ", from_study(cost.text()),
               ", but of ", from_study(terms.budget.text()), " for dataset '", from_study(terms.dataset),
               "' only ", from_study(left.text()), " is left; nothing was charged"});
}

}  // namespace

Ledger::Ledger(std::unique_ptr<Book> book) : book_(std::move(book)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Ledger Ledger::create(const std::string& given, const DatasetTerms& terms) {
  check_dataset_terms(terms);
  const std::string path = with_resolved_directory(given);
  if (path.empty() || path.back() == '/') fail_to_create(ENOENT, given);
  check_absent(path);
  check_absent(key_path(path));
  check_local(directory_of(path));
  LedgerKey key = LedgerKey::make();
  if (const int error = key.write(key_path(path)); error != 0) fail_to_create(error, key_path(path));
  RemoveUnlessKept key_file(key_path(path));
  RemoveUnlessKept temporary(temporary_name(path));
  if (const int error = write_new_file(temporary.path(), {}); error != 0) fail_to_create(error, path);
  {
    // Founded in rollback mode, so that the whole ledger is one file when it takes its name.
    Book book(Database::open(temporary.path(), kPatience), std::move(key));
    book.found(terms);
  }
  if (const int error = rename_file(temporary.path(), path, false); error != 0) fail_to_create(error, path);
  temporary.keep();
  key_file.keep();
  if (const int error = sync_directory_of(path); error != 0) fail_to_create(error, path);
  return open(path);
}

Ledger Ledger::open(const std::string& given, std::chrono::milliseconds patience) {
  const std::string path = with_resolved_directory(given);
  check_private_file(path.empty() ? given : path);
  check_local(path);
  check_writable(path);
  LedgerKey key = LedgerKey::read(key_path(path));
  auto book = std::make_unique<Book>(Database::open(path, patience), std::move(key));
  book->read();
  if (book->database.text("PRAGMA journal_mode = WAL") != "wal") {
    throw Error(ErrorCode::ledger_busy, {"another process holds the ledger '", from_option(path), "'"});
  }
  return Ledger(std::move(book));
}

Ledger Ledger::rehearsal(const DatasetTerms& terms) {
  check_dataset_terms(terms);
  auto book = std::make_unique<Book>(Database::in_memory(), LedgerKey::make());
  book->found(terms);
  book->read();
  return Ledger(std::move(book));
}

void Ledger::check_terms(const model::Study& study) const {
  const DatasetTerms& terms = book_->terms;
  const auto refuse = [&](const Quotation& what) {
    throw Error(ErrorCode::ledger_mismatch, {"the study's ", what, " is not the one the ledger of dataset '",
                                             from_study(terms.dataset), "' was made for"});
  };
  if (study.dataset != terms.dataset) refuse(from_study("dataset"));
  if (study.privacy.adjacency != terms.privacy.adjacency) refuse(from_study("adjacency"));
  if (study.privacy.currency != terms.privacy.currency) refuse(from_study("currency"));
  if (!same_unit(study.privacy.unit, terms.privacy.unit)) refuse(from_study("unit"));
}

ChargeToken Ledger::charge(const model::Study& study, const model::NoisePlan& plan, Entropy& entropy) {
  book_->check_process();
  check_terms(study);
  check_plan(study, plan);
  ChargeToken token;
  token.plan_ = plan;
  token.release_id_ = random_id(entropy);
  const Digest spec = sha256(release::plan_document(study, plan));
  const std::int64_t cost = plan.cost.nano() - (mutant(15) ? 1 : 0);
  if (mutant(16) && book_->spent().nano() + cost > book_->terms.budget.nano()) {
    refuse_overdraft(book_->terms, plan.cost, book_->spent());
  }
  Transaction transaction(book_->database, Access::write);
  book_->catch_up();
  token.record_set_ = book_->record_set();
  Head next;
  try {
    next = book_->chain.append(
        book_->database, book_->head, LinkKind::charge,
        {token.release_id_, book_->terms.dataset, token.record_set_, cost,
         std::string(to_text(plan.mechanism)), Blob(spec.begin(), spec.end()), tool_name(), timestamp()});
  } catch (const Error& error) {
    if (error.code() == ErrorCode::budget_exhausted)
      refuse_overdraft(book_->terms, plan.cost, book_->spent());
    throw;
  }
  crash_point(CrashPoint::before_charge_commit);
  if (mutant(13)) {
    transaction.leave_open();
  } else if (!mutant(12)) {
    transaction.commit();
    book_->head = next;
  }
  crash_point(CrashPoint::after_charge_commit);
  token.seq_ = static_cast<std::uint64_t>(next.seq);
  token.head_ = to_hex(next.mac);
  return token;
}

void Ledger::record_published(const std::string& release_id, const std::string& document_sha256) {
  book_->note("published", release_id, document_sha256);
}

void Ledger::new_records(Entropy& entropy) {
  book_->check_process();
  Transaction transaction(book_->database, Access::write);
  book_->catch_up();
  const Head next =
      book_->chain.append(book_->database, book_->head, LinkKind::event,
                          {std::string("new-records"), Cell(), Cell(), random_id(entropy), timestamp()});
  transaction.commit();
  book_->head = next;
}

std::uint64_t reconcile(Ledger& ledger, const std::vector<PublishedFact>& documents) {
  std::uint64_t added = 0;
  for (const PublishedFact& fact : documents) {
    if (!holds(ledger, fact)) continue;
    if (ledger.book_->note("reconciled", fact.release_id, fact.document_sha256)) ++added;
  }
  return added;
}

}  // namespace postern::owner
