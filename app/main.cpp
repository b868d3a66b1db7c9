#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/version.hpp"
#include "postern/model/schema.hpp"

#include "command.hpp"
#include "errors.hpp"
#include "process.hpp"
#include "session.hpp"

namespace postern::app {
namespace {

struct Subcommand {
  std::string_view name;
  int (*run)(Arguments, const Session&);
  bool inside;  ///< sees records or the ledger's key: the process is hardened first
  std::string_view help;
};

constexpr std::array<Subcommand, 11> kCommands{{
    {"init", run_init, false, "draft a study from the names of the columns in a CSV, Parquet or Arrow file"},
    {"plan", run_plan, false, "cost, noise and expected posterior width of a study, without data"},
    {"ledger", run_ledger, true,
     "the privacy-budget ledger: init, balance, verify, backup, reconcile, export, new-records"},
    {"check", run_check, true, "look at the records before the spend, for their owner's eyes alone"},
    {"release", run_release, true, "charge the ledger, then publish noisy statistics of the records"},
    {"verify", run_verify, false, "recompute what a release claims"},
    {"infer", run_infer, false, "the posterior distribution, from releases alone"},
    {"predict", run_predict, false, "what a posterior says of rows that it has not seen"},
    {"synth", run_synth, false, "synthetic records of a posterior, at no further privacy cost"},
    {"calibrate", run_calibrate, false,
     "are this study's intervals right? simulate it many times and see, without data"},
    {"audit", run_audit, false, "try to catch a study's release breaking its promise, on made-up records"},
}};

std::string overview() {
  std::string text =
      "postern: differentially private Bayesian inference with honest uncertainty\n\n"
      "Usage: postern COMMAND ... [options]      postern COMMAND --help tells more\n\n";
  for (const Subcommand& entry : kCommands) {
    text += "  " + std::string(entry.name) + std::string(11 - entry.name.size(), ' ') +
            std::string(entry.help) + '\n';
  }
  text +=
      "\nThe owner of the records:\n"
      "  postern init survey.csv -o study.toml\n"
      "  postern plan study.toml --epsilon 1 --n 5000\n"
      "  postern ledger init study.toml --budget 10 -o survey.ledger\n"
      "  postern check study.toml survey.csv\n"
      "  postern release study.toml survey.csv --epsilon 1 --ledger survey.ledger -o survey.release.json\n"
      "The analyst, who has the release and nothing else:\n"
      "  postern verify survey.release.json\n"
      "  postern infer survey.release.json -o posterior/\n"
      "  postern predict posterior/ patients.csv --target cancer\n"
      "  postern synth posterior/ -n 10000 -o synthetic.csv\n";
  return text;
}

const Subcommand& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Subcommand& entry : kCommands) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  if (const auto nearest = model::nearest_name(name, names)) {
    throw Error(ErrorCode::usage,
                {"there is no command '", from_option(name), "'; did you mean ", from_option(*nearest), "?"});
  }
  throw Error(ErrorCode::usage, {"there is no command '", from_option(name), "'; see postern --help"});
}

int dispatch(std::vector<std::string> arguments, const Session& session) {
  const bool asks_help =
      !arguments.empty() && (arguments[0] == "help" || arguments[0] == "--help" || arguments[0] == "-h");
  if (asks_help && arguments.size() > 1) {
    arguments.erase(arguments.begin());
    arguments.resize(1);
    arguments.emplace_back("--help");
  } else if (asks_help || arguments.empty()) {
    throw HelpWanted{overview()};
  }
  if (arguments[0] == "--version" || arguments[0] == "-V")
    throw HelpWanted{std::string("postern ") + kVersion + '\n'};
  const Subcommand& entry = find_command(arguments[0]);
  if (entry.inside) harden_process();
  return entry.run(Arguments(arguments).subspan(1), session);
}

int run(const std::vector<std::string>& arguments, Session& session, std::optional<InterruptWatch>& watch) {
  try {
    const bool releases = !arguments.empty() && arguments[0] == "release";
    session.stop = watch.emplace(releases).token();
    return dispatch(arguments, session);
  } catch (const HelpWanted& help) {
    std::cout << help.text;
    return 0;
  } catch (const Error& error) {
    return report_error(error, session);
  } catch (const std::exception& fault) {
    return report_foreign(fault, session);
  }
}

bool has(const std::vector<std::string>& arguments, std::string_view name) {
  return std::find(arguments.begin(), arguments.end(), name) != arguments.end();
}

}  // namespace
}  // namespace postern::app

int main(int argc, char** argv) {
  using namespace postern::app;
  let_writes_fail();
  const std::vector<std::string> arguments(argv + 1, argv + std::max(argc, 1));
  Session session;
  session.json = has(arguments, "--json");
  session.quiet = has(arguments, "--quiet") || has(arguments, "-q");
  std::optional<InterruptWatch> watch;
  const int status = run(arguments, session, watch);
  if (!output_was_lost()) return status;
  const postern::Error error(postern::ErrorCode::output_unwritable, {"standard output cannot be written"});
  session.json = false;
  return std::max(status, report_error(error, session));
}
