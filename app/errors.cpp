#include "errors.hpp"

#include <iostream>
#include <new>
#include <system_error>

#include "process.hpp"

namespace postern::app {

Json error_json(const Error& error) {
  return Json::object()
      .set("name", error_name(error.code()))
      .set("message", error.what())
      .set("exit", exit_status(error.code()));
}

int report_error(const Error& error, const Session& session) {
  if (session.json) {
    std::cout << Json::object().set("error", error_json(error)).text();
  } else {
    std::cerr << "postern: error [" << error_name(error.code()) << "]: " << error.what() << '\n';
  }
  return exit_status(error.code());
}

int report_foreign(const std::exception& fault, const Session& session) {
  if (dynamic_cast<const std::bad_alloc*>(&fault) != nullptr) {
    return report_error(Error(ErrorCode::out_of_memory, {"there is not enough memory for this"}), session);
  }
  const auto* refused = dynamic_cast<const std::system_error*>(&fault);
  if (refused != nullptr && refused->code() == std::errc::resource_unavailable_try_again) {
    return report_error(
        Error(ErrorCode::out_of_memory, {"the system starts no further thread; raise the limit on processes "
                                         "(ulimit -u) or free memory, and run again"}),
        session);
  }
  return report_error(
      Error(ErrorCode::internal, {"a fault of the program itself stopped it; its details are not shown, "
                                  "because they might contain a record"}),
      session);
}

void log_line(const Session& session, const std::string& text) {
  if (!session.quiet) std::cerr << text << '\n';
}

void warn(std::string_view text) { std::cerr << "postern: warning: " << text << '\n'; }

void warn_if_output_was_lost(const std::string& done) {
  if (output_was_lost()) warn(done + "; only the summary of it is lost");
}

}  // namespace postern::app
