#pragma once

#include <optional>
#include <string>

#include "postern/infer/infer.hpp"
#include "postern/model/study.hpp"
#include "postern/release/rounds.hpp"

namespace postern::app {

/// The public records of a file, as the study's model takes them. They are no one's secret: what is wrong
/// with one is told. Throws input_unreadable, no_header, column_absent, bad_option, unsupported.
/// `delimiter` is that of parse_delimiter.
[[nodiscard]] infer::PublicRows read_public_rows(const std::string& path,
                                                 const std::optional<std::string>& delimiter,
                                                 const model::Study& study, int threads);

/// The study of a release, with the model that its rounds chose.
[[nodiscard]] inline model::Study settled_study(const release::Release& release) {
  return release::settled(release).study;
}

}  // namespace postern::app
