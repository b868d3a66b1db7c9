#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "postern/release/release.hpp"

namespace postern::app {

/// The bytes of a file, or of standard input for "-". Throws input_missing, input_unreadable.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t limit);

/// A release and the bytes it was read from.
struct ReleaseFile {
  std::string path;
  std::string bytes;
  release::Release release;
};
[[nodiscard]] ReleaseFile read_release(const std::string& path);
/// Files as named; a folder stands for the *.json files in it, in order of their names.
[[nodiscard]] std::vector<ReleaseFile> read_releases(const std::vector<std::string>& paths);

/// A release made elsewhere: the file that declares it, or the document that `infer` made of that.
[[nodiscard]] ReleaseFile read_foreign(const std::string& path);

/// The releases among the files named, and the files that are none. A damaged release is not skipped but
/// refused, and so are files without any release among them. A folder may hold releases of several datasets:
/// those of another one than `dataset` are set aside; a release named by itself never is.
struct FoundReleases {
  std::vector<ReleaseFile> files;
  std::vector<ReleaseFile> of_others;
  std::vector<std::string> skipped;
};
[[nodiscard]] FoundReleases find_releases(const std::vector<std::string>& paths, const std::string& dataset);

/// Refuses (bad_option) an output that is one of the inputs, with or without --force.
void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs);

/// Writes a public text file whole or not at all, readable as the user's umask says. Throws output_exists
/// without `force`, output_unwritable, disk_full.
void write_file(const std::string& path, std::string_view text, bool force);

}  // namespace postern::app
