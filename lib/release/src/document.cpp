#include "postern/release/document.hpp"

#include <filesystem>
#include <fstream>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"
#include "postern/model/plan.hpp"

#include "foreign_json.hpp"
#include "json_reader.hpp"
#include "limits.hpp"
#include "measurement_json.hpp"
#include "release_json.hpp"
#include "study_json.hpp"

namespace postern::release {
namespace {

[[noreturn]] void refuse_form() {
  throw Error(ErrorCode::release_not_canonical, {"the document is not in canonical form (sorted keys, no "
                                                 "spaces, one newline at the end): it was edited or "
                                                 "reformatted; get it again from its owner"});
}

}  // namespace

std::string to_document(const Release& release) {
  if (release.foreign) return to_canonical(foreign_json(release)) + "\n";
  return to_canonical(release_json(release, WithSignature::yes)) + "\n";
}

namespace {

JsonValue parse_canonical(std::string_view bytes) {
  if (bytes.size() > kMaxBytes) {
    throw Error(ErrorCode::release_limit, {"the document is larger than 64 MiB; release fewer cells"});
  }
  if (bytes.empty()) {
    throw Error(ErrorCode::release_malformed, {"the document is empty; get it again from its owner"});
  }
  JsonValue tree = parse_json(bytes);
  if (to_canonical(tree) + "\n" != bytes) refuse_form();
  return tree;
}

/// One release has one document: a meaning that could be written shorter is refused too.
Release checked(Release release, std::string_view bytes) {
  if (to_document(release) != bytes) refuse_form();
  return release;
}

}  // namespace

Release parse_document(std::string_view bytes) {
  const JsonValue tree = parse_canonical(bytes);
  if (is_foreign_document(tree)) {
    throw Error(ErrorCode::release_malformed,
                {"the document declares a release made elsewhere, of which nothing can be verified; only "
                 "`postern infer --foreign` reads it"});
  }
  return checked(read_release(tree), bytes);
}

Release parse_any_document(std::string_view bytes) {
  const JsonValue tree = parse_canonical(bytes);
  return checked(is_foreign_document(tree) ? read_foreign_document(tree) : read_release(tree), bytes);
}

Release load_release(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) {
    throw Error(ErrorCode::input_missing,
                {"there is no file '", from_option(path), "'; give the path of a release document"});
  }
  std::ifstream file(path, std::ios::binary);
  if (std::filesystem::is_directory(status) || !file) {
    throw Error(ErrorCode::input_unreadable,
                {"'", from_option(path), "' cannot be read; give the path of a release document"});
  }
  std::string bytes;
  std::string part(std::size_t{1} << 16, '\0');
  do {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    bytes.append(part, 0, static_cast<std::size_t>(file.gcount()));
  } while (file && bytes.size() <= kMaxBytes);
  return parse_document(bytes);
}

std::string study_document(const model::Study& study) { return to_canonical(study_json(study)); }

std::string plan_document(const model::Study& study, const model::NoisePlan& plan) {
  JsonArray blocks;
  for (const model::Block& block : plan.measurement.blocks)
    blocks.push_back(json_object(block_json(block, study.schema)));
  JsonObject out{{"blocks", json_array(std::move(blocks))},
                 {"cost", cost_json(plan.cost)},
                 {"mechanism", json_text(to_text(plan.request.mechanism))},
                 {"study_sha256", json_text(to_hex(sha256(study_document(study))))}};
  merge_members(out, request_json(plan.request));
  if (plan.rounds) out.push_back({"rounds", rounds_json(*plan.rounds)});
  return to_canonical(json_object(std::move(out)));
}

}  // namespace postern::release
