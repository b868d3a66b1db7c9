#include "postern/owner/check.hpp"

#include <cerrno>
#include <iostream>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/core/stop.hpp"
#include "postern/model/study_file.hpp"
#include "postern/owner/records_format.hpp"

#include "command.hpp"
#include "json_out.hpp"
#include "session.hpp"
#include "text.hpp"

namespace postern::app {
namespace {

struct CheckOptions {
  std::string study;
  std::string data;
  std::optional<std::string> format;
  std::optional<std::string> delimiter;
  std::optional<std::string> to_file;
  std::int64_t threads = 0;
  bool counts = false;
};

CheckOptions parse_check(Arguments arguments) {
  CheckOptions options;
  Command command(
      "check",
      "look at the records before the spend: which of their fields the study declares, and which "
      "mistakes they share. FOR THE EYES OF THEIR OWNER ALONE: it is not differentially private.");
  command.argument("STUDY", options.study, "study.toml")
      .argument(
          "DATA", options.data,
          "the records, as for `postern release`: a CSV file or - for standard input; a Parquet or Arrow "
          "file, or a folder of them")
      .option("--to-file", options.to_file, "FILE",
              "write the look to a new file that only you can read; otherwise it goes to a terminal, and "
              "nowhere else")
      .option("--format", options.format, "NAME",
              "format of DATA: csv, parquet or arrow (default: by suffix)")
      .option("--delimiter", options.delimiter, "CHAR",
              "what separates the fields of a CSV file: , ; | or tab (default: ,)")
      .whole("--threads", options.threads, 0, "threads to decode tables with (default: all cores)")
      .flag("--counts", options.counts, "refused: a table of counts has no records to look at")
      .note(
          "It charges nothing, opens no ledger, and is no part of a release. Its exit status does not depend "
          "on the records. What you change in the study after a look depends on the records, and no noise "
          "accounts for that: declare what can occur, not what you saw. JSON is written with --to-file only.")
      .examples(
          "postern check study.toml survey.csv\n"
          "postern check study.toml survey.parquet --to-file look.txt");
  command.parse(arguments);
  return options;
}

/// All that can be refused before a record is read.
void check_options(const CheckOptions& options, const Session& session) {
  if (options.counts) {
    throw Error(ErrorCode::unsupported,
                {"a table of counts has no records to look at; check the records that it was made from"});
  }
  if (options.to_file && *options.to_file == "-")
    throw Error(ErrorCode::bad_option, {"--to-file takes the name of a new file, not standard output"});
  if (options.to_file) return;
  if (session.json) {
    throw Error(ErrorCode::bad_option,
                {"a look at records is shown as JSON in a file alone; name one with --to-file"});
  }
  // Mutant 60: a pipe gets it too.
  if (isatty(STDOUT_FILENO) == 0 && !mutant(60)) {
    throw Error(ErrorCode::bad_option,
                {"a look at records is for their owner's eyes, and standard output is no terminal; run it in "
                 "one, or name a file with --to-file"});
  }
}

/// Creates a file that its owner alone can read; one that exists is left alone.
int create_private(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0) return file;
  if (errno == EEXIST) {
    throw Error(ErrorCode::output_exists,
                {"'", from_option(path), "' exists, and is left alone; name a new file"});
  }
  throw Error(ErrorCode::output_unwritable, {"the file '", from_option(path), "' cannot be made"});
}

void write_private(const std::string& path, std::string_view text) {
  const int file = create_private(path);
  bool good = true;
  while (good && !text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    good = written > 0 || (written < 0 && errno == EINTR);
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  good = close(file) == 0 && good;
  if (good) return;
  unlink(path.c_str());
  throw Error(ErrorCode::output_unwritable, {"the file '", from_option(path), "' cannot be written"});
}

Json remarks_json(const std::vector<owner::CheckRemark>& remarks) {
  Json list = Json::array();
  for (const owner::CheckRemark& remark : remarks) {
    list.push(Json::object().set("name", remark.name).set("count", remark.count).set("text", remark.text));
  }
  return list;
}

Json column_json(const owner::ColumnCheck& column) {
  using model::FieldKind;
  Json values = Json::array();
  for (const owner::CheckedValue& value : column.values) {
    values.push(Json::object()
                    .set("value", value.value)
                    .set("fields", value.records)
                    .set("declared", Json(value.meant)));
  }
  return Json::object()
      .set("name", column.name)
      .set("used", column.used)
      .set("declared", column.count(FieldKind::declared))
      .set("missing", column.count(FieldKind::missing))
      .set("below", column.count(FieldKind::below))
      .set("above", column.count(FieldKind::above))
      .set("undeclared", column.count(FieldKind::undeclared))
      .set("unreadable", column.count(FieldKind::unreadable))
      .set("remarks", remarks_json(column.remarks))
      .set("values", std::move(values))
      .set("fields_not_told", column.rare)
      .set("gave_up", column.gave_up);
}

Json check_json(const owner::RecordsCheck& check) {
  Json people;
  if (check.people) {
    people = Json::object()
                 .set("people", check.people->people)
                 .set("at_most", check.people->at_most)
                 .set("with_more", check.people->with_more)
                 .set("records_without_id", check.people->without_id);
  }
  Json columns = Json::array();
  for (const owner::ColumnCheck& column : check.columns) columns.push(column_json(column));
  return Json::object()
      .set("for", "THE EYES OF THE OWNER OF THE RECORDS ALONE; NOT DIFFERENTIALLY PRIVATE")
      .set("records", check.records)
      .set("dropped", check.dropped)
      .set("counted", check.kept)
      .set("people", std::move(people))
      .set("lines", remarks_json(check.lines))
      .set("columns", std::move(columns));
}

}  // namespace

int run_check(Arguments arguments, const Session& session) {
  const CheckOptions options = parse_check(arguments);
  check_options(options, session);
  const model::Study study = model::load_study(options.study, {.may_lack = true});
  const StopScope scope(session.stop);
  const owner::RecordsCheck check = owner::check_records(
      options.data, owner::records_format(options.data, options.format, options.delimiter), study,
      static_cast<int>(options.threads));
  if (!options.to_file) {
    std::cout << owner::check_text(check);
    return 0;
  }
  write_private(*options.to_file, session.json ? check_json(check).text() : owner::check_text(check));
  if (session.json) {
    std::cout << Json::object().set("look", *options.to_file).text();
  } else {
    std::cout << "look  " << printable(*options.to_file) << " (for your eyes alone)\n";
  }
  return 0;
}

}  // namespace postern::app
