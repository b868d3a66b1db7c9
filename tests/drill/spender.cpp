// Releases one small document after another through the real gate until it is told to stop, killed, or
// refused.
//   drill_spender LEDGER DIRECTORY COUNT PATIENCE_MS
//   drill_spender LEDGER                                  makes the ledger instead
// Opens the ledger, says so on stdout, waits for stdin to close, spends. Exit status: 0, or 100 + the error
// code.

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"
#include "postern/model/plan.hpp"
#include "postern/owner/crash_point.hpp"
#include "postern/owner/gate.hpp"
#include "postern/owner/publish.hpp"
#include "postern/release/document.hpp"

#include "study.hpp"

namespace {

using namespace postern;
using namespace postern::owner;

std::vector<std::vector<Int128>> tens(const model::Measurement& measurement, const model::Schema& schema) {
  std::vector<std::vector<Int128>> out;
  for (const model::Block& block : measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    out.emplace_back(kind.is_choice() ? kind.candidates(block.statistic, schema) : block.size, Int128{10});
  }
  return out;
}

/// Runs once the noise is drawn, so this is also the place to die in between.
Measure made_up(const model::Study& study) {
  return [&study](const model::Measurement& measurement) {
    crash_point(CrashPoint::after_noise);
    return Measured{100, tens(measurement, study.schema),
                    [&study](const model::Measurement& later) { return tens(later, study.schema); }};
  };
}

void spend_once(Ledger& ledger, Entropy& entropy, const model::Study& study, const std::string& directory) {
  check_publishable(directory + "/next.json", false, 4096);
  const model::NoisePlan plan =
      model::make_noise_plan(study, model::Mechanism::laplace, Spend::parse(Currency::pure, drill::kCost));
  const release::Release release =
      pass_gate({study, plan, false, model::found_counts}, ledger, entropy, made_up(study));
  const std::string document = release::to_document(release);
  publish_document(directory + "/" + release.release_id + ".json", document, false);
  ledger.record_published(release.release_id, to_hex(sha256(document)));
}

void run(const std::string& path, const std::string& directory, long count, long patience) {
  Ledger ledger = Ledger::open(path, std::chrono::milliseconds(patience));
  Entropy entropy;
  const bool in_rounds = std::getenv(drill::kInRounds) != nullptr;
  const model::Study study = in_rounds ? drill::study_in_rounds() : drill::study();
  std::cout << 'r' << std::flush;
  static_cast<void>(std::cin.get());
  for (long i = 0; i != count; ++i) spend_once(ledger, entropy, study, directory);
}

void found(const std::string& path) {
  const model::Study study = drill::study();
  Ledger::create(path, {study.dataset, study.privacy, Spend::parse(Currency::pure, "1")});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 5) return 2;
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    if (argc == 2) {
      found(argv[1]);
      return 0;
    }
    run(argv[1], argv[2], std::strtol(argv[3], nullptr, 10), std::strtol(argv[4], nullptr, 10));
  } catch (const Error& error) {
    std::cerr << error_name(error.code()) << ": " << error.what() << '\n';
    return 100 + static_cast<int>(error.code());
  }
  return 0;
}
