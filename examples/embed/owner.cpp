// A program that keeps records and publishes a release of them.
//   clinic study.toml records.csv ledger release.json
#include <iostream>
#include <optional>
#include <string>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"
#include "postern/model/study_file.hpp"
#include "postern/owner/issue.hpp"
#include "postern/owner/publish.hpp"
#include "postern/owner/source.hpp"

using namespace postern;

namespace {

void publish(const model::Study& study, const std::string& csv, const std::string& book,
             const std::string& out) {
  const Currency currency = study.privacy.currency;
  const auto plan =
      model::make_noise_plan(study, model::default_mechanism(study), Spend::parse(currency, "1"));
  // All that can go wrong for a public reason goes wrong here, before the charge.
  const owner::Measure measure = owner::open_csv(csv, study, 1);
  owner::check_publishable(out, false);
  auto ledger = owner::Ledger::create(book, {study.dataset, study.privacy, Spend::parse(currency, "10")});
  // Charges the ledger and draws the noise; only then are the records read.
  const owner::Issued issued = owner::issue({study, plan}, std::nullopt, ledger, measure);
  owner::publish_document(out, issued.document, false);
  ledger.record_published(issued.release.release_id, to_hex(sha256(issued.document)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 64;
  try {
    publish(model::load_study(argv[1]), argv[2], argv[3], argv[4]);
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';  // public by construction
    return exit_status(error.code());
  }
  return 0;
}
