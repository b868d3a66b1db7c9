#include "postern/infer/posterior_files.hpp"

#include <bit>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/core/json_text.hpp"
#include "postern/core/version.hpp"
#include "postern/infer/model_file.hpp"

#include "csv_text.hpp"
#include "json_lists.hpp"

namespace postern::infer {
namespace {

namespace fs = std::filesystem;

/// CmdStan's form: settings in comments, one header line, one line a draw.
std::string chain_csv(const Posterior& posterior, std::size_t chain) {
  std::string out =
      "# model = postern\n# method = sample (Default)\n#   sample\n#     num_samples = " +
      std::to_string(posterior.iterations) +
      "\n#     num_warmup = 0\n#     save_warmup = 0 (Default)\n#     thin = 1 (Default)\n# id = " +
      std::to_string(chain + 1) + "\n# postern_version = " + kVersion + "\n# engine = " + posterior.engine +
      "\n";
  for (std::size_t q = 0; q < posterior.names.size(); ++q) out += (q == 0 ? "" : ",") + posterior.names[q];
  out += '\n';
  for (std::size_t i = 0; i < posterior.iterations; ++i) {
    for (std::size_t q = 0; q < posterior.names.size(); ++q) {
      if (q != 0) out += ',';
      out += csv_number(posterior.draws[chain][q * posterior.iterations + i]);
    }
    out += '\n';
  }
  return out;
}

/// NumPy's form, version 1.0: a header that ends with a newline at a multiple of 64 bytes, then the numbers
/// as they lie in memory, quantity by quantity. Little-endian, as every machine that we build for.
std::string chain_npy(const Posterior& posterior, std::size_t chain) {
  static_assert(std::endian::native == std::endian::little);
  std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (" +
                       std::to_string(posterior.iterations) + ", " + std::to_string(posterior.names.size()) +
                       "), }";
  constexpr std::size_t kBefore = 10;
  header.append(63 - (kBefore + header.size()) % 64, ' ').push_back('\n');
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  const std::vector<double>& draws = posterior.draws[chain];
  out.append(reinterpret_cast<const char*>(draws.data()),
             posterior.names.size() * posterior.iterations * sizeof(double));
  return out;
}

std::string summary_csv(const Posterior& posterior) {
  std::string out = "name,label,mean,sd,q05,q50,q95,ess,rhat\n";
  for (const SummaryRow& row : posterior.summary) {
    out += row.name + ',' + csv_quoted(row.label);
    for (const double value : {row.mean, row.sd, row.q05, row.q50, row.q95}) out += ',' + csv_number(value);
    out += ',' + (row.ess ? csv_number(*row.ess) : "") + ',' + (row.rhat ? csv_number(*row.rhat) : "") + '\n';
  }
  return out;
}

std::string sensitivity_csv(const Posterior& posterior) {
  std::string out = "prior_times,name,label,mean,sd,q05,q50,q95\n";
  for (const Alternative& one : posterior.sensitivity) {
    for (const SummaryRow& row : one.summary) {
      out += csv_number(one.prior_times) + ',' + row.name + ',' + csv_quoted(row.label);
      for (const double value : {row.mean, row.sd, row.q05, row.q50, row.q95}) out += ',' + csv_number(value);
      out += '\n';
    }
  }
  return out;
}

std::string json_warnings(const std::vector<Warning>& warnings) {
  std::string out;
  for (const Warning& warning : warnings) {
    out += std::string(out.empty() ? "[" : ", ") + "{\"name\": " + json_quoted(warning.name) +
           ", \"text\": " + json_quoted(warning.text) + "}";
  }
  return out.empty() ? "[]" : out + "]";
}

std::string posterior_json(const Posterior& posterior) {
  std::string out = "{\n  \"format\": \"postern-posterior\",\n  \"version\": 1,\n";
  out += "  \"engine\": " + json_quoted(posterior.engine) +
         ",\n  \"reason\": " + json_quoted(posterior.reason) + ",\n";
  out += "  \"chains\": " + std::to_string(posterior.chains) +
         ",\n  \"draws\": " + std::to_string(posterior.iterations) + ",\n";
  out += "  \"seed\": " + std::to_string(posterior.seed) +
         ",\n  \"releases\": " + json_list(posterior.releases) + ",\n";
  if (posterior.prior) out += "  \"prior\": " + json_quoted(*posterior.prior) + ",\n";
  if (posterior.public_rows) out += "  \"public_rows\": " + std::to_string(*posterior.public_rows) + ",\n";
  if (!posterior.cut.empty()) out += "  \"cut\": " + json_list(posterior.cut) + ",\n";
  if (posterior.log_evidence) out += "  \"log_evidence\": " + csv_number(*posterior.log_evidence) + ",\n";
  if (!posterior.table.empty()) out += "  \"table\": " + json_table(posterior.table) + ",\n";
  out += "  \"names\": " + json_list(posterior.names) + ",\n  \"labels\": " + json_list(posterior.labels) +
         ",\n";
  if (posterior.implied_noise)
    out += "  \"implied_noise\": " + json_implied_noise(*posterior.implied_noise) + ",\n";
  out += "  \"warnings\": " + json_warnings(posterior.warnings) + ",\n";
  return out + "  \"notes\": " + json_list(posterior.notes) + "\n}\n";
}

std::string public_rows_json(const PublicRows& rows) {
  std::string out = "{\n  \"format\": \"postern-public-rows\",\n  \"version\": 1,\n";
  if (const auto* sums = std::get_if<PublicSums>(&rows)) {
    return out + "  \"sums\": [" + csv_number(sums->sums.n) + ", " + csv_number(sums->sums.t) + ", " +
           csv_number(sums->sums.squares) + "],\n  \"left_out\": " + std::to_string(sums->left_out) + "\n}\n";
  }
  const auto& counts = std::get<PublicCounts>(rows);
  std::string cells;
  for (const std::int64_t count : counts.counts) cells += (cells.empty() ? "" : ", ") + std::to_string(count);
  return out + "  \"counts\": [" + cells + "],\n  \"rows\": " + std::to_string(counts.rows) + "\n}\n";
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out)
    throw Error(ErrorCode::output_unwritable,
                {"'", from_option(path.string()), "' cannot be written; is the disk full?"});
}

/// A folder beside its final place; removed unless it was moved there.
class Draft {
 public:
  explicit Draft(const fs::path& final) : path_(final.string() + ".part-" + std::to_string(::getpid())) {
    std::error_code failure;
    fs::remove_all(path_, failure);
    if (!fs::create_directory(path_, failure)) {
      throw Error(ErrorCode::output_unwritable,
                  {"a folder cannot be made beside '", from_option(final.string()),
                   "'; does its parent exist, and may you write there?"});
    }
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Without force nothing may be there; with force only an earlier posterior (or an empty folder) is replaced.
void check_target(const fs::path& folder, bool force) {
  std::error_code failure;
  if (!fs::exists(fs::symlink_status(folder, failure))) return;
  if (!force) {
    throw Error(ErrorCode::output_exists,
                {"'", from_option(folder.string()), "' exists; name another folder, or use --force"});
  }
  if (!fs::is_directory(folder, failure) ||
      !(fs::is_empty(folder, failure) || fs::exists(folder / "posterior.json", failure))) {
    throw Error(ErrorCode::output_exists,
                {"'", from_option(folder.string()), "' is not a posterior folder; it is not replaced"});
  }
}

/// A trailing slash names the same folder.
fs::path target_of(const std::string& folder) {
  const fs::path target = fs::path(folder).lexically_normal();
  return target.has_filename() ? target : target.parent_path();
}

}  // namespace

std::string posterior_facts(const Posterior& posterior) { return posterior_json(posterior); }

void check_writable(const std::string& folder, bool force) {
  const fs::path target = target_of(folder);
  check_target(target, force);
  const Draft draft(target);
}

void write_posterior(const Posterior& posterior, const std::string& folder, bool force, DrawsFormat format) {
  const fs::path target = target_of(folder);
  check_target(target, force);
  const Draft draft(target);
  for (std::size_t chain = 0; chain < posterior.chains; ++chain) {
    const std::string name = "chain_" + std::to_string(chain + 1);
    if (format == DrawsFormat::csv) {
      write_file(draft.path() / (name + ".csv"), chain_csv(posterior, chain));
    } else {
      write_file(draft.path() / (name + ".npy"), chain_npy(posterior, chain));
    }
  }
  write_file(draft.path() / "summary.csv", summary_csv(posterior));
  if (!posterior.sensitivity.empty())
    write_file(draft.path() / "sensitivity.csv", sensitivity_csv(posterior));
  for (std::size_t i = 0; i < posterior.documents.size(); ++i)
    write_file(draft.path() / ("release_" + std::to_string(i + 1) + ".json"), posterior.documents[i]);
  if (posterior.public_data)
    write_file(draft.path() / "public_rows.json", public_rows_json(*posterior.public_data));
  for (const ModelFile& model : model_files(posterior)) write_file(draft.path() / model.name, model.text);
  write_file(draft.path() / "posterior.json", posterior_json(posterior));
  std::error_code failure;
  if (force) fs::remove_all(target, failure);
  fs::rename(draft.path(), target, failure);
  if (failure)
    throw Error(ErrorCode::output_unwritable, {"'", from_option(target.string()), "' cannot be written"});
}

}  // namespace postern::infer
