#include "postern/core/error.hpp"
#include "postern/infer/posterior_files.hpp"

#include "posterior/words.hpp"

namespace postern::infer {
namespace {

constexpr double kMuch = 200e6;   ///< bytes
constexpr double kCsvBytes = 20;  ///< of a draw, as a rule
constexpr double kBinaryBytes = 8;

}  // namespace

DrawsFormat parse_draws_format(const std::string& text) {
  if (text == "csv") return DrawsFormat::csv;
  if (text == "npy") return DrawsFormat::npy;
  throw Error(ErrorCode::bad_option,
              {"draws are not written as '", from_option(text), "'; there is csv and npy"});
}

double draws_bytes(const Posterior& posterior, DrawsFormat format) {
  const double draws = static_cast<double>(posterior.names.size()) * static_cast<double>(posterior.chains) *
                       static_cast<double>(posterior.iterations);
  return draws * (format == DrawsFormat::csv ? kCsvBytes : kBinaryBytes);
}

std::vector<Warning> output_warnings(const Posterior& posterior, DrawsFormat format) {
  const double bytes = draws_bytes(posterior, format);
  if (bytes <= kMuch) return {};
  const std::string npy = whole_text(draws_bytes(posterior, DrawsFormat::npy) / 1e6);
  const std::string instead = format == DrawsFormat::csv ? ", or npy as their format (" + npy + " MB)" : "";
  return {{"large-output", "the draws of " + std::to_string(posterior.names.size()) +
                               " quantities take about " + whole_text(bytes / 1e6) +
                               " MB; ask for fewer draws" + instead}};
}

}  // namespace postern::infer
