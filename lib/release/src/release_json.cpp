#include "release_json.hpp"

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
  return json_object({{"adjacency", json_text(to_text(privacy.adjacency))},
                      {"cost", cost_json(release.cost)},
                      {"guarantee", json_text(guarantee_text(release.cost.currency()))},
                      {"not_private", {false}},
                      {"side_channels", json_text(kSideChannels)},
                      {"unit", unit_json(privacy.unit)}});
}

JsonValue count_json(const PublicCount& n) {
  return json_object({{"kind", json_text("public")}, {"value", json_integer(n.value)}});
}
JsonValue count_json(const PrivateCount& n) {
  return json_object({{"at_most", json_integer(n.at_most)}, {"kind", json_text("private")}});
}

JsonValue measurement_json(const Release& release) {
  JsonArray blocks;
  for (const MeasuredBlock& measured : release.blocks) {
    JsonObject block = block_json(measured.block, release.study.schema);
    JsonArray values;
    values.reserve(measured.values.size());
    for (const Int128 value : measured.values) values.push_back(json_integer(value));
    block.push_back({"values", json_array(std::move(values))});
    blocks.push_back(json_object(std::move(block)));
  }
  const Rational sensitivity =
      release.sensitivity ? *release.sensitivity : sensitivity_of(release.measurement(), release.study);
  const std::string method =
      release.sensitivity ? release.sensitivity_method : method_of(release.measurement(), release.study);
  JsonObject out{{"blocks", json_array(std::move(blocks))},
                 {"cost", cost_json(release.cost)},
                 {"mechanism", json_text(to_text(release.request.mechanism))},
                 {"sensitivity", sensitivity_json(release.cost.currency(), sensitivity, method)}};
  merge_members(out, request_json(release.request));
  return json_object(std::move(out));
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
                 {"measurements", json_array({measurement_json(release)})},
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
