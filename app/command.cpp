#include "command.hpp"

#include <charconv>

#include <CLI/CLI.hpp>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

#include "text.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kHelpWidth = 96;
constexpr std::size_t kHelpColumn = 26;

std::int64_t parse_whole(const std::string& name, const std::string& text, std::int64_t least) {
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || value < least) {
    throw Error(ErrorCode::bad_option, {from_option(name), " takes a whole number of at least ",
                                        public_number(least), ", not '", from_option(text), "'"});
  }
  return value;
}

std::string last_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

std::string help_line(const std::string& left, const std::string& help) {
  std::string line = "  " + left;
  if (display_width(left) + 2 > kHelpColumn - 2) {
    line += '\n' + std::string(kHelpColumn, ' ');
  } else {
    line += std::string(kHelpColumn - 2 - display_width(left), ' ');
  }
  return line + wrap(help, kHelpWidth, kHelpColumn) + '\n';
}

}  // namespace

struct Command::Parser {
  CLI::App app;
  std::string name, summary, usage, positionals, options, notes, examples;
  CLI::Option* last = nullptr;
  std::string last_usage;     // how the usage line shows the option declared last
  bool ignored_json = false;  // main has seen these two already
  bool ignored_quiet = false;

  void describe(const std::string& names, const std::string& value, const std::string& help) {
    std::string left = names;
    if (const std::size_t comma = left.find(','); comma != std::string::npos) left.insert(comma + 1, " ");
    options += help_line(value.empty() ? left : left + ' ' + value, help);
    last_usage = ' ' + names.substr(0, names.find(',')) + ' ' + value;
  }
  [[nodiscard]] std::string help() const {
    std::string text = wrap("postern " + name + ": " + summary, kHelpWidth, 0) + "\n\nUsage: postern " +
                       name + usage + " [options]\n";
    if (!positionals.empty()) text += '\n' + positionals;
    text += "\nOptions:\n" + options;
    if (!notes.empty()) text += '\n' + notes;
    if (!examples.empty()) text += "\nExamples:\n" + examples;
    return text;
  }
  [[noreturn]] void refuse_extra(const std::string& extra) const;
  [[noreturn]] void refuse_count(const std::string& fault) const;
};

void Command::Parser::refuse_extra(const std::string& extra) const {
  if (extra.size() < 2 || extra.front() != '-') {
    throw Error(ErrorCode::usage, {"postern ", from_option(name), " takes no further argument '",
                                   from_option(extra), "'; see postern ", from_option(name), " --help"});
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
  }
  const std::string wanted = extra.substr(0, extra.find('='));
  const auto nearest = model::nearest_name(wanted, known);
  if (nearest) {
    throw Error(ErrorCode::usage, {"postern ", from_option(name), " has no option ", from_option(wanted),
                                   "; did you mean ", from_option(*nearest), "?"});
  }
  throw Error(ErrorCode::usage, {"postern ", from_option(name), " has no option ", from_option(wanted),
                                 "; see postern ", from_option(name), " --help"});
}

/// @param fault the parser's words: "--option: At Most 1 required but received 2", or that a value is missing
void Command::Parser::refuse_count(const std::string& fault) const {
  if (fault.find("At Most 1 ") == std::string::npos)
    throw Error(ErrorCode::usage, {"postern ", from_option(name), ": ", from_option(fault)});
  const std::string option = fault.substr(0, fault.find(':'));
  throw Error(
      ErrorCode::usage,
      {"postern ", from_option(name), ": ", from_option(option), " was given more than once",
       from_option(option == "--ledger" ? "; a dataset has one ledger, and a release is paid from it" : "")});
}

Command::Command(const std::string& name, const std::string& summary) : parser_(std::make_unique<Parser>()) {
  parser_->name = name;
  parser_->summary = summary;
  parser_->app.set_help_flag("-h,--help");
}
Command::~Command() = default;

Command& Command::argument(const std::string& name, std::string& into, const std::string& help) {
  parser_->app.add_option(name, into)->required();
  parser_->usage += " " + name;
  parser_->positionals += help_line(name, help);
  return *this;
}

