#include "postern/release/release.hpp"

namespace postern::release {

model::Measurement Release::measurement() const {
  model::Measurement out;
  out.blocks.reserve(blocks.size());
  for (const MeasuredBlock& measured : blocks) out.blocks.push_back(measured.block);
  return out;
}

Quotation name_of(const Release& release) {
  if (release.source.empty()) return quote("release " + release.release_id, 80);
  return quote("'" + release.source + "' (release " + release.release_id + ")", 300);
}

}  // namespace postern::release
