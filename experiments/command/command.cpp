#include "command.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include <unistd.h>

namespace postern::experiments {

Command read_command(int argc, char** argv, const std::string& figures,
                     std::initializer_list<std::string_view> more) {
  Command out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto is = [&](std::string_view option) {
      return word == option && std::find(more.begin(), more.end(), option) != more.end();
    };
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) throw std::invalid_argument(word + " needs a value");
      return argv[++i];
    };
    if (word == "--quick") {
      out.quick = true;
    } else if (word == "--out") {
      out.out = value();
    } else if (word == "--seed") {
      out.seed = std::stoull(value());
    } else if (word == "--threads") {
      out.threads = std::stoi(value());
    } else if (is("--data")) {
      out.data = value();
    } else if (is("--only")) {
      out.only = value();
    } else if (is("--n")) {
      out.n = std::stoull(value());
    } else if (is("--bounds")) {
      out.bounds = value();
    } else if (out.what.empty() && ("|" + figures + "|").find("|" + word + "|") != std::string::npos) {
      out.what = word;
    } else {
      throw std::invalid_argument("unknown word " + word);
    }
  }
  if (out.what.empty() || out.out.empty()) throw std::invalid_argument("needs " + figures + " and --out DIR");
  std::filesystem::create_directories(out.out);
  return out;
}

void tell_progress(double done) {
  static const bool terminal = isatty(STDERR_FILENO) == 1;
  static int shown = -1;
  const int percent = static_cast<int>(100 * done);
  if (!terminal || percent == shown) return;
  shown = percent;
  (void)std::fprintf(stderr, "\r%3d %%%s", percent, percent == 100 ? "\n" : "");
}

}  // namespace postern::experiments
