#pragma once

#include <string>
#include <string_view>

namespace postern::model {

/// What a node of a study on disk is beside a Node: it reads the files that the study names. Nodes of
/// documents are not, as a document names no files.
class StudyFiles {
 public:
  struct File {
    std::string path;
    std::string text;
  };
  StudyFiles() = default;
  StudyFiles(const StudyFiles&) = delete;
  StudyFiles& operator=(const StudyFiles&) = delete;
  virtual ~StudyFiles() = default;
  /// The file that the study names at `key`, by its path from the study's own. Throws input_missing,
  /// input_unreadable.
  [[nodiscard]] virtual File file(std::string_view key) = 0;
};

}  // namespace postern::model
