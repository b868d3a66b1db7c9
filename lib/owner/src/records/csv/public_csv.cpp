#include "postern/owner/public_csv.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

#include "header.hpp"
#include "input.hpp"
#include "lines.hpp"

namespace postern::owner {

PublicCsv read_public_csv(const std::string& path, const model::Schema& schema, char delimiter,
                          std::size_t limit, PublicColumns columns) {
  const CsvInput input(path);
  LineFeed feed([&input](char* into, std::size_t bytes) { return input.read_on(into, bytes); });
  const std::vector<std::string> header = take_header(feed, path, delimiter);
  refuse_record_as_header(header, schema, path);
  PublicCsv out;
  out.fields = header.size();
  const auto may_lack = [&](const model::Column& column) {
    return columns == PublicColumns::some &&
           std::find(header.begin(), header.end(), column.name) == header.end();
  };
  for (const model::Column& column : schema.columns())
    out.places.push_back(may_lack(column) ? kAbsentColumn : find_column(header, column.name, path));
  for (std::span<char> block = feed.next(); !block.empty(); block = feed.next()) {
    out.lines.append(block.data(), block.size());
    if (out.lines.size() > limit) {
      throw Error(ErrorCode::input_unreadable, {"'", from_option(path), "' is larger than ",
                                                public_number(static_cast<long long>(limit >> 20)), " MiB"});
    }
  }
  return out;
}

}  // namespace postern::owner
