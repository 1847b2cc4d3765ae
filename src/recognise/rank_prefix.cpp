// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "recognise/rank_prefix.hpp"

#include <cstddef>

#include "recognise/scan.hpp"

namespace epochcast {

namespace {

// mpirun --tag-output, horovodrun: [job,rank]<stdout>: and, since Open MPI 5, [job,rank]<stdout>.
std::size_t of_mpirun(std::string_view text) {
    Scan scan(text);
    const bool is_tag = scan.take('[') && scan.take_count() && scan.take(',') &&
                        scan.take_count() && scan.take(']') && scan.take('<') &&
                        (scan.take("stdout") || scan.take("stderr")) && scan.take('>');
    if (!is_tag) return 0;
    scan.take(':');
    return scan.at();
}

// torchrun: [default7]:
std::size_t of_torchrun(std::string_view text) {
    Scan scan(text);
    if (!scan.take('[')) return 0;
    scan.take_word();
    return scan.at() > 1 && scan.take(']') && scan.take(':') ? scan.at() : 0;
}

// srun --label: "3: "
std::size_t of_srun(std::string_view text) {
    Scan scan(text);
    return scan.take_count() && scan.take(": ") ? scan.at() : 0;
}

// deepspeed with several nodes, pdsh: "worker-1: "
std::size_t of_pdsh(std::string_view text) {
    const std::size_t end = text.find(": ");
    if (end == text.npos || !text.starts_with("worker")) return 0;
    return text.substr(0, end).find(' ') == text.npos ? end + 2 : 0;
}

}  // namespace

RankedLine without_rank(std::string_view line) {
    line = without_blanks(line);
    for (const auto length_of : {of_mpirun, of_torchrun, of_srun, of_pdsh}) {
        if (const std::size_t length = length_of(line); length != 0) {
            return {line.substr(0, length), without_blanks(line.substr(length))};
        }
    }
    return {{}, line};
}

}  // namespace epochcast
