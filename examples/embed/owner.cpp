// A program that keeps records and publishes a release of them.
//   clinic study.toml records.csv ledger release.json
#include <iostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"
#include "postern/model/study_file.hpp"
#include "postern/owner/count.hpp"
#include "postern/owner/csv.hpp"
#include "postern/owner/gate.hpp"
#include "postern/owner/publish.hpp"
#include "postern/release/document.hpp"

using namespace postern;

namespace {

std::vector<std::string> columns_of(const model::Model& chosen) {
  if (const auto* coin = std::get_if<model::Bernoulli>(&chosen)) return {coin->column};
  return std::get<model::Categorical>(chosen).columns;
}

void publish(const model::Study& study, const std::string& csv, const std::string& book,
             const std::string& out) {
  const Currency currency = study.privacy.currency;
  const auto plan =
      model::make_noise_plan(study, model::default_mechanism(currency), Spend::parse(currency, "1"));
  owner::CsvFile file(csv, study.schema, columns_of(study.model));  // the header only: before the charge
  owner::check_publishable(out, false);
  auto ledger = owner::Ledger::create(book, {study.dataset, study.privacy, Spend::parse(currency, "10")});
  owner::Entropy entropy;
  // The gate charges the ledger and draws the noise; only then does it ask for the statistic.
  const auto measure = [&](const model::Measurement& measurement) {
    const owner::Records records = std::move(file).read(1);
    owner::Measured measured;
    measured.n = static_cast<std::int64_t>(records.rows());
    for (const model::Block& block : measurement.blocks) {
      measured.blocks.push_back(owner::measure(records, study.schema, block.statistic, 1));
    }
    return measured;
  };
  const release::Release release = owner::pass_gate({study, plan}, ledger, entropy, measure);
  const std::string document = release::to_document(release);
  owner::publish_document(out, document, false);
  ledger.record_published(release.release_id, to_hex(sha256(document)));
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
