#include "postern/owner/ledger.hpp"

#include <cerrno>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/plan.hpp"
#include "postern/owner/crash_point.hpp"
#include "postern/release/document.hpp"

#include "book.hpp"
#include "durable_file.hpp"
#include "new.hpp"
#include "place.hpp"
#include "schema.hpp"

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

bool same_unit(const model::Unit& a, const model::Unit& b) {
  const auto* left = std::get_if<model::PersonUnit>(&a);
  const auto* right = std::get_if<model::PersonUnit>(&b);
  if (left == nullptr || right == nullptr) return left == right;
  return left->column == right->column && left->at_most == right->at_most;
}

/// What a study writes for a term that its ledger fixed.
std::string written(std::string_view term, const model::PrivacyPolicy& policy) {
  const auto quoted = [](std::string_view text) { return '"' + std::string(text) + '"'; };
  if (term == "adjacency") return quoted(to_text(policy.adjacency));
  if (term == "currency") return quoted(to_text(policy.currency));
  const auto* person = std::get_if<model::PersonUnit>(&policy.unit);
  if (person == nullptr) return quoted("record");
  return "{ column = " + quoted(person->column) + ", at_most = " + std::to_string(person->at_most) + " }";
}

/// A term that differs: both values, and the line that a study of this dataset has.
[[noreturn]] void refuse_term(const DatasetTerms& terms, const char* term, const model::PrivacyPolicy& theirs,
                              const model::PrivacyPolicy& ours) {
  const Quotation name = from_study(term);
  const Quotation fixed = quote(written(term, ours), 160);
  const bool gains_n = std::string_view(term) == "adjacency" && ours.n_at_most.has_value();
  throw Error(ErrorCode::ledger_mismatch,
              {"the study has ", name, " = ", quote(written(term, theirs), 160),
               ", but the ledger of dataset '", from_study(terms.dataset), "' was made for ", name, " = ",
               fixed, ", which never changes; in [privacy] of the study, write ", name, " = ", fixed,
               from_study(gains_n ? " and n = { at_most = ... }" : "")});
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
  check_local(directory_of(path));
  LedgerKey key = LedgerKey::make();
  NewLedger files(path, key);
  {
    // Founded under a name of its own, so that the ledger is whole when it takes its name.
    Book book(Database::open(files.draft(), kPatience), std::move(key));
    book.found(terms);
  }
  files.publish();
  return open(path);
}

Ledger Ledger::open(const std::string& given, std::chrono::milliseconds patience) {
  const std::string resolved = with_resolved_directory(given);
  const std::string path = resolved.empty() ? given : resolved;
  check_kind(path);
  check_whole(path);
  check_private_file(path);
  check_local(path);
  check_writable(path);
  LedgerKey key = LedgerKey::read(key_path(path));
  auto book = std::make_unique<Book>(Database::open(path, patience), std::move(key));
  book->read();
  book->database.keep_in_one_file(patience);
  return Ledger(std::move(book));
}

std::uint64_t Ledger::backup(const std::string& given) const {
  const Turn turn(*book_, Access::snapshot);  // no charge can be committed until the copy is made
  const std::string path = with_resolved_directory(given);
  if (path.empty() || path.back() == '/') fail_to_create(ENOENT, given);
  NewLedger files(path, book_->chain.key());
  {
    const Database copy = Database::open(files.draft(), kPatience);
    book_->database.copy_to(copy);
    check_schema(copy);
    if (book_->chain.verify(copy, Head{}).mac != book_->head.mac)
      throw Error(ErrorCode::internal, {"the copy of a ledger differs from it"});
  }
  files.publish();
  return static_cast<std::uint64_t>(book_->head.seq) + 1;
}

std::uint64_t Ledger::charges_made() const { return book_->charges_made; }

Ledger Ledger::rehearsal(const DatasetTerms& terms) {
  check_dataset_terms(terms);
  auto book = std::make_unique<Book>(Database::in_memory(), LedgerKey::make());
  book->found(terms);
  book->read();
  return Ledger(std::move(book));
}

void Ledger::check_terms(const model::Study& study) const {
  const DatasetTerms& terms = book_->terms;
  const model::PrivacyPolicy& ours = terms.privacy;
  const model::PrivacyPolicy& theirs = study.privacy;
  if (study.dataset != terms.dataset) {
    throw Error(ErrorCode::ledger_mismatch,
                {"the study is of dataset '", from_study(study.dataset), "', the ledger of dataset '",
                 from_study(terms.dataset),
                 "'; give the ledger of that dataset, or, if the records are the same, write dataset = \"",
                 from_study(terms.dataset), "\" in the study"});
  }
  if (theirs.adjacency != ours.adjacency) refuse_term(terms, "adjacency", theirs, ours);
  if (theirs.currency != ours.currency) refuse_term(terms, "currency", theirs, ours);
  if (!same_unit(theirs.unit, ours.unit)) refuse_term(terms, "unit", theirs, ours);
}

ChargeToken Ledger::charge(const model::Study& study, const model::NoisePlan& plan, Entropy& entropy) {
  book_->check_usable();
  check_terms(study);
  check_plan(study, plan);
  ChargeToken token;
  token.plan_ = plan;
  token.study_ = study;
  token.release_id_ = random_id(entropy);
  const Digest spec = sha256(release::plan_document(study, plan));
  const std::int64_t cost = plan.cost.nano() - (mutant(15) ? 1 : 0);
  if (mutant(16) && book_->spent().nano() + cost > book_->terms.budget.nano()) {
    refuse_overdraft(book_->terms, plan.cost, book_->spent());
  }
  Turn turn(*book_, Access::write);
  token.record_set_ = book_->record_set();
  Head next;
  try {
    next = book_->chain.append(book_->database, book_->head, LinkKind::charge,
                               {token.release_id_, book_->terms.dataset, token.record_set_, cost,
                                std::string(to_text(plan.request.mechanism)), Blob(spec.begin(), spec.end()),
                                tool_name(), timestamp()});
  } catch (const Error& error) {
    if (error.code() == ErrorCode::budget_exhausted)
      refuse_overdraft(book_->terms, plan.cost, book_->spent());
    throw;
  }
  crash_point(CrashPoint::before_charge_commit);
  if (mutant(13)) {
    turn.transaction.leave_open();
  } else if (!mutant(12)) {
    turn.transaction.commit();
    book_->head = next;
  }
  ++book_->charges_made;
  crash_point(CrashPoint::after_charge_commit);
  token.seq_ = static_cast<std::uint64_t>(next.seq);
  token.head_ = to_hex(next.mac);
  return token;
}

void Ledger::record_published(const std::string& release_id, const std::string& document_sha256) {
  book_->note("published", release_id, document_sha256);
}

void Ledger::new_records(Entropy& entropy) {
  Turn turn(*book_, Access::write);
  const Head next =
      book_->chain.append(book_->database, book_->head, LinkKind::event,
                          {std::string("new-records"), Cell(), Cell(), random_id(entropy), timestamp()});
  turn.transaction.commit();
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
