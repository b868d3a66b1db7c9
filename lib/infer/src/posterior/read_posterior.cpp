#include <filesystem>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

#include "postern/infer/posterior_files.hpp"

#include "folder_files.hpp"
#include "read_draws.hpp"
#include "read_facts.hpp"

namespace postern::infer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReleaseLimit = std::size_t{64} << 20;  // as parse_document's

constexpr std::string_view kSummary = "name,label,mean,sd,q05,q50,q95,ess,rhat";
constexpr std::string_view kSensitivity = "prior_times,name,label,mean,sd,q05,q50,q95";

using Cells = std::vector<std::string>;

/// The records of a CSV text as the writer writes it; a label may hold anything, in quotes.
std::vector<Cells> records_of(std::string_view text) {
  std::vector<Cells> out;
  Cells cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      cells.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c == '\n' && !quoted) {
      out.push_back(std::exchange(cells, Cells(1)));
    } else {
      cells.back() += c;
    }
  }
  if (quoted || cells != Cells(1)) throw std::invalid_argument("csv");
  return out;
}

/// The records behind a header that must be this one.
std::vector<Cells> table_of(const std::string& text, std::string_view header) {
  if (!text.starts_with(std::string(header) + '\n')) throw std::invalid_argument("csv");
  return records_of(std::string_view(text).substr(header.size() + 1));
}

SummaryRow summary_row(std::span<const std::string> cells) {
  SummaryRow row{cells[0],
                 cells[1],
                 read_number(cells[2]),
                 read_number(cells[3]),
                 read_number(cells[4]),
                 read_number(cells[5]),
                 read_number(cells[6]),
                 {},
                 {}};
  if (cells.size() == 7) return row;
  if (!cells[7].empty()) row.ess = read_number(cells[7]);
  if (!cells[8].empty()) row.rhat = read_number(cells[8]);
  return row;
}

void check_names(const std::vector<SummaryRow>& rows, const Posterior& posterior) {
  bool same = rows.size() == posterior.names.size();
  for (std::size_t i = 0; same && i < rows.size(); ++i) same = rows[i].name == posterior.names[i];
  if (!same) throw std::invalid_argument("names");
}

void read_summary(const fs::path& folder, Posterior& posterior) {
  for (const Cells& cells : table_of(read_regular(folder / "summary.csv", kMostFolderBytes), kSummary)) {
    if (cells.size() != 9) throw std::invalid_argument("summary");
    posterior.summary.push_back(summary_row(cells));
  }
  check_names(posterior.summary, posterior);
}

/// The summaries under other priors, where they were asked for.
void read_sensitivity(const fs::path& folder, Posterior& posterior) {
  const auto text = read_if_there(folder / "sensitivity.csv", kMostFolderBytes);
  if (!text) return;
  std::map<double, std::size_t> places;
  for (const Cells& cells : table_of(*text, kSensitivity)) {
    if (cells.size() != 8) throw std::invalid_argument("sensitivity");
    const double times = read_number(cells[0]);
    if (places.emplace(times, places.size()).second) posterior.sensitivity.push_back({times, {}});
    posterior.sensitivity[places.at(times)].summary.push_back(summary_row(std::span(cells).subspan(1)));
  }
  for (const Alternative& one : posterior.sensitivity) check_names(one.summary, posterior);
}

/// The releases that it was made from: all of them, or none in folders of earlier versions.
void read_documents(const fs::path& folder, Posterior& posterior) {
  for (std::size_t i = 1; i <= posterior.releases.size(); ++i) {
    const auto text = read_if_there(folder / ("release_" + std::to_string(i) + ".json"), kReleaseLimit);
    if (!text && i == 1) return;
    if (!text) throw std::invalid_argument("releases");
    posterior.documents.push_back(*text);
  }
}

}  // namespace

Posterior read_posterior(const std::string& path) {
  const fs::path folder(path);
  std::error_code failure;
  if (fs::exists(folder, failure) && !fs::is_directory(folder, failure))
    throw no_posterior(folder, "give the folder that `postern infer -o` made");
  Posterior out = read_facts(folder);
  try {
    read_summary(folder, out);
    read_sensitivity(folder, out);
    read_draws(folder, out);
    read_documents(folder, out);
  } catch (const std::invalid_argument&) {
    throw not_together(folder);
  }
  return out;
}

}  // namespace postern::infer
