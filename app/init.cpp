#include <algorithm>
#include <filesystem>
#include <iostream>

#include "postern/core/error.hpp"
#include "postern/model/family.hpp"
#include "postern/owner/csv.hpp"

#include "command.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "json_out.hpp"
#include "session.hpp"
#include "text.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kMostColumns = 500;

bool bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// A TOML basic string.
std::string toml_text(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7F) {
      out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string toml_key(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), bare);
  return plain ? name : toml_text(name);
}

/// A legal study or dataset name from the name of the file.
std::string name_from(const std::string& path) {
  std::string name = path == "-" ? "survey" : std::filesystem::path(path).stem().string();
  for (char& c : name) {
    if (!bare(c) && c != '.') c = '-';
  }
  if (name.size() > 100) name.resize(100);
  return name.empty() ? "survey" : name;
}

std::string head(const std::string& name) {
  return "# A study: the public facts, declared before any record is read. It is published with every "
         "release.\n"
         "# Drafted from a header line alone. Fill in what is marked <-, delete what you do not need, then:\n"
         "#   postern plan STUDY --epsilon 1 --n 5000\n"
         "version = 1\n"
         "name    = " +
         toml_text(name) +
         "\n"
         "dataset = " +
         toml_text(name) +
         "      # <- whose budget is spent; studies of the same people share it\n"
         "\n"
         "[privacy]\n"
         "unit      = \"record\"           # whose presence is hidden: one record\n"
         "# unit    = { column = \"person_id\", at_most = 3 }   # or all records of a person; needs "
         "add-remove\n"
         "adjacency = \"replace-one\"      # the number of records is public. To hide it too:\n"
         "# adjacency = \"add-remove\"\n"
         "# n         = { at_most = 100000 }\n"
         "currency  = \"pure\"             # budgets in epsilon; \"zcdp\": budgets in rho, Gaussian noise\n";
}

std::string column_help() {
  return "\n"
         "# Every column the model uses, with the values it may take: they come from you, never from the "
         "data.\n"
         "# In place of `categories`, a number has\n"
         "#   integer = [0, 120]          whole numbers in a range, and if you like\n"
         "#   cuts    = [18, 40, 65]      grouped as 0-17, 18-39, 40-64, 65-120; or\n"
         "#   real    = [\"0\", \"250.5\"]    decimals in a range, rounded to\n"
         "#   grid    = \"0.5\"             multiples of this.\n"
         "# An empty or unreadable field counts as the value named by `missing`, such as missing = \"no\".\n";
}

std::string column_block(const std::string& name) {
  return "\n[columns." + toml_key(name) +
         "]\n"
         "categories = []                # <- every value there may be, such as [\"no\", \"yes\"]\n"
         "# missing  = \"no\"\n";
}

std::string tail(const std::string& column) {
  return "\n[model]\n"
         "kind   = \"family\"\n"
         "family = \"categorical\"         # or \"bernoulli\" for one column with two values\n"
         "column = " +
         toml_text(column) +
         "            # <- or up to three: columns = [\"a\", \"b\"]\n"
         "prior  = { dirichlet = 1 }     # bernoulli: { beta = [1, 1] }\n";
}

/// A model that could stand in place of the drafted one: lines to take the `# ` from.
std::string other_model(const std::string& what_for, const std::string& lines) {
  std::string out = "#\n# [model]   # " + what_for + "\n";
  for (const std::string& line : split_lines(lines)) out += "# " + line + '\n';
  return out;
}

std::string families() {
  std::string out = "#\n";
  for (const std::string& line : split_lines(wrap("All families: " + model::all_families(), 98, 0)))
    out += "# " + line + '\n';
  return out;
}

/// Models of numbers, for columns that declare `integer` or `real`.
std::string number_models(const std::string& column) {
  const std::string named = "column = " + toml_text(column) + '\n';
  std::string out =
      "\n# In place of this [model], where the column is a number without cuts, one of these:\n" +
      other_model("counts, such as visits: integer = [0, 20]",
                  "kind   = \"family\"\nfamily = \"poisson\"\n" + named +
                      "prior  = { gamma = [2, 1] }     # of the mean: shape, rate; a guess of 2/1\n") +
      other_model("times and amounts: real = [\"0\", \"100\"], grid = \"0.1\"",
                  "kind   = \"family\"\nfamily = \"exponential\"\n" + named +
                      "prior  = { gamma = [2, 1] }     # of 1/mean\n") +
      other_model(
          "measurements: real = [\"-50\", \"50\"], grid = \"0.1\"",
          "kind   = \"family\"\nfamily = \"normal\"\n" + named +
              "prior  = { normal-inverse-gamma = [0, 1, 3, 4] }   # mean, weight; variance: shape, scale\n") +
      other_model("no model: bounds for a later study, chosen privately",
                  "kind   = \"quantiles\"\n" + named + "at     = [\"0.01\", \"0.99\"]\n") +
      families();
  return out;
}

}  // namespace

int run_init(Arguments arguments, const Session& session) {
  std::string input;
  std::string output;
  bool force = false;
  Command command("init", "draft a study from the header line of a CSV file. No record is read.");
  command.argument("DATA", input, "a CSV file with a header line, or - for standard input")
      .option("-o,--output", output, "FILE", "where the study goes, such as study.toml")
      .required()
      .flag("--force", force, "replace an existing file")
      .examples("postern init survey.csv -o study.toml");
  command.parse(arguments);
  refuse_overwriting(output, {input});
  const std::vector<std::string> columns = owner::read_csv_header(input);
  const std::string name = name_from(input);
  std::string text = head(name) + column_help();
  for (std::size_t i = 0; i < std::min(columns.size(), kMostColumns); ++i) text += column_block(columns[i]);
  text += tail(columns.front()) + number_models(columns.front());
  write_file(output, text, force);
  if (session.json) {
    std::cout << Json::object().set("study", output).set("columns", Json::list(columns)).text();
    return 0;
  }
  std::cout << output << ": " << columns.size() << (columns.size() == 1 ? " column" : " columns") << '\n';
  log_line(
      session,
      "Next: fill in what is marked <-, delete the columns the model does not use, then:\n  postern plan " +
          output + " --epsilon 1 --n 5000");
  return 0;
}

}  // namespace postern::app