Command& Command::arguments(const std::string& name, std::vector<std::string>& into,
                            const std::string& help) {
  parser_->app.add_option(name, into)->required();
  parser_->usage += " " + name + "...";
  parser_->positionals += help_line(name + "...", help);
  return *this;
}

Command& Command::optional_arguments(const std::string& name, std::vector<std::string>& into,
                                     const std::string& help) {
  parser_->app.add_option(name, into);
  parser_->usage += " [" + name + "...]";
  parser_->positionals += help_line(name + "...", help);
  return *this;
}

Command& Command::option(const std::string& names, std::string& into, const std::string& value,
                         const std::string& help) {
  parser_->last = parser_->app.add_option(names, into);
  parser_->describe(names, value, help);
  return *this;
}

Command& Command::option(const std::string& names, std::optional<std::string>& into, const std::string& value,
                         const std::string& help) {
  parser_->last =
      parser_->app.add_option_function<std::string>(names, [&into](const std::string& v) { into = v; });
  parser_->describe(names, value, help);
  return *this;
}

Command& Command::repeated(const std::string& names, std::vector<std::string>& into, const std::string& value,
                           const std::string& help) {
  parser_->last = parser_->app.add_option(names, into)->allow_extra_args(false);
  parser_->describe(names, value, help);
  return *this;
}

Command& Command::list(const std::string& names, std::vector<std::string>& into, const std::string& value,
                       const std::string& help) {
  parser_->last = parser_->app.add_option(names, into);
  parser_->describe(names, value + "...", help);
  return *this;
}

Command& Command::whole(const std::string& names, std::int64_t& into, std::int64_t least,
                        const std::string& help) {
  const std::string name = last_name(names);
  parser_->last = parser_->app.add_option_function<std::string>(
      names, [&into, name, least](const std::string& text) { into = parse_whole(name, text, least); });
  parser_->describe(names, "N", help);
  return *this;
}

Command& Command::whole(const std::string& names, std::optional<std::int64_t>& into, std::int64_t least,
                        const std::string& help) {
  const std::string name = last_name(names);
  parser_->last = parser_->app.add_option_function<std::string>(
      names, [&into, name, least](const std::string& text) { into = parse_whole(name, text, least); });
  parser_->describe(names, "N", help);
  return *this;
}

Command& Command::flag(const std::string& names, bool& into, const std::string& help) {
  parser_->last = parser_->app.add_flag(names, into)->disable_flag_override();
  parser_->describe(names, "", help);
  return *this;
}

Command& Command::required() {
  parser_->last->required();
  parser_->usage += parser_->last_usage;
  return *this;
}

Command& Command::note(const std::string& text) {
  parser_->notes += wrap(text, kHelpWidth, 0) + '\n';
  return *this;
}

Command& Command::examples(const std::string& lines) {
  for (const std::string& line : split_lines(lines)) parser_->examples += "  " + line + '\n';
  return *this;
}

void Command::parse(Arguments arguments) {
  flag("--json", parser_->ignored_json, "write the result, or the error, as JSON");
  flag("-q,--quiet", parser_->ignored_quiet, "no log and no progress bar");
  parser_->describe("-h,--help", "", "show this help");
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    parser_->app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    throw HelpWanted{parser_->help()};
  } catch (const CLI::ExtrasError&) {
    parser_->refuse_extra(parser_->app.remaining().front());
  } catch (const CLI::RequiredError& fault) {
    throw Error(ErrorCode::usage, {"postern ", from_option(parser_->name), ": ", from_option(fault.what()),
                                   "; see postern ", from_option(parser_->name), " --help"});
  } catch (const CLI::ArgumentMismatch& fault) {
    parser_->refuse_count(fault.what());
  } catch (const CLI::ParseError& fault) {
    throw Error(ErrorCode::usage, {"postern ", from_option(parser_->name), ": ", from_option(fault.what())});
  }
}

}  // namespace postern::app
