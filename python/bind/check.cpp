#include "check.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "postern/owner/check.hpp"
#include "postern/owner/records_format.hpp"

#include "interruptible.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace postern::bind {

void bind_check(nb::module_& m) {
  m.def(
      "check_records",
      [](const std::string& path, const std::optional<std::string>& format,
         const std::optional<std::string>& delimiter, const model::Study& study, int threads) {
        const owner::RecordsFormat form = owner::records_format(path, format, delimiter);
        return interruptible([&](const Conversation& /*conversation*/) {
          return owner::check_text(owner::check_records(path, form, study, threads));
        });
      },
      "path"_a, "format"_a.none(), "delimiter"_a.none(), "study"_a, "threads"_a);
  m.def(
      "check_arrow_stream",
      [](const nb::capsule& stream, const model::Study& study) {
        auto* handed_over = static_cast<ArrowArrayStream*>(stream.data("arrow_array_stream"));
        return interruptible([&](const Conversation& /*conversation*/) {
          return owner::check_text(owner::check_arrow_stream(handed_over, study));
        });
      },
      "stream"_a, "study"_a);
}

}  // namespace postern::bind
