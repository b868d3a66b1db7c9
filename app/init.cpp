#include <iostream>
#include <sstream>

#include "postern/core/error.hpp"
#include "postern/model/study_draft.hpp"
#include "postern/owner/columns.hpp"
#include "postern/owner/source.hpp"

#include "command.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "json_out.hpp"
#include "session.hpp"

namespace postern::app {
namespace {

struct InitOptions {
  std::string input;
  std::string output;
  std::optional<std::string> format;
  std::optional<std::string> delimiter;
  std::optional<std::string> columns;
  bool network = false;
  bool force = false;
};

InitOptions parse_init(Arguments arguments) {
  InitOptions options;
  Command command("init",
                  "draft a study from the names of the columns: the header line of a CSV file, or the names "
                  "and types in a Parquet or Arrow file. No record is read.");
  command
      .argument("DATA", options.input,
                "a CSV file with a header line, plain or packed, or - for standard input; a Parquet or Arrow "
                "file, or a folder of them")
      .option("-o,--output", options.output, "FILE", "where the study goes, such as study.toml")
      .required()
      .option("--columns", options.columns, "NAMES",
              "names of the columns, with commas between them; then DATA is not read at all")
      .option("--format", options.format, "NAME",
              "format of DATA: csv, parquet or arrow (default: by suffix)")
      .option("--delimiter", options.delimiter, "CHAR",
              "what separates the fields of a CSV file: , ; | or tab (default: ,)")
      .flag(
          "--network", options.network,
          "DATA is a network in the interchange format of Bayesian networks: its variables, their levels and "
          "its edges make a whole study, and its probabilities are not looked at")
      .flag("--force", options.force, "replace an existing file")
      .examples(
          "postern init survey.csv -o study.toml\n"
          "postern init survey.parquet -o study.toml\n"
          "postern init no-header.csv --columns smoker,age,cancer -o study.toml\n"
          "postern init --network alarm.bif -o study.toml");
  command.parse(arguments);
  return options;
}

std::vector<model::DraftColumn> named_columns(const std::string& names) {
  std::vector<model::DraftColumn> columns;
  std::istringstream in(names);
  bool all_named = !names.ends_with(',');
  for (std::string name; std::getline(in, name, ',');) {
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    all_named = all_named && !name.empty();
    columns.push_back({name});
  }
  if (columns.empty() || !all_named)
    throw Error(ErrorCode::bad_option, {"--columns takes names with commas between them, such as a,b,c"});
  return columns;
}

struct Draft {
  std::string text;
  std::vector<std::string> columns;
};

Draft network_draft(const InitOptions& options) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  if (options.columns || options.format || options.delimiter)
    throw Error(ErrorCode::usage,
                {"--network takes a network alone, without --columns, --format or --delimiter"});
  const graph::BifNetwork network = graph::parse_bif(read_file(options.input, kMostBytes), options.input);
  return {model::draft_network_study(model::draft_name(options.input), network), network.names()};
}

Draft draft(const InitOptions& options) {
  if (options.network) return network_draft(options);
  const auto columns =
      options.columns
          ? named_columns(*options.columns)
          : owner::read_columns(options.input,
                                owner::records_format(options.input, options.format, options.delimiter));
  Draft out{model::draft_study(model::draft_name(options.input), columns), {}};
  for (const model::DraftColumn& column : columns) out.columns.push_back(column.name);
  return out;
}

}  // namespace

int run_init(Arguments arguments, const Session& session) {
  const InitOptions options = parse_init(arguments);
  refuse_overwriting(options.output, {options.input});
  const auto& [text, names] = draft(options);
  write_file(options.output, text, options.force);
  if (session.json) {
    std::cout << Json::object().set("study", options.output).set("columns", Json::list(names)).text();
    return 0;
  }
  std::cout << options.output << ": " << names.size() << (names.size() == 1 ? " column" : " columns") << '\n';
  log_line(
      session,
      "Next: fill in what is marked <-, delete the columns the model does not use, then:\n  postern plan " +
          options.output + " --epsilon 1 --n 5000");
  return 0;
}

}  // namespace postern::app
