#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include "score.hpp"

// honesty [--cases TEXT] [--slice] [--prior old|learned|both] [--truth samples|records] [--rounds R]
//         [--most R] [--seed S] [--time SECONDS] [--tables DIR] [--csv FILE] [--facts] [--list]
// Releases made of real records through the gate, their posteriors, and how often 90 % intervals hold the
// facts of the table that the records come from. POSTERN_DATA names the folder of adult.csv and the Pima
// table. Exit status 1: a bar is broken, under the prior that is judged (the learned one where both are run).

namespace postern::honesty {
namespace {

constexpr int kSkipped = 77;  ///< no data for any case

struct Command {
  std::string cases;
  std::string tables;
  std::string csv;
  RunOptions run;
  std::size_t rounds = 40;
  std::size_t most = 40;  ///< rounds of a case that is below .85 and does not fail
  double margin = 2.33;
  bool slice = false;
  bool list = false;
};

void set_prior(const std::string& text, Command& out) {
  if (text == "old") out.run.priors = {Prior::old_default};
  if (text == "learned") out.run.priors = {Prior::learned};
}

/// Options that take a value. Throws for an unknown one.
void set_value(const std::string& option, const std::string& value, Command& out) {
  if (option == "--cases") return void(out.cases = value);
  if (option == "--prior") return set_prior(value, out);
  if (option == "--truth") return void(out.run.truth = value == "records" ? Truth::records : Truth::samples);
  if (option == "--rounds") return void(out.most = out.rounds = std::stoul(value));
  if (option == "--most") return void(out.most = std::stoul(value));
  if (option == "--margin") return void(out.margin = std::stod(value));
  if (option == "--seed") return void(out.run.seed = std::stoull(value));
  if (option == "--time") return void(out.run.time_limit = std::stod(value));
  if (option == "--tables") return void(out.tables = value);
  if (option == "--csv") return void(out.csv = value);
  throw std::invalid_argument("unknown option " + option);
}

Command read_command(int argc, char** argv) {
  Command out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--slice") {
      out.slice = true;
    } else if (word == "--list") {
      out.list = true;
    } else if (word == "--facts") {
      out.run.facts = true;
    } else {
      if (i + 1 >= argc) throw std::invalid_argument(word + " wants a value");
      set_value(word, argv[++i], out);
    }
  }
  return out;
}

Cases all_cases(const Command& command, Sources& sources) {
  const char* census = std::getenv("POSTERN_DATA");
  sources.census = census == nullptr ? "" : census;
  sources.tables = command.tables;
  sources.filter = command.cases;
  sources.slice = command.slice;
  Cases all;
  add_tables(sources, all);
  add_trees(sources, all);
  add_networks(sources, all);
  add_sequences(sources, all);
  add_regressions(sources, all);
  add_numbers(sources, all);
  add_components(sources, all);
  Cases out;
  for (auto& one : all) {
    if (command.slice && !one->in_slice) continue;
    if (one->name.find(command.cases) != std::string::npos) out.push_back(std::move(one));
  }
  return out;
}

std::vector<Score> run_case(const HonestCase& one, const Command& command) {
  std::vector<Round> rounds;
  std::vector<Score> scores;
  std::size_t wanted = command.rounds;
  while (rounds.size() < wanted) {
    while (rounds.size() < wanted) rounds.push_back(run_round(one, rounds.size(), command.run));
    scores.clear();
    for (std::size_t p = 0; p < command.run.priors.size(); ++p)
      scores.push_back(score_of(one.name, command.run.priors[p], p, rounds, command.margin));
    if (scores.back().verdict == Verdict::open) wanted = command.most;
  }
  return scores;
}

int run(const Command& given) {
  Command command = given;
  Sources sources;
  const Cases cases = all_cases(command, sources);
  for (const std::string& file : sources.missing) std::printf("skipped: no %s\n", file.c_str());
  if (command.list) {
    for (const auto& one : cases) std::printf("%s n %zu\n", one->name.c_str(), one->n);
    return 0;
  }
  if (cases.empty()) return kSkipped;
  command.run.folder = std::filesystem::temp_directory_path() / ("honesty-" + std::to_string(::getpid()));
  std::filesystem::create_directories(command.run.folder);
  std::ofstream csv;
  if (!command.csv.empty()) csv.open(command.csv);
  csv << csv_header();
  std::vector<Score> judged;
  for (const auto& one : cases) {
    for (const Score& score : run_case(*one, command)) {
      std::printf("%s", text_line(score).c_str());
      (void)std::fflush(stdout);
      csv << csv_line(score) << std::flush;
      if (score.prior == command.run.priors.back()) judged.push_back(score);
    }
  }
  std::filesystem::remove_all(command.run.folder);
  const std::vector<std::string> broken = broken_bars(judged, command.margin);
  for (const std::string& bar : broken) std::printf("broken: %s\n", bar.c_str());
  return broken.empty() ? 0 : 1;
}

}  // namespace
}  // namespace postern::honesty

int main(int argc, char** argv) {
  try {
    return postern::honesty::run(postern::honesty::read_command(argc, argv));
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "honesty: %s\n", error.what());
    return 2;
  }
}
