// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Runs a fuzzer on mutated seeds, or on the files named. Run number N of seed S is the same input
// on every machine, so a crash is repeated with --seed S --first N --runs 1.

#include <unistd.h>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace {

struct Arguments {
    std::uint64_t seed = 1;
    std::uint64_t first = 0;
    std::uint64_t runs = 10'000;  // 0: until the time is over
    std::uint64_t seconds = 0;    // 0: no limit
    std::vector<const char*> files;
};

// For the signal handler, which may use nothing else.
char repeat_text[160];

void name_the_run(std::uint64_t seed, std::uint64_t run) {
    std::snprintf(repeat_text,
                  sizeof repeat_text,
                  "\nrepeat with: --seed %llu --first %llu --runs 1\n",
                  static_cast<unsigned long long>(seed),
                  static_cast<unsigned long long>(run));
}

extern "C" void on_crash(int signal) {
    const ssize_t unused = ::write(STDERR_FILENO, repeat_text, std::strlen(repeat_text));
    static_cast<void>(unused);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

// Makes one small change at random; `other` is material to splice in.
void mutate(std::string& input, const std::string& other, std::mt19937_64& random) {
    const auto below = [&](std::size_t bound) {
        return static_cast<std::size_t>(random() % bound);
    };
    const std::size_t at = below(input.size() + 1);
    const std::size_t rest = input.size() - at;
    switch (random() % 8) {
        case 0:  // flip a bit
            if (rest != 0) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
            break;
        case 1:  // any byte
            if (rest != 0) input[at] = static_cast<char>(random());
            break;
        case 2: {  // an integer at the edge of its range, 1 to 8 bytes
            static constexpr std::uint64_t edges[] = {0,
                                                      1,
                                                      2,
                                                      0x7F,
                                                      0xFF,
                                                      0x7FFF,
                                                      0x7FFFFFFF,
                                                      0xFFFFFFFF,
                                                      INT64_MAX,
                                                      UINT64_MAX,
                                                      0x7FF0000000000000,
                                                      0x7FF8000000000000,
                                                      0x8000000000000000};
            const std::uint64_t edge = edges[below(std::size(edges))];
            std::memcpy(input.data() + at, &edge, std::min(rest, std::size_t{1} << below(4)));
            break;
        }
        case 3:  // insert bytes that mean something in our texts
            input.insert(at, 1 + below(3), "=,;:# \n\r\t\"'\0.-+e09/\xC3\xFF"[below(21)]);
            break;
        case 4:  // erase
            input.erase(at, 1 + below(16));
            break;
        case 5:  // cut
            if (below(8) == 0) input.resize(at);
            break;
        case 6: {  // repeat a piece
            const std::string piece = input.substr(at, 1 + below(64));
            input.insert(below(input.size() + 1), piece);
            break;
        }
        case 7: {  // splice a piece of another seed over this one
            const std::string piece = other.substr(below(other.size() + 1), 1 + below(64));
            input.replace(at, std::min(rest, piece.size()), piece);
            break;
        }
    }
}

std::string input_of(const std::vector<std::string>& seeds, std::uint64_t seed, std::uint64_t run) {
    std::seed_seq both{seed, seed >> 32, run, run >> 32};
    std::mt19937_64 random(both);
    std::string input = seeds[random() % seeds.size()];
    const std::string& other = seeds[random() % seeds.size()];
    for (auto changes = random() % 8; changes > 0; --changes) mutate(input, other, random);
    return input;
}

// The tested function gets memory of its own, so that a sanitizer sees a read behind its end.
void run_one(const std::string& input) {
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    ::alarm(20);  // no input may take as long
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    ::alarm(0);
}

bool read_number(const char* text, std::uint64_t& number) {
    const char* end = text + std::strlen(text);
    const auto [stop, status] = std::from_chars(text, end, number);
    return status == std::errc() && stop == end;
}

bool read_arguments(int argc, char** argv, Arguments& arguments) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        std::uint64_t* number = name == "--seed"      ? &arguments.seed
                                : name == "--first"   ? &arguments.first
                                : name == "--runs"    ? &arguments.runs
                                : name == "--seconds" ? &arguments.seconds
                                                      : nullptr;
        if (number == nullptr && name.starts_with("--")) return false;
        if (number == nullptr) {
            arguments.files.push_back(argv[i]);
        } else if (++i == argc || !read_number(argv[i], *number)) {
            return false;
        }
    }
    return arguments.runs != 0 || arguments.seconds != 0;
}

int run_files(const std::vector<const char*>& files) {
    for (const char* name : files) {
        std::ifstream file(name, std::ios::binary);
        if (!file) {
            std::fprintf(stderr, "cannot read %s\n", name);
            return 4;
        }
        run_one({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    if (!read_arguments(argc, argv, arguments)) {
        std::fprintf(stderr,
                     "usage: %s [--runs N] [--seconds N] [--seed N] [--first N] [FILE...]\n",
                     argv[0]);
        return 2;
    }
    if (!arguments.files.empty()) return run_files(arguments.files);
    for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM}) {
        std::signal(signal, on_crash);
    }
    const std::vector<std::string> seeds = fuzz_seeds();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(arguments.seconds);
    std::uint64_t run = arguments.first;
    for (; arguments.runs == 0 || run < arguments.first + arguments.runs; ++run) {
        if (arguments.seconds != 0 && std::chrono::steady_clock::now() > end) break;
        name_the_run(arguments.seed, run);
        run_one(input_of(seeds, arguments.seed, run));
    }
    std::printf("%llu runs\n", static_cast<unsigned long long>(run - arguments.first));
    return 0;
}
