#include "read_facts.hpp"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "folder_files.hpp"

namespace postern::infer {
namespace {

using nlohmann::json;

constexpr int kDeepest = 8;  ///< of what the writer writes, and more

/// What is thrown where a fact is not what the writer writes; read_facts says so in its own words.
struct Mistaken {};

/// JSON that is not too deep.
json parse(const std::string& text) {
  bool deep = false;
  json out = json::parse(
      text,
      [&](int depth, json::parse_event_t /*event*/, json& /*parsed*/) {
        deep = deep || depth > kDeepest;
        return !deep;
      },
      false);
  if (deep || out.is_discarded()) throw Mistaken();
  return out;
}

/// A file's object that says what it is.
json document(const std::filesystem::path& folder, const std::string& name, const char* format) {
  const std::string text = read_regular(folder / name, kMostFolderBytes);
  json out;
  try {
    out = parse(text);
  } catch (const Mistaken&) {
    throw no_posterior(folder, quote(name + " is not JSON that `postern infer` writes", 100));
  }
  if (!out.is_object() || !out.contains("format") || out["format"] != format)
    throw no_posterior(folder, quote(name + " does not say what it should be", 100));
  if (!out.contains("version") || !out["version"].is_number_integer() || out["version"] != 1)
    throw no_posterior(folder, "it is of another version, and this one reads version 1");
  return out;
}

const json& at(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) throw Mistaken();
  return object.at(key);
}

std::string text(const json& value) {
  if (!value.is_string()) throw Mistaken();
  return value.get<std::string>();
}

std::int64_t whole(const json& value, std::int64_t least = 0) {
  if (!value.is_number_integer()) throw Mistaken();
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw Mistaken();
  const auto out = value.get<std::int64_t>();
  if (out < least) throw Mistaken();
  return out;
}

double real(const json& value) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) throw Mistaken();
  return value.get<double>();
}

const json& array(const json& value) {
  if (!value.is_array()) throw Mistaken();
  return value;
}

std::vector<std::string> texts(const json& value) {
  std::vector<std::string> out;
  for (const json& one : array(value)) out.push_back(text(one));
  return out;
}

double share(const json& value) {
  const double out = real(value);
  if (out < 0 || out > 1) throw Mistaken();
  return out;
}

ImpliedNoise implied_noise_of(const json& fact) {
  ImpliedNoise out;
  out.chance = share(at(fact, "chance"));
  out.tests = static_cast<std::size_t>(whole(at(fact, "tests")));
  for (const json& one : array(at(fact, "blocks"))) {
    ImpliedNoise::Block& block = out.blocks.emplace_back();
    block.what = text(at(one, "block"));
    block.values = static_cast<std::size_t>(whole(at(one, "values")));
    block.size = share(at(one, "size"));
    block.sum = share(at(one, "sum"));
    block.deviations = real(at(one, "deviations"));
    block.worst = text(at(one, "worst"));
    block.worst_deviations = real(at(one, "worst_deviations"));
    if (!at(one, "by_sum").is_boolean()) throw Mistaken();
    block.by_sum = one["by_sum"].get<bool>();
    block.chance = share(at(one, "chance"));
  }
  return out;
}

Posterior posterior_of(const json& facts) {
  Posterior out;
  out.engine = text(at(facts, "engine"));
  out.reason = text(at(facts, "reason"));
  out.chains = static_cast<std::size_t>(whole(at(facts, "chains"), 1));
  out.iterations = static_cast<std::size_t>(whole(at(facts, "draws"), 1));
  out.seed = static_cast<std::uint64_t>(whole(at(facts, "seed")));
  out.releases = texts(at(facts, "releases"));
  out.names = texts(at(facts, "names"));
  out.labels = texts(at(facts, "labels"));
  out.notes = texts(at(facts, "notes"));
  if (out.names.empty() || out.labels.size() != out.names.size()) throw Mistaken();
  if (facts.contains("prior")) out.prior = text(facts["prior"]);
  if (facts.contains("cut")) out.cut = texts(facts["cut"]);
  if (facts.contains("public_rows")) out.public_rows = whole(facts["public_rows"]);
  if (facts.contains("log_evidence")) out.log_evidence = real(facts["log_evidence"]);
  if (facts.contains("implied_noise")) out.implied_noise = implied_noise_of(facts["implied_noise"]);
  for (const json& column : facts.contains("table") ? array(facts["table"]) : json::array())
    out.table.push_back({text(at(column, "column")), texts(at(column, "levels"))});
  for (const json& warning : facts.contains("warnings") ? array(facts["warnings"]) : json::array())
    out.warnings.push_back({text(at(warning, "name")), text(at(warning, "text"))});
  return out;
}

PublicRows public_rows_of(const json& document) {
  if (document.contains("sums")) {
    const json& sums = array(document["sums"]);
    if (sums.size() != 3) throw Mistaken();
    return PublicSums{{real(sums[0]), real(sums[1]), real(sums[2])}, whole(at(document, "left_out"))};
  }
  PublicCounts out;
  for (const json& count : array(at(document, "counts"))) out.counts.push_back(whole(count));
  out.rows = whole(at(document, "rows"));
  return out;
}

}  // namespace

Posterior read_facts(const std::filesystem::path& folder) {
  const json facts = document(folder, "posterior.json", "postern-posterior");
  try {
    Posterior out = posterior_of(facts);
    std::error_code failure;
    if (std::filesystem::exists(std::filesystem::symlink_status(folder / "public_rows.json", failure)))
      out.public_data = public_rows_of(document(folder, "public_rows.json", "postern-public-rows"));
    return out;
  } catch (const Mistaken&) {
    throw not_together(folder);
  }
}

}  // namespace postern::infer
