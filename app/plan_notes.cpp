#include "plan_notes.hpp"

#include "text.hpp"

namespace postern::app {

std::string note_on_few(const assess::ExpectedWidth& width) {
  return "one posterior of this study takes " + seconds_text(width.seconds) + ": only " +
         std::to_string(width.draws) + (width.draws == 1 ? " study was" : " studies were") +
         " simulated, and the widths are rough; --seconds or --simulations asks for more";
}

std::string note_on_draws(std::size_t most) {
  return "`infer` cannot hold as many draws of so many quantities as it takes unasked: ask it for --draws " +
         std::to_string(most) + ", or fewer";
}

std::string note_on_vague_prior(const assess::ExpectedWidth& width) {
  const std::string share = number(100 * width.outside);
  std::string note = "the prior is vague: the studies drawn from it are unlike each other";
  if (share != "0") note += ", or have " + share + " % of their records outside of the declared range";
  return note + "; --at plans for the parameters that you expect";
}

}  // namespace postern::app
