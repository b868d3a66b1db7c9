#pragma once

#include <string>
#include <string_view>

#include "postern/model/foreign.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// Reads study.toml. Every refusal names the file, line and column, and what to write instead.
[[nodiscard]] Study parse_study(std::string_view text, std::string_view file_name);
[[nodiscard]] Study load_study(const std::string& path);

/// A release made elsewhere, declared in a file: the keys of a study, and a [foreign] section
/// (docs/foreign.md). Refusals are as those of a study.
struct ForeignRelease {
  Study study;
  Foreign foreign;
};
[[nodiscard]] ForeignRelease parse_foreign(std::string_view text, std::string_view file_name);

}  // namespace postern::model
