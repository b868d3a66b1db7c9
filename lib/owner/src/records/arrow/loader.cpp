#include "loader.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <dlfcn.h>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "libpostern_arrow.so";

/// Where the plugin may be. Never the folder a person happens to be in.
std::vector<fs::path> likely_places() {
  std::vector<fs::path> places;
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (!failure) places.push_back(program.parent_path());
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&ArrowPlugin::load), &here) != 0 && here.dli_fname != nullptr &&
      fs::path(here.dli_fname).is_absolute())
    places.push_back(fs::path(here.dli_fname).parent_path());
  if (!failure) places.push_back(program.parent_path().parent_path() / "lib" / "postern");
  return places;
}

std::optional<fs::path> find_plugin() {
  if (const char* named = secure_getenv("POSTERN_ARROW_PLUGIN"); named != nullptr && *named != '\0') {
    const fs::path path(named);
    std::error_code failure;
    if (path.is_absolute() && fs::is_regular_file(path, failure)) return path;
    throw Error(ErrorCode::unsupported, {"POSTERN_ARROW_PLUGIN names '", from_option(named),
                                         "', which is not the absolute path of a file"});
  }
  for (const fs::path& place : likely_places()) {
    std::error_code failure;
    if (fs::is_regular_file(place / kName, failure)) return place / kName;
  }
  return std::nullopt;
}

PosternArrowOpen* load_plugin() {
  const auto path = find_plugin();
  if (!path) {
    throw Error(ErrorCode::unsupported,
                {"Parquet and Arrow files are read by the plugin libpostern_arrow.so, which was not found; "
                 "build it (tools/setup --python, then make), name it in POSTERN_ARROW_PLUGIN, or convert "
                 "the records to CSV"});
  }
  void* const library = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto find = [&](const char* name) { return library == nullptr ? nullptr : dlsym(library, name); };
  auto* const version = reinterpret_cast<PosternArrowVersion*>(find(POSTERN_ARROW_VERSION));
  auto* const open = reinterpret_cast<PosternArrowOpen*>(find(POSTERN_ARROW_OPEN));
  if (version == nullptr || open == nullptr || version() != kPosternArrowVersion) {
    throw Error(ErrorCode::unsupported,
                {"the plugin '", from_option(path->string()),
                 "' cannot be loaded: it was built for another version of Postern, or its Arrow libraries "
                 "have moved; build it again"});
  }
  return open;
}

}  // namespace

const ArrowPlugin& ArrowPlugin::load() {
  static const ArrowPlugin plugin(load_plugin());
  return plugin;
}

OpenedTable ArrowPlugin::open(const std::string& path, TableFormat format,
                              const std::vector<std::string>& columns, int threads) const {
  std::vector<const char*> names;
  names.reserve(columns.size());
  for (const std::string& column : columns) names.push_back(column.c_str());
  const PosternArrowRequest request{path.c_str(),
                                    format == TableFormat::parquet ? kPosternParquet : kPosternIpc, threads,
                                    names.data(), names.size()};
  PosternArrowTable table{};
  const std::int32_t result = open_(&request, &table);
  OpenedTable opened{ArrowHandle<ArrowSchema>(&table.schema), ArrowHandle<ArrowArrayStream>(&table.stream),
                     table.rows};
  switch (result) {
    case kPosternArrowGood:
      return opened;
    case kPosternArrowNoMemory:
      throw Error(ErrorCode::out_of_memory, {"there is not enough memory to open '", from_option(path), "'"});
    case kPosternArrowUnreadable:
      throw Error(ErrorCode::input_unreadable,
                  {"'", from_option(path), "' cannot be read; check its permissions, and that it is whole"});
    default:
      break;
  }
  if (format == TableFormat::parquet)
    throw Error(ErrorCode::input_unreadable, {"'", from_option(path), "' is not a whole Parquet file"});
  throw Error(ErrorCode::input_unreadable,
              {"'", from_option(path), "' is not a whole Arrow (IPC) file or stream"});
}

}  // namespace postern::owner
