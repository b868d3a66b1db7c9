#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session.hpp"

namespace postern::app {

/// Thrown by Command::parse when --help was asked for: the text belongs on stdout, and the exit code is 0.
struct HelpWanted {
  std::string text;
};

/// The arguments and options of one command line. The parser behind it stays in command.cpp.
class Command {
 public:
  Command(const std::string& name, const std::string& summary);
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  ~Command();

  Command& argument(const std::string& name, std::string& into, const std::string& help);
  Command& arguments(const std::string& name, std::vector<std::string>& into, const std::string& help);
  /// The same where there may be none.
  Command& optional_arguments(const std::string& name, std::vector<std::string>& into,
                              const std::string& help);
  /// `names` is "--name" or "-n,--name"; `value` is how the help calls its value.
  Command& option(const std::string& names, std::string& into, const std::string& value,
                  const std::string& help);
  Command& option(const std::string& names, std::optional<std::string>& into, const std::string& value,
                  const std::string& help);
  /// May be given several times, one value each.
  Command& repeated(const std::string& names, std::vector<std::string>& into, const std::string& value,
                    const std::string& help);
  /// Takes every value that follows.
  Command& list(const std::string& names, std::vector<std::string>& into, const std::string& value,
                const std::string& help);
  /// A whole number of at least `least`; anything else is bad_option.
  Command& whole(const std::string& names, std::int64_t& into, std::int64_t least, const std::string& help);
  Command& whole(const std::string& names, std::optional<std::int64_t>& into, std::int64_t least,
                 const std::string& help);
  Command& flag(const std::string& names, bool& into, const std::string& help);
  Command& required();                     ///< the option declared last must be given
  Command& note(const std::string& text);  ///< a paragraph of the help, above the examples
  Command& examples(const std::string& lines);

  /// Fills the targets. Throws Error{usage | bad_option} with the nearest option name, or HelpWanted.
  void parse(Arguments arguments);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace postern::app
