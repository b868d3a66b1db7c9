#include "files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include "postern/core/error.hpp"
#include "postern/model/study_file.hpp"
#include "postern/owner/publish.hpp"
#include "postern/release/document.hpp"
#include "postern/release/foreign.hpp"

#include "process.hpp"

namespace postern::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReleaseLimit = std::size_t{64} << 20;  // as parse_document's
constexpr std::string_view kMark = "\"postern-release\"";     // a release says what it is

std::string read_all(std::istream& in, const std::string& path, std::size_t limit) {
  std::string bytes;
  std::vector<char> chunk(1 << 16);
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), in.gcount() > 0) {
    bytes.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > limit) {
      throw Error(ErrorCode::input_unreadable, {"'", from_option(path), "' is larger than ",
                                                public_number(static_cast<long long>(limit >> 20)), " MiB"});
    }
  }
  if (in.bad()) throw Error(ErrorCode::input_unreadable, {"'", from_option(path), "' cannot be read"});
  return bytes;
}

std::vector<std::string> json_files_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (entry.is_regular_file(failure) && entry.path().extension() == ".json") found.push_back(entry.path());
  }
  if (found.empty()) {
    throw Error(ErrorCode::input_missing, {"the folder '", from_option(folder), "' holds no .json file"});
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct NamedFile {
  std::string path;
  bool in_folder = false;  ///< the folder was named, not the file
};

/// Files as named, and the *.json files of folders.
std::vector<NamedFile> named_files(const std::vector<std::string>& paths) {
  std::vector<NamedFile> files;
  std::error_code failure;
  for (const std::string& path : paths) {
    if (fs::is_directory(path, failure)) {
      for (std::string& inside : json_files_in(path)) files.push_back({std::move(inside), true});
    } else {
      files.push_back({path});
    }
  }
  return files;
}

/// Throws release_malformed for a folder that `postern infer` wrote, or its posterior.json.
void refuse_posterior(const std::string& path) {
  std::error_code failure;
  const fs::path named(path);
  const fs::path folder = named.filename() == "posterior.json" ? named.parent_path() : named;
  if (!fs::exists(folder / "posterior.json", failure) || !fs::exists(folder / "summary.csv", failure)) return;
  throw Error(ErrorCode::release_malformed,
              {"'", from_option(path),
               "' is a posterior already, as `postern infer -o` writes one; its answers are in summary.csv. "
               "For another, give the release that it was made of"});
}

/// What a file that is no release is, by its name.
std::optional<Quotation> other_kind(const std::string& path) {
  const std::string suffix = fs::path(path).extension();
  if (suffix == ".toml") return quote("a study", 40);
  if (suffix == ".ledger") return quote("a ledger, which goes after --ledger", 40);
  for (const char* table :
       {".csv", ".gz", ".zst", ".parquet", ".pq", ".arrow", ".arrows", ".feather", ".ipc"}) {
    if (suffix == table) return quote("a table of records", 40);
  }
  return std::nullopt;
}

}  // namespace

std::string read_file(const std::string& path, std::size_t limit) {
  if (path == "-") return read_all(std::cin, "standard input", limit);
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status))
    throw Error(ErrorCode::input_missing, {"there is no file '", from_option(path), "'"});
  if (fs::is_directory(status)) {
    throw Error(ErrorCode::input_unreadable, {"'", from_option(path), "' is a folder, not a file"});
  }
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Error(ErrorCode::input_unreadable, {"'", from_option(path), "' cannot be opened for reading"});
  return read_all(in, path, limit);
}

ReleaseFile read_release(const std::string& path) {
  if (const std::optional<Quotation> other = other_kind(path)) {
    throw Error(ErrorCode::release_malformed,
                {"'", from_option(path), "' is ", *other,
                 " by its name, and is not read as a release: that is "
                 "the .json document that `postern release` wrote of a study and its records"});
  }
  ReleaseFile file{path, read_file(path, kReleaseLimit), {}};
  if (file.bytes.starts_with("SQLite format 3")) {
    throw Error(ErrorCode::release_malformed,
                {"'", from_option(path),
                 "' is a database, perhaps a ledger (see --ledger); a release is a .json "
                 "document that `postern release` wrote"});
  }
  try {
    file.release = release::parse_document(file.bytes);
    file.release.source = path;
  } catch (const Error& error) {
    throw Error(error.code(), {"'", from_option(path), "': ", quote(error.what(), 400)});
  }
  return file;
}

std::vector<ReleaseFile> read_releases(const std::vector<std::string>& paths) {
  std::vector<ReleaseFile> files;
  for (const std::string& path : paths) refuse_posterior(path);
  for (const NamedFile& file : named_files(paths)) files.push_back(read_release(file.path));
  return files;
}

ReleaseFile read_foreign(const std::string& path) {
  constexpr std::size_t kForeignLimit = std::size_t{16} << 20;  // as a study's
  ReleaseFile file{path, read_file(path, kForeignLimit), {}};
  if (file.bytes.starts_with('{')) {
    try {
      file.release = release::parse_any_document(file.bytes);
    } catch (const Error& error) {
      throw Error(error.code(), {"'", from_option(path), "': ", quote(error.what(), 400)});
    }
    if (!file.release.foreign) {
      throw Error(ErrorCode::bad_option,
                  {"'", from_option(path),
                   "' is a release of ours; give it without --foreign, so that its claims are verified"});
    }
  } else {
    model::ForeignRelease declared = model::parse_foreign(file.bytes, path);
    file.release = release::foreign_release(std::move(declared.study), std::move(declared.foreign));
  }
  file.release.source = path;
  return file;
}

FoundReleases find_releases(const std::vector<std::string>& paths, const std::string& dataset) {
  FoundReleases found;
  for (const NamedFile& named : named_files(paths)) {
    if (other_kind(named.path).has_value() ||
        read_file(named.path, kReleaseLimit).find(kMark) == std::string::npos) {
      found.skipped.push_back(named.path);
      continue;
    }
    ReleaseFile file = read_release(named.path);
    const bool other = named.in_folder && file.release.study.dataset != dataset;
    (other ? found.of_others : found.files).push_back(std::move(file));
  }
  if (found.files.empty() && found.of_others.empty() && !found.skipped.empty()) {
    throw Error(
        ErrorCode::release_malformed,
        {"'", from_option(found.skipped.front()),
         "' is not a release, and neither is any other file given; a release is a .json document that "
         "`postern release` wrote"});
  }
  return found;
}

void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs) {
  if (output == "-") {
    throw Error(ErrorCode::bad_option,
                {"the output is written whole or not at all, so it cannot be standard output; name a file"});
  }
  for (const std::string& input : inputs) {
    std::error_code failure;
    if (fs::equivalent(output, input, failure)) {
      throw Error(ErrorCode::bad_option,
                  {"the output '", from_option(output), "' is one of the inputs; name another file"});
    }
  }
}

void write_file(const std::string& path, std::string_view text, bool force) {
  owner::check_publishable(path, force, text.size());
  owner::publish_document(path, text, force, public_file_mode());
}

}  // namespace postern::app
