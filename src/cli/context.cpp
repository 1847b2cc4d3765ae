// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/context.hpp"

namespace epochcast {

void complain(Context& context, std::string_view message) {
    context.out.flush();
    context.err << "epochcast: " << message << std::endl;
}

int fail(Context& context, const Error& error) {
    complain(context, error.message);
    return exit_code(error.kind);
}

void print_json(Context& context, const Json& document) {
    context.out << document.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

}  // namespace epochcast
