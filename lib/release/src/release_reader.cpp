#include <chrono>
#include <limits>
#include <string>

#include "inconsistency.hpp"
#include "limits.hpp"
#include "measurement_json.hpp"
#include "object_reader.hpp"
#include "release_json.hpp"
#include "study_json.hpp"

namespace postern::release {
namespace {

void add_extensions(JsonObject& extensions, const char* member, JsonObject rest) {
  if (!rest.empty()) extensions.push_back({member, json_object(std::move(rest))});
}

void check_kind(ObjectReader& top) {
  top.expect_text("format", kFormat);
  expect_version(top, kVersion);
  if (as_texts(top.at("critical"), "critical") != critical_members())
    malformed("critical", "does not name the members that this version holds to be critical");
}

void read_privacy(ObjectReader reader, Release& out) {
  const model::PrivacyPolicy& privacy = out.study.privacy;
  if (as_boolean(reader.at("not_private"), reader.path("not_private"))) {
    malformed(reader.path("not_private"), "is true: this is not a private release");
  }
  if (reader.text("guarantee") != guarantee_text(privacy.currency)) {
    inconsistent(reader.path("guarantee"), "is not what the study's currency gives");
  }
  if (reader.text("adjacency") != to_text(privacy.adjacency))
    inconsistent(reader.path("adjacency"), "is not the study's");
  const JsonValue unit = unit_json(read_unit(reader.at("unit"), reader.path("unit")));
  if (to_canonical(unit) != to_canonical(unit_json(privacy.unit)))
    inconsistent(reader.path("unit"), "is not the study's");
  reader.expect_text("side_channels", kSideChannels);
  out.cost = read_cost(reader.at("cost"), reader.path("cost"), privacy.currency);
  if (const JsonValue* rounds = reader.find("rounds"))
    out.rounds = Rounds{read_rounds(*rounds, reader.path("rounds")), {}};
  reader.refuse_rest();
}

CountStatement read_count(ObjectReader reader, const model::PrivacyPolicy& privacy) {
  const std::string& kind = reader.text("kind");
  CountStatement out;
  if (kind == "public") {
    out = PublicCount{reader.integer("value", 0, kMaxRecords)};
    if (privacy.n_at_most) inconsistent(reader.path("kind"), "is public, and under add-remove n is private");
  } else if (kind == "private") {
    out = PrivateCount{reader.integer("at_most", 1, kMaxRecords)};
    if (std::get<PrivateCount>(out).at_most != privacy.n_at_most.value_or(0)) {
      inconsistent(reader.path("at_most"), "is not the study's");
    }
  } else {
    malformed(reader.path("kind"), "must be \"public\" or \"private\"");
  }
  reader.refuse_rest();
  return out;
}

std::string read_software(ObjectReader reader, JsonObject& extensions) {
  const std::string& name = reader.text("name");
  const std::string& version = reader.text("version");
  if (name.empty() || name.find(' ') != std::string::npos) malformed(reader.path("name"), "must be one word");
  add_extensions(extensions, "software", reader.rest());
  return version.empty() ? name : name + " " + version;
}

LedgerStatement read_ledger(ObjectReader reader, const std::string& dataset, JsonObject& extensions) {
  LedgerStatement out;
  if (reader.text("dataset") != dataset) inconsistent(reader.path("dataset"), "is not the study's");
  out.head = as_hex(reader.at("head"), reader.path("head"), 64);
  out.record_set = as_hex(reader.at("record_set"), reader.path("record_set"), 32);
  out.seq = static_cast<std::uint64_t>(reader.integer("seq", 0, std::numeric_limits<std::int64_t>::max()));
  add_extensions(extensions, "ledger", reader.rest());
  return out;
}

Signature read_signature(ObjectReader reader) {
  Signature out;
  reader.expect_text("algorithm", "ed25519");
  out.key_id = as_hex(reader.at("key_id"), reader.path("key_id"), 16);
  out.public_key = as_hex(reader.at("public_key"), reader.path("public_key"), 64);
  out.value = as_hex(reader.at("value"), reader.path("value"), 128);
  reader.refuse_rest();  // what is signed leaves this member out, so nothing else may hide in it
  return out;
}

/// Is there such a day? @pre the text has the form YYYY-MM-DD.
bool is_day(const std::string& text) {
  const auto number = [&](std::size_t from, std::size_t size) { return std::stoi(text.substr(from, size)); };
  const int year = number(0, 4);  // 0 is none
  return year > 0 && std::chrono::year_month_day(std::chrono::year(year),
                                                 std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                                 std::chrono::day(static_cast<unsigned>(number(8, 2))))
                         .ok();
}

/// A day, YYYY-MM-DD.
const std::string& read_day(ObjectReader& top) {
  const std::string& day = top.text("created");
  bool fits = day.size() == 10;
  for (std::size_t i = 0; fits && i < day.size(); ++i) {
    fits = i == 4 || i == 7 ? day[i] == '-' : day[i] >= '0' && day[i] <= '9';
  }
  if (!fits || !is_day(day)) malformed("created", "must be a day of the calendar, YYYY-MM-DD");
  return day;
}

bool read_counted_by_caller(ObjectReader& top) {
  const std::string& who = top.text("counted_by");
  if (who != "caller" && who != "postern") malformed("counted_by", "must be \"caller\" or \"postern\"");
  return who == "caller";
}

}  // namespace

Release read_release(const JsonValue& tree) {
  ObjectReader top(tree, "");
  check_kind(top);
  Release out;
  JsonObject extensions;
  out.release_id = as_hex(top.at("release_id"), "release_id", 32);
  out.created = read_day(top);
  out.software = read_software(top.object("software"), extensions);
  out.counted_by_caller = read_counted_by_caller(top);
  as_inconsistency("the document's study cannot have been released: ", [&] {
    out.study = read_study(top.at("study"), "study");
    read_privacy(top.object("privacy"), out);
    out.n = read_count(top.object("n"), out.study.privacy);
    read_measurements(top.at("measurements"), "measurements", out);
  });
  out.ledger = read_ledger(top.object("ledger"), out.study.dataset, extensions);
  if (const JsonValue* signature = top.find("signature"))
    out.signature = read_signature({*signature, "signature"});
  for (JsonMember& member : top.rest()) extensions.push_back(std::move(member));
  if (!extensions.empty()) out.extensions = to_canonical(json_object(std::move(extensions)));
  return out;
}

}  // namespace postern::release
