#include "postern/owner/found_ledger.hpp"

#include <algorithm>
#include <filesystem>

#include <sys/stat.h>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"

#include "ledger/database.hpp"
#include "ledger/durable_file.hpp"
#include "ledger/files.hpp"
#include "ledger/schema.hpp"
#include "user_list.hpp"

namespace postern::owner {
namespace {

namespace fs = std::filesystem;

bool is_plain_file(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// Whose budget a file holds, without its key; nothing if it is not a ledger that can be read. Through SQLite
/// alone: another descriptor of a ledger that this process has open would drop its locks.
std::optional<std::string> dataset_in(const std::string& path) {
  constexpr std::chrono::milliseconds kMoment{200};
  if (!is_plain_file(path)) return std::nullopt;
  try {
    const Database database = Database::open(path, kMoment);
    if (database.integer("PRAGMA application_id") != kApplicationId) return std::nullopt;
    return database.text("SELECT name FROM dataset");
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Files in the folder of a new ledger that may be ledgers: they have a key, or are named like one.
std::vector<std::string> candidates_beside(const std::string& path) {
  std::vector<std::string> out;
  std::error_code failure;
  const std::string folder = directory_of(path);
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().string();
    if (entry->path().extension() == ".ledger" || is_plain_file(key_path(name))) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Another ledger of the dataset, beside the new one or in the list; what the list says of a file that cannot
/// be read is believed.
std::optional<std::string> other_ledger(const std::string& dataset, const std::string& path,
                                        const std::vector<ListedLedger>& listed) {
  for (const std::string& candidate : candidates_beside(path)) {
    if (candidate != path && dataset_in(candidate) == dataset) return candidate;
  }
  for (const ListedLedger& one : listed) {
    if (one.dataset != dataset || one.path == path || !is_plain_file(one.path)) continue;
    if (dataset_in(one.path).value_or(dataset) == dataset) return one.path;
  }
  return std::nullopt;
}

std::string unwritable(const std::optional<std::string>& list) {
  const std::string where = list ? "the list of your ledgers, '" + printable(*list) + "', cannot be written"
                                 : "there is no home folder to keep a list of your ledgers in";
  return where + "; the ledger is made and works, but a second one for its dataset would go unnoticed";
}

}  // namespace

FoundLedger found_ledger(const std::string& given, const DatasetTerms& terms, bool another) {
  const std::string resolved = with_resolved_directory(given);
  const std::string path = resolved.empty() ? given : resolved;
  const std::optional<std::string> place = UserList::usual_path();
  const UserList list(place.value_or(""));
  if (!another && !is_plain_file(path)) {  // a name that is taken is refused by create, in its own words
    if (const auto other = other_ledger(terms.dataset, path, list.read())) {
      throw Error(ErrorCode::ledger_exists,
                  {"dataset '", from_study(terms.dataset), "' has a ledger already: '", from_option(*other),
                   "'. Pay from that one, because two ledgers would each spend a whole budget on the same "
                   "records. If these are other people's records, give the study another `dataset` name; to "
                   "make a second ledger all the same, use --another-ledger"});
    }
  }
  FoundLedger out{Ledger::create(given, terms), std::nullopt};
  if (!place || !list.add({terms.dataset, path})) out.note = unwritable(place);
  return out;
}

}  // namespace postern::owner
