// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

// Whether the shim may be put in slurmctld's way: loads it in a process of its own, as slurmctld
// would, before slurmctld does. It never talks to Slurm's daemons and changes nothing.
//
//   epochcast-selftest SHIM STOCK SLURMCTLD
//
// SHIM: our select_cons_tres.so; STOCK: Slurm's own; SLURMCTLD: the program. Exit 0: it fits. 1: it
// does not, and one line on stderr says why. 2: wrong usage.

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include "activate/elf_symbols.hpp"

namespace {

// What is wrong, for people; empty: nothing.
using Problem = std::string;

// Longer than reading the forecast files takes; a shim that hangs in init() would hang slurmctld.
constexpr unsigned init_limit_s = 20;
constexpr useconds_t init_settles_us = 500'000;

enum ChildExit { fits = 0, cannot_load = 10, init_failed = 11 };

std::string version_text(std::uint32_t version) {
    char text[32];
    std::snprintf(
        text, sizeof text, "%u.%02u.%u", version >> 16, version >> 8 & 0xff, version & 0xff);
    return text;
}

// "slurm-wlm 22.05.8" → 22.05.8 as Slurm's version number; 0: it does not say.
std::uint32_t installed_version(const std::string& slurmctld) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return 0;
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::execl(slurmctld.c_str(), slurmctld.c_str(), "-V", static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(ends[1]);
    char text[256] = {};
    const ssize_t size = child < 0 ? -1 : ::read(ends[0], text, sizeof text - 1);
    ::close(ends[0]);
    if (child > 0) ::waitpid(child, nullptr, 0);
    unsigned major = 0, minor = 0, micro = 0;
    if (size <= 0 || std::sscanf(text, "%*s %u.%u.%u", &major, &minor, &micro) != 3) return 0;
    return major << 16 | minor << 8 | micro;
}

// The plugin is not unloaded: this process ends soon.
Problem check_version(const std::string& path, const char* what, std::uint32_t installed) {
    void* plugin = ::dlopen(path.c_str(), RTLD_LAZY);
    if (!plugin) return ::dlerror();
    const auto* version = static_cast<const std::uint32_t*>(::dlsym(plugin, "plugin_version"));
    if (!version) return path + " states no plugin_version";
    if (*version == installed) return {};
    return std::string(what) + " is for Slurm " + version_text(*version) + ", and slurmctld is " +
           version_text(installed);
}

// Every function that the shim calls must exist somewhere in slurmctld, or its first call ends it.
Problem check_symbols(const std::string& shim,
                      const std::string& stock,
                      const std::string& slurmctld) {
    const auto ours = epochcast::slurm::read_elf_symbols(shim);
    const auto theirs = epochcast::slurm::read_elf_symbols(stock);
    const auto program = epochcast::slurm::read_elf_symbols(slurmctld);
    if (!ours || !theirs || !program) return "the programs' symbols cannot be read";
    void* handle = ::dlopen(shim.c_str(), RTLD_LAZY);
    if (!handle) return ::dlerror();
    for (const std::string& name : ours->needed)
        if (!::dlsym(handle, name.c_str()) && !::dlsym(RTLD_DEFAULT, name.c_str()) &&
            !program->defined.contains(name))
            return "this Slurm has no " + name + "(), which the shim calls";
    for (const std::string& name : theirs->defined)
        if (name.starts_with("select_p_") && !::dlsym(handle, name.c_str()))
            return "the stock plugin's " + name + "() is not seen through the shim";
    return {};
}

// In the child: init() as in slurmctld, the forecast files being read, fini().
[[noreturn]] void run_init(const std::string& shim) {
    ::alarm(init_limit_s);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
    // By this name Slurm's library tells the programs apart.
    if (auto* name = static_cast<const char**>(::dlsym(RTLD_DEFAULT, "slurm_prog_name")))
        *name = "slurmctld";
    void* plugin = ::dlopen(shim.c_str(), RTLD_LAZY);
    if (!plugin) ::_exit(cannot_load);
    const auto init = reinterpret_cast<int (*)()>(::dlsym(plugin, "init"));
    const auto fini = reinterpret_cast<int (*)()>(::dlsym(plugin, "fini"));
    if (!init || !fini || init() != 0) ::_exit(init_failed);
    ::usleep(init_settles_us);
    fini();
    ::_exit(fits);
}

Problem check_init(const std::string& shim) {
    const pid_t child = ::fork();
    if (child < 0) return "no process for the test";
    if (child == 0) run_init(shim);
    int status = 0;
    if (::waitpid(child, &status, 0) != child) return "the test's process was lost";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return "its init() takes longer than " + std::to_string(init_limit_s) + " s";
    if (WIFSIGNALED(status)) return "its init() dies of signal " + std::to_string(WTERMSIG(status));
    if (WEXITSTATUS(status) != fits)
        return WEXITSTATUS(status) == cannot_load ? "it cannot be loaded"
                                                  : "its init() returns an error";
    return {};
}

Problem check(const std::string& shim, const std::string& stock, const std::string& slurmctld) {
    // What slurmctld itself brings along. Slurm keeps it in the folder of its plugins.
    const auto library = std::filesystem::path(stock).parent_path() / "libslurmfull.so";
    if (!::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL)) return ::dlerror();
    const std::uint32_t installed = installed_version(slurmctld);
    if (installed == 0) return slurmctld + " -V does not say its version";
    if (Problem problem = check_version(stock, "the stock plugin", installed); !problem.empty())
        return problem;
    if (Problem problem = check_version(shim, "the shim", installed); !problem.empty())
        return problem;
    if (Problem problem = check_symbols(shim, stock, slurmctld); !problem.empty()) return problem;
    return check_init(shim);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: epochcast-selftest SHIM STOCK SLURMCTLD\n");
        return 2;
    }
    const Problem problem = check(argv[1], argv[2], argv[3]);
    if (problem.empty()) return 0;
    std::fprintf(stderr, "epochcast-selftest: %s\n", problem.c_str());
    return 1;
}
