#include "release_json.hpp"

#include "postern/release/rounds.hpp"

#include "json_reader.hpp"
#include "measurement_json.hpp"
#include "study_json.hpp"

namespace postern::release {
namespace {

JsonValue software_json(const std::string& software) {
  const std::size_t space = software.find(' ');
  const std::string version = space == std::string::npos ? "" : software.substr(space + 1);
  return json_object({{"name", json_text(software.substr(0, space))}, {"version", json_text(version)}});
}

JsonValue privacy_json(const Release& release) {
  const model::PrivacyPolicy& privacy = release.study.privacy;
  JsonObject out{{"adjacency", json_text(to_text(privacy.adjacency))},
                 {"cost", cost_json(release.cost)},
                 {"guarantee", json_text(guarantee_text(release.cost.currency()))},
                 {"not_private", {false}},
                 {"side_channels", json_text(kSideChannels)},
                 {"unit", unit_json(privacy.unit)}};
  if (release.rounds) out.push_back({"rounds", rounds_json(release.rounds->plan)});
  return json_object(std::move(out));
}

JsonValue count_json(const PublicCount& n) {
  return json_object({{"kind", json_text("public")}, {"value", json_integer(n.value)}});
}
JsonValue count_json(const PrivateCount& n) {
  return json_object({{"at_most", json_integer(n.at_most)}, {"kind", json_text("private")}});
}

JsonValue values_json(const std::vector<Int128>& values) {
  JsonArray out;
  out.reserve(values.size());
  for (const Int128 value : values) out.push_back(json_integer(value));
  return json_array(std::move(out));
}

JsonObject measurement_json(const Release& release, std::span<const MeasuredBlock> measured,
                            const Spend& cost, const std::optional<Rational>& claimed) {
  JsonArray blocks;
  model::Measurement measurement;
  for (const MeasuredBlock& one : measured) {
    JsonObject block = block_json(one.block, release.study.schema);
    block.push_back({"values", values_json(one.values)});
    blocks.push_back(json_object(std::move(block)));
    measurement.blocks.push_back(one.block);
  }
  const Rational sensitivity = claimed ? *claimed : sensitivity_of(measurement, release.study);
  const std::string method =
      claimed && !release.rounds ? release.sensitivity_method : method_of(measurement, release.study);
  JsonObject out{{"blocks", json_array(std::move(blocks))},
                 {"cost", cost_json(cost)},
                 {"mechanism", json_text(to_text(release.request.mechanism))},
                 {"sensitivity", sensitivity_json(release.cost.currency(), sensitivity, method)}};
  merge_members(out, request_json(release.request));
  return out;
}

/// One measurement, or one a round.
JsonValue measurements_json(const Release& release) {
  if (!release.rounds)
    return json_array(
        {json_object(measurement_json(release, release.blocks, release.cost, release.sensitivity))});
  const std::vector<model::PublishedRound> published = published_rounds(release);
  JsonArray out;
  for (std::size_t r = 0; r < published.size(); ++r) {
    const Round& round = release.rounds->made[r];
    JsonObject one = measurement_json(release, published[r].blocks, round.cost, round.sensitivity);
    if (!round.table.empty()) one.push_back({"table", values_json(round.table)});
    out.push_back(json_object(std::move(one)));
  }
  return json_array(std::move(out));
}

JsonValue ledger_json(const Release& release) {
  return json_object({{"dataset", json_text(release.study.dataset)},
                      {"head", json_text(release.ledger.head)},
                      {"record_set", json_text(release.ledger.record_set)},
                      {"seq", json_integer(static_cast<Int128>(release.ledger.seq))}});
}

JsonValue signature_json(const Signature& signature) {
  return json_object({{"algorithm", json_text("ed25519")},
                      {"key_id", json_text(signature.key_id)},
                      {"public_key", json_text(signature.public_key)},
                      {"value", json_text(signature.value)}});
}

}  // namespace

const std::vector<std::string>& critical_members() {
  static const std::vector<std::string> members{"measurements", "n", "privacy", "study"};
  return members;
}

std::string_view guarantee_text(Currency currency) { return currency == Currency::pure ? "pure-dp" : "zcdp"; }

JsonValue release_json(const Release& release, WithSignature with) {
  JsonArray critical;
  for (const std::string& member : critical_members()) critical.push_back(json_text(member));
  JsonObject out{{"counted_by", json_text(release.counted_by_caller ? "caller" : "postern")},
                 {"created", json_text(release.created)},
                 {"critical", json_array(std::move(critical))},
                 {"format", json_text(kFormat)},
                 {"ledger", ledger_json(release)},
                 {"measurements", measurements_json(release)},
                 {"n", std::visit([](const auto& n) { return count_json(n); }, release.n)},
                 {"privacy", privacy_json(release)},
                 {"release_id", json_text(release.release_id)},
                 {"software", software_json(release.software)},
                 {"study", study_json(release.study)},
                 {"version", json_integer(kVersion)}};
  if (with == WithSignature::yes && release.signature) {
    out.push_back({"signature", signature_json(*release.signature)});
  }
  if (!release.extensions.empty()) {
    const JsonValue extra = parse_json(release.extensions);
    if (const auto* members = std::get_if<JsonObject>(&extra.data)) merge_members(out, *members);
  }
  return json_object(std::move(out));
}

}  // namespace postern::release
