#include "postern/model/study_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_selection.hpp"

#include "column_reader.hpp"
#include "foreign_reader.hpp"
#include "text_file.hpp"
#include "toml_node.hpp"
#include "toml_reader.hpp"

namespace postern::model {
namespace {

Adjacency read_adjacency(const TomlTable& table) {
  const std::string text = table.text("adjacency");
  if (const auto adjacency = parse_adjacency(text)) return *adjacency;
  table.refuse(ErrorCode::bad_value, "adjacency",
               {"adjacency is '", from_study(text), "'; write \"replace-one\" or \"add-remove\""});
}

Currency read_currency(const TomlTable& table) {
  if (!table.has("currency")) return Currency::pure;
  const std::string text = table.text("currency");
  if (const auto currency = parse_currency(text)) return *currency;
  table.refuse(ErrorCode::bad_value, "currency",
               {"currency is '", from_study(text), "'; write \"pure\" (epsilon) or \"zcdp\" (rho)"});
}

Unit read_unit(const TomlTable& table) {
  if (!table.has("unit")) return RecordUnit{};
  if (table.is_table("unit")) {
    const TomlTable unit = table.table("unit");
    unit.allow({"column", "at_most"});
    return PersonUnit{unit.text("column"), unit.integer("at_most")};
  }
  if (table.text("unit") == "record") return RecordUnit{};
  table.refuse(ErrorCode::bad_value, "unit",
               {"unit is '", from_study(table.text("unit")),
                "'; write \"record\" or { column = \"person_id\", at_most = 3 }"});
}

PrivacyPolicy read_policy(const TomlTable& table) {
  table.allow({"unit", "adjacency", "currency", "n"});
  PrivacyPolicy policy;
  policy.unit = read_unit(table);
  policy.adjacency = read_adjacency(table);
  policy.currency = read_currency(table);
  if (table.has("n")) {
    const TomlTable n = table.table("n");
    n.allow({"at_most"});
    policy.n_at_most = n.integer("at_most");
  }
  return policy;
}

/// Records given in place of a study: what a parser says about them would depend on one.
void refuse_records(std::string_view file_name) {
  constexpr std::array<std::string_view, 8> kRecords{".csv",   ".tsv",     ".parquet", ".pq",
                                                     ".arrow", ".feather", ".ipc",     ".json"};
  const std::string suffix = std::filesystem::path(file_name).extension().string();
  if (std::find(kRecords.begin(), kRecords.end(), suffix) == kRecords.end()) return;
  throw Error(ErrorCode::input_unreadable,
              {"'", from_option(file_name),
               "' is no study by its name, and is not read as one; a study is a .toml file"});
}

constexpr std::int64_t kNewestVersion = 2;  // of studies; in it a prior that is not stated is learned

/// A network that no [model] declares: the release is to choose it.
Model undeclared_model(const Schema& schema, const ModelWish& wish, bool learns_priors) {
  Model model = selecting(schema, wish.select.value_or(Selection::tree));
  if (!learns_priors || !model.kind().takes_learned_prior(model)) return model;
  return model.kind().with_learned_prior(model);
}

Model read_model_of(const TomlDocument& document, const Schema& schema, const ModelWish& wish) {
  const TomlTable root = document.root();
  const bool learns_priors = root.integer("version") >= 2;
  if (!root.has("model") && (wish.select || wish.may_lack))
    return undeclared_model(schema, wish, learns_priors);
  if (!root.has("model")) {
    root.refuse(ErrorCode::missing_key, "",
                {"there is no [model]; write one, or have a network of all columns chosen with --select "
                 "tree or --select adaptive"});
  }
  const TomlTable table = root.table("model");
  Model model = document.located(
      [&] {
        TomlNode node(table, learns_priors);
        return read_model(node, schema);
      },
      root, "model");
  return wish.select ? selecting(model, schema, *wish.select) : model;
}

bool states_prior(const TomlTable& root) { return root.has("model") && root.table("model").has("prior"); }

/// All of a file but its [foreign] section.
Study read_study(const TomlDocument& document, const ModelWish& wish = {}) {
  const TomlTable root = document.root();
  if (root.integer("version") < 1 || root.integer("version") > kNewestVersion) {
    root.refuse(ErrorCode::bad_value, "version", {"this program reads studies of version 1 and 2"});
  }
  Study study;
  study.name = root.text("name");
  study.dataset = root.text("dataset");
  study.privacy = read_policy(root.table("privacy"));
  const TomlTable declared = root.table("columns");
  std::vector<Column> columns;
  const bool may_drop = study.privacy.adjacency == Adjacency::add_remove;
  for (const std::string& name : declared.keys()) {
    columns.push_back(
        document.located([&] { return read_column(name, declared.table(name), may_drop); }, declared, name));
  }
  study.schema = Schema(std::move(columns));
  study.model = read_model_of(document, study.schema, wish);
  study.old_default_prior = root.integer("version") == 1 && !states_prior(root) &&
                            study.model.kind().takes_learned_prior(study.model);
  document.located(
      [&] {
        check_study(study);
        return 0;
      },
      root, "");
  return study;
}

}  // namespace

Study parse_study(std::string_view text, std::string_view file_name, const ModelWish& wish) {
  refuse_records(file_name);
  const TomlDocument document(text, file_name);
  document.root().allow({"version", "name", "dataset", "privacy", "columns", "model"});
  return read_study(document, wish);
}

ForeignRelease parse_foreign(std::string_view text, std::string_view file_name) {
  refuse_records(file_name);
  const TomlDocument document(text, file_name);
  const TomlTable root = document.root();
  root.allow({"version", "name", "dataset", "privacy", "columns", "model", "foreign"});
  ForeignRelease out{read_study(document), {}};
  out.foreign =
      document.located([&] { return read_foreign(root.table("foreign"), out.study); }, root, "foreign");
  return out;
}

Study load_study(const std::string& path, const ModelWish& wish) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) {
    throw Error(ErrorCode::input_missing, {"there is no study at '", from_option(path),
                                           "'; `postern init DATA.csv -o study.toml` drafts one"});
  }
  return parse_study(read_text_file(path), path, wish);
}

}  // namespace postern::model
