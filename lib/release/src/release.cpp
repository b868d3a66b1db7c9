#include "postern/release/release.hpp"

namespace postern::release {

model::Measurement Release::measurement() const {
  model::Measurement out;
  out.blocks.reserve(blocks.size());
  for (const MeasuredBlock& measured : blocks) out.blocks.push_back(measured.block);
  return out;
}

}  // namespace postern::release
