#pragma once

#include "postern/owner/ledger.hpp"

#include "json_out.hpp"
#include "session.hpp"

namespace postern::app {

[[nodiscard]] Json balance_json(const owner::Balance& balance);
[[nodiscard]] std::string balance_text(const owner::Balance& balance);
void print_balance(const owner::Balance& balance, const Session& session);

int ledger_init(Arguments arguments, const Session& session);

}  // namespace postern::app
