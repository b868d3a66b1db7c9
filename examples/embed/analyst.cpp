// A program that has a release and nothing else.
//   university release.json
#include <iomanip>
#include <iostream>

#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

using namespace postern;

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  try {
    const release::Release release = release::load_release(argv[1]);
    if (!release::all_passed(release::verify(release))) return 65;
    infer::InferOptions options;
    options.draws = 1000;
    options.seed = 1;
    const infer::Posterior posterior = infer::infer({&release, 1}, options, {});
    std::cout << std::fixed << std::setprecision(4);
    for (const infer::SummaryRow& row : posterior.summary) {
      std::cout << row.label << ": " << row.mean << " +- " << row.sd << '\n';
    }
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return exit_status(error.code());
  }
  return 0;
}
