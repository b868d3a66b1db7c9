#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "postern/core/error.hpp"

#include "json_out.hpp"
#include "session.hpp"

namespace postern::app {

/// Shows a refusal: `postern: error [name]: text` on stderr, with --json an object on stdout instead. Returns
/// the exit code.
int report_error(const Error& error, const Session& session);
/// For everything that is not our Error. The text of a foreign exception might come from a record, so it is
/// not shown.
int report_foreign(const std::exception& fault, const Session& session);

[[nodiscard]] Json error_json(const Error& error);

/// A line of the log on stderr, silent with --quiet.
void log_line(const Session& session, const std::string& text);
/// A warning on stderr. --quiet does not silence it.
void warn(std::string_view text);
/// For a command that changed something and has printed its result: if that did not reach standard output,
/// which main refuses, warns of what was done all the same.
void warn_if_output_was_lost(const std::string& done);

}  // namespace postern::app
