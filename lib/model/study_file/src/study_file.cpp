#include "postern/model/study_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "postern/core/error.hpp"
#include "postern/model/number_family.hpp"

#include "column_reader.hpp"
#include "toml_reader.hpp"
#include "vector_reader.hpp"

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

Bernoulli read_bernoulli(const TomlTable& table, const Schema& schema) {
  table.allow({"kind", "family", "column", "success", "prior"});
  Bernoulli model;
  model.column = table.text("column");
  const Column& column =
      at_place({{"model", "column"}}, [&]() -> const Column& { return schema.at(model.column); });
  if (table.has("success")) model.success = read_level(table, "success", column, table.text("success")).level;
  if (table.has("prior")) {
    const TomlTable prior = table.table("prior");
    prior.allow({"beta"});
    const auto shape = prior.decimals("beta", 2);
    model.a = shape[0];
    model.b = shape[1];
  }
  return model;
}

Categorical read_categorical(const TomlTable& table, const Schema& schema) {
  table.allow({"kind", "family", "column", "columns", "prior"});
  const bool alone = table.has("column");
  if (alone == table.has("columns")) {
    table.refuse(ErrorCode::missing_key, "",
                 {"name the model's `column`, or up to three `columns`, not both"});
  }
  Categorical model;
  model.columns = alone ? std::vector<std::string>{table.text("column")} : table.texts("columns");
  for (std::size_t i = 0; i < model.columns.size(); ++i) {
    at_place(alone ? StudyPlace{{"model", "column"}} : StudyPlace{{"model", "columns"}, i},
             [&] { static_cast<void>(schema.at(model.columns[i])); });
  }
  const std::size_t cells = schema.domain(model.columns).cells();
  if (cells > kMaxLevels) {
    table.refuse(ErrorCode::bad_value, "columns",
                 {"the model's table has more than 1048576 cells; cut the columns coarser"});
  }
  model.alpha.assign(cells, Rational(1));
  if (table.has("prior")) {
    const TomlTable prior = table.table("prior");
    prior.allow({"dirichlet"});
    if (prior.is_array("dirichlet")) {
      model.alpha = prior.decimals("dirichlet");
    } else {
      model.alpha.assign(cells, prior.decimal("dirichlet"));
    }
  }
  return model;
}

/// Known parameters are keys of their own; the prior is named: prior = { gamma = [8, 2] }.
Number read_number(const TomlTable& table, const NumberFamily& family) {
  std::vector<std::string_view> keys{"kind", "family", "column", "prior", "count_inside"};
  for (const NamedNumber& number : family.known) keys.push_back(number.name);
  table.allow(keys);
  Number model;
  model.family = family.name;
  model.column = table.text("column");
  model.count_inside = table.has("count_inside") && table.truth("count_inside");
  for (const NamedNumber& number : family.known) model.known.push_back(table.decimal(number.name));
  if (table.has("prior")) {
    const TomlTable prior = table.table("prior");
    const std::string_view name[] = {family.prior};
    prior.allow(name);
    model.prior = prior.decimals(family.prior, family.prior_numbers.size());
  } else if (family.default_prior.empty()) {
    std::string numbers;
    for (const NamedNumber& number : family.prior_numbers)
      numbers += (numbers.empty() ? "" : ", ") + std::string(number.name);
    table.refuse(
        ErrorCode::missing_key, "",
        {"family \"", from_study(family.name), "\" has no prior that suits everyone; write prior = { ",
         from_study(family.prior), " = [", from_study(numbers), "] }"});
  } else {
    for (const long number : family.default_prior) model.prior.emplace_back(number);
  }
  return model;
}

Model read_model(const TomlTable& table, const Schema& schema) {
  const std::string kind = table.text("kind");
  if (kind == "quantiles") {
    table.allow({"kind", "column", "at"});
    return Quantiles{table.text("column"), table.decimals("at")};
  }
  if (kind != "family") {
    table.refuse(ErrorCode::unsupported, "kind",
                 {"model kind '", from_study(kind),
                  "' is not available in this version; it has kind = \"family\" and kind = \"quantiles\""});
  }
  const std::string family = table.text("family");
  if (family == "bernoulli") return read_bernoulli(table, schema);
  if (family == "categorical") return read_categorical(table, schema);
  if (family == "multivariate-normal") return read_vector(table);
  if (const NumberFamily* of_numbers = find_number_family(family)) return read_number(table, *of_numbers);
  table.refuse(ErrorCode::unsupported, "family",
               {"family '", from_study(family), "' is not available in this version; it has ",
                quote(all_families(), 400)});
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

}  // namespace

Study parse_study(std::string_view text, std::string_view file_name) {
  refuse_records(file_name);
  const TomlDocument document(text, file_name);
  const TomlTable root = document.root();
  root.allow({"version", "name", "dataset", "privacy", "columns", "model"});
  if (root.integer("version") != 1) {
    root.refuse(ErrorCode::bad_value, "version", {"this program reads studies of version 1"});
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
  const TomlTable model = root.table("model");
  study.model = document.located([&] { return read_model(model, study.schema); }, root, "model");
  document.located(
      [&] {
        check_study(study);
        return 0;
      },
      root, "");
  return study;
}

Study load_study(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) {
    throw Error(ErrorCode::input_missing, {"there is no study at '", from_option(path),
                                           "'; `postern init DATA.csv -o study.toml` drafts one"});
  }
  constexpr std::uintmax_t kMaxBytes = 16u << 20;
  if (!std::filesystem::is_regular_file(status) || std::filesystem::file_size(path, failure) > kMaxBytes) {
    throw Error(ErrorCode::input_unreadable,
                {"'", from_option(path), "' is not a study file (a regular file of at most 16 MiB)"});
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in)
    throw Error(ErrorCode::input_unreadable,
                {"the study '", from_option(path), "' cannot be read; check its permissions"});
  return parse_study(bytes.str(), path);
}

}  // namespace postern::model
