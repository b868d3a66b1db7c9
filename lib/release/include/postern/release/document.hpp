#pragma once

#include <string>
#include <string_view>

#include "postern/release/release.hpp"

namespace postern::release {

/// Canonical JSON: UTF-8, keys sorted, no insignificant space, no floats; integers past 2^53 and rationals as text.
[[nodiscard]] std::string to_document(const Release& release);
/// Strict reader of a hostile document, in the order of privacy-core 6: size, UTF-8, tokens, canonical form, schema,
/// semantics, numeric limits. Throws release_* codes; messages may quote the document (escaped, cut to 80 bytes).
[[nodiscard]] Release parse_document(std::string_view bytes);
[[nodiscard]] Release load_release(const std::string& path);
/// The canonical JSON of the study alone, as embedded in every release; its SHA-256 names the study.
[[nodiscard]] std::string study_document(const model::Study& study);
/// Canonical text of a noise plan, hashed into the ledger row that pays for it.
[[nodiscard]] std::string plan_document(const model::Study& study, const model::NoisePlan& plan);

}  // namespace postern::release
