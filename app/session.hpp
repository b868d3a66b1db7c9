#pragma once

#include <span>
#include <stop_token>
#include <string>

namespace postern::app {

/// What main knows before a command starts.
struct Session {
  std::stop_token stop;  ///< asked to stop by Ctrl-C
  bool json = false;     ///< results and errors as JSON on stdout
  bool quiet = false;    ///< no log, no progress bar
};

using Arguments = std::span<const std::string>;

// The commands. Each parses its arguments, calls the library and writes its result to stdout.
int run_init(Arguments arguments, const Session& session);
int run_plan(Arguments arguments, const Session& session);
int run_ledger(Arguments arguments, const Session& session);
int run_check(Arguments arguments, const Session& session);
int run_release(Arguments arguments, const Session& session);
int run_verify(Arguments arguments, const Session& session);
int run_infer(Arguments arguments, const Session& session);
int run_predict(Arguments arguments, const Session& session);
int run_synth(Arguments arguments, const Session& session);
int run_calibrate(Arguments arguments, const Session& session);
int run_audit(Arguments arguments, const Session& session);

}  // namespace postern::app
