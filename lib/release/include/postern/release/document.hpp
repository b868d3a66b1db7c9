#pragma once

#include <string>
#include <string_view>

#include "postern/model/plan.hpp"
#include "postern/release/release.hpp"

namespace postern::release {

/// Canonical JSON: UTF-8, keys sorted by code point, no insignificant space, no floats; integers past 2^53
/// and all rationals as text; levels as their index. One line, ended by exactly one newline.
[[nodiscard]] std::string to_document(const Release& release);
/// Strict reader of a hostile document, cheapest checks first: size, tokens and UTF-8, canonical
/// form, schema, semantics, numeric limits. Throws release_* codes; messages may quote the document (escaped,
/// cut to 80 bytes). Members it does not know are refused in the critical parts and kept in `extensions`
/// elsewhere, so that to_document(parse_document(bytes)) == bytes for everything it accepts.
[[nodiscard]] Release parse_document(std::string_view bytes);
/// As parse_document, and also the document of a release made elsewhere, which claims nothing that could be
/// verified: for the analyst alone.
[[nodiscard]] Release parse_any_document(std::string_view bytes);
/// Throws input_missing, input_unreadable, and as parse_document.
[[nodiscard]] Release load_release(const std::string& path);
/// The canonical JSON of the study alone (no newline), as embedded in every release; its SHA-256 names the
/// study.
[[nodiscard]] std::string study_document(const model::Study& study);
/// Canonical text of a noise plan (no newline), hashed into the ledger row that pays for it.
[[nodiscard]] std::string plan_document(const model::Study& study, const model::NoisePlan& plan);

}  // namespace postern::release
