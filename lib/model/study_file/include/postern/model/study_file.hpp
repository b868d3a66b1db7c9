#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "postern/model/foreign.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// What is made of a study's [model].
struct ModelWish {
  /// A Markov network of the model's columns, of all where there is no [model], that the release chooses.
  std::optional<Selection> select = {};
  /// There may be no [model]: whoever asks wants the columns and what privacy means, and takes any model.
  bool may_lack = false;
};

/// Reads study.toml. Every refusal names the file, line and column, and what to write instead.
[[nodiscard]] Study parse_study(std::string_view text, std::string_view file_name,
                                const ModelWish& wish = {});
[[nodiscard]] Study load_study(const std::string& path, const ModelWish& wish = {});

/// A release made elsewhere, declared in a file: the keys of a study, and a [foreign] section
/// (docs/foreign.md). Refusals are as those of a study.
struct ForeignRelease {
  Study study;
  Foreign foreign;
};
[[nodiscard]] ForeignRelease parse_foreign(std::string_view text, std::string_view file_name);

}  // namespace postern::model
