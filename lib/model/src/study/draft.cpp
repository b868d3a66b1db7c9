#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/model.hpp"
#include "postern/model/study_draft.hpp"

#include "study/draft_text.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostColumns = 500;

std::string column_help() {
  return "\n"
         "# Every column the model uses, with the values it may take: they come from you, never from the "
         "data.\n"
         "# In place of `categories`, a number has\n"
         "#   integer = [0, 120]          whole numbers in a range, and if you like\n"
         "#   cuts    = [18, 40, 65]      grouped as 0-17, 18-39, 40-64, 65-120; or\n"
         "#   real    = [\"0\", \"250.5\"]    decimals in a range, rounded to\n"
         "#   grid    = \"0.5\"             multiples of this.\n"
         "# An empty or unreadable field counts as the value named by `missing`, without a word: "
         "\"unknown\"\n"
         "# keeps such fields apart from real values. Delete it where there are none, as for a bernoulli.\n";
}

/// Without a level of its own, what is empty or misspelt would count as a value that people have.
std::string unknown_level() {
  return "missing    = \"unknown\"          # what an empty field, and a value that is not declared, counts "
         "as\n";
}

/// What a column of this kind declares, to be filled in. (An empty category is refused: no study is drafted
/// that could be released as it stands.)
std::string column_values(DraftColumn::Kind kind) {
  switch (kind) {
    case DraftColumn::Kind::whole:
      return "integer = []                   # <- the least and the largest there may be, such as [0, 120]\n"
             "# cuts   = [18, 40, 65]\n"
             "# missing = \"0\"\n";
    case DraftColumn::Kind::real:
      return "real = []                      # <- the least and the largest, such as [\"0\", \"250.5\"]\n"
             "grid = \"\"                      # <- rounded to multiples of this, such as \"0.5\"\n"
             "# missing = \"0\"\n";
    case DraftColumn::Kind::boolean:
      return "categories = [\"false\", \"true\", \"unknown\"]\n" + unknown_level();
    case DraftColumn::Kind::other:
      return "# Its type is neither text nor numbers: cast it first, or delete this column.\n"
             "categories = [\"\", \"unknown\"]   # <- in place of \"\", every value there may be\n" +
             unknown_level();
    case DraftColumn::Kind::text:
      break;
  }
  return "categories = [\"\", \"unknown\"]   # <- in place of \"\", every value there may be, such as "
         "\"no\", "
         "\"yes\"\n" +
         unknown_level();
}

std::string column_block(const DraftColumn& column) {
  return "\n[columns." + toml_key(column.name) + "]\n" + column_values(column.kind);
}

std::string tail(const std::string& column) {
  return "\n[model]\n"
         "kind   = \"family\"\n"
         "family = \"categorical\"         # or \"bernoulli\" for one column with two values\n"
         "column = " +
         toml_text(column) +
         "            # <- or up to sixteen: columns = [\"a\", \"b\"]\n"
         "prior  = \"learned\"           # by the release; or by numbers, such as { dirichlet = 1 }, { beta "
         "= [1, 1] }\n";
}

/// A model that could stand in place of the drafted one: lines to take the `# ` from.
std::string other_model(const std::string& what_for, const std::string& lines) {
  std::string out = "#\n# [model]   # " + what_for + "\n";
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) out += "# " + line + '\n';
  return out;
}

/// Words in lines that begin with "# ".
std::string comment(const std::string& text) {
  constexpr std::size_t kWidth = 100;
  std::string out;
  std::string line = "#";
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kWidth) out += std::exchange(line, "#") + '\n';
    line += ' ' + word;
  }
  return out + line + '\n';
}

void refuse_repeated(const std::vector<DraftColumn>& columns) {
  std::set<std::string_view> names;
  for (const DraftColumn& column : columns) {
    if (!names.insert(column.name).second) {
      throw Error(ErrorCode::column_repeated,
                  {"two columns have the same name, and a study names each once; rename one of them"});
    }
  }
}

std::string families() { return "#\n" + comment("All families: " + all_families()); }

/// Models of numbers, for columns that declare `integer` or `real`.
std::string number_models(const std::string& column) {
  const std::string named = "column = " + toml_text(column) + '\n';
  std::string out =
      "\n# In place of this [model], where the column is a number without cuts, one of these:\n" +
      other_model(
          "counts, such as visits: integer = [0, 20]",
          "kind   = \"family\"\nfamily = \"poisson\"\n" + named +
              "prior  = \"learned\"   # or of the mean: { gamma = [2, 1] }: shape, rate; a guess of 2/1\n") +
      other_model("times and amounts: real = [\"0\", \"100\"], grid = \"0.1\"",
                  "kind   = \"family\"\nfamily = \"exponential\"\n" + named +
                      "prior  = \"learned\"   # or of 1/mean: { gamma = [2, 1] }\n") +
      other_model("measurements: real = [\"-50\", \"50\"], grid = \"0.1\"",
                  "kind   = \"family\"\nfamily = \"normal\"\n" + named +
                      "prior  = \"learned\"   # or { normal-inverse-gamma = [0, 1, 3, 4] }: mean, weight; "
                      "variance: shape, scale\n") +
      other_model("no model: bounds for a later study, chosen privately",
                  "kind   = \"quantiles\"\n" + named + "at     = [\"0.01\", \"0.99\"]\n") +
      families();
  return out;
}

/// Models of columns that depend on each other.
std::string network_models(const std::vector<DraftColumn>& columns) {
  if (columns.size() < 2) return "";
  const std::string first = toml_text(columns[0].name);
  const std::string second = toml_text(columns[1].name);
  return "#\n# In place of it, of columns with `categories` or `cuts` that depend on each other, one of "
         "these:\n" +
         other_model("which column depends on which, without a circle",
                     "kind  = \"bayes-net\"\nedges = [[" + first + ", " + second + "]]\n") +
         other_model("a class and what tells it: all other columns",
                     "kind  = \"naive-bayes\"\nclass = " + first + "\n");
}

/// A number that depends on the other columns.
std::string regression_model(const std::vector<DraftColumn>& columns) {
  if (columns.size() < 2) return "";
  return "#\n# In place of it, of a number without cuts that depends on numbers and categories:\n" +
         other_model("intercept, slopes and what they leave open",
                     "kind     = \"linear-regression\"\ntarget   = " + toml_text(columns[0].name) +
                         "\nfeatures = [" + toml_text(columns[1].name) +
                         "]      # default: all other columns\n");
}

}  // namespace

std::string draft_study(const std::string& name, const std::vector<DraftColumn>& columns) {
  refuse_repeated(columns);
  std::string text = draft_head(name, "from the names (and types) of columns alone") + column_help();
  for (std::size_t i = 0; i < std::min(columns.size(), kMostColumns); ++i) text += column_block(columns[i]);
  return text + tail(columns.front().name) + number_models(columns.front().name) + network_models(columns) +
         regression_model(columns);
}

std::string draft_name(const std::string& path) {
  constexpr std::size_t kLongest = 100;
  std::filesystem::path file(path == "-" ? "" : path);
  if (!file.has_filename()) file = file.parent_path();
  const std::string suffix = file.extension().string();
  if (suffix == ".gz" || suffix == ".zst") file = file.stem();
  std::string name = file.stem().string();
  for (char& c : name) {
    if (!is_bare(c) && c != '.') c = '-';
  }
  if (name.size() > kLongest) name.resize(kLongest);
  return name.empty() ? "survey" : name;
}

}  // namespace postern::model
