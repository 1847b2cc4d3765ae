#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
"""Figures of the select shim in a real slurmctld, beside stock Slurm in the same run.

10 000 nodes in State=CLOUD (scheduled, never booted) in 20 classes, 1 000 tasks in the forecast file
with a forecast on every class, mode on. Jobs want one node; all nodes are candidates of each."""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

FIGURES = {
    "shim.own": "the shim's own time per job_test of asking jobs, 10 000 nodes in 20 classes, 1 000 tasks: p99; µs",
    "shim.idle": "the shim's own time per job_test of jobs without our options: p99; µs",
    "shim.throughput": "jobs started per second of a burst of 1 000 asking jobs, shim on over stock; ratio",
    "shim.memory": "slurmctld's memory with the shim over stock's after the same work; MB",
}
CLASSES, NODES_OF_CLASS, TASKS = 20, 500, 1000
CALLS, BURST, GROWTH_CALLS = 300, 1000, 100_000

CONF = """ClusterName=cloud
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={dir}/state
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdSpoolDir={dir}/spool
SlurmctldLogFile={dir}/log
SlurmctldDebug=verbose
SlurmctldSyslogDebug=quiet
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,default_queue_depth=10000,max_sched_time=59,bf_interval=30
PriorityType=priority/basic
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeTimeout=60000
SuspendTime=60000
SuspendTimeout=1
PrivateData=cloud
CompleteWait=0
MaxJobCount=20000
MinJobAge=2
InactiveLimit=0
SlurmdTimeout=0
"""


class Failure(Exception):
    pass


def output_of(arguments, environment):
    result = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, env=environment)
    if result.returncode:
        raise Failure(f"{' '.join(map(str, arguments))[:200]}: {result.stderr.strip()[-400:]}")
    return result.stdout


class Site:
    """Where the tools are, and a folder with the forecasts."""

    def __init__(self, folder, tools):
        self.folder, self.tools = folder, tools
        self.plugins = tools.parent / "lib/slurm"
        self.stock = next(p for pattern in ("/usr/lib/*/slurm-wlm", "/usr/lib/*/slurm", "/usr/local/lib/slurm")
                          for p in pathlib.Path("/").glob(pattern[1:]) if (p / "select_cons_tres.so").exists())
        self.forecasts = folder / "forecast.d"
        self.forecasts.mkdir()
        nodes = range(1, NODES_OF_CLASS + 1)
        words = ["partition=train:on"]
        words += [f"class=c{c}:{c + 1}:{'+'.join(f'c{c}n{n}' for n in nodes)}" for c in range(CLASSES)]
        words += [f"task=t{t}:c{c}:1:{10 + (t * 7 + c * 13) % 90}" for t in range(TASKS) for c in range(CLASSES)]
        output_of([tools / "write_forecast", self.forecasts, *words], None)


@contextlib.contextmanager
def slurmctld(site, name, with_shim, undisturbed=False, equal_weights=False):
    """A slurmctld of 10 000 nodes; yields (environment, pid, log)."""
    folder = site.folder / name
    for part in ("state", "spool"):
        (folder / part).mkdir(parents=True)
    (folder / "gres.conf").touch()
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
    port = 20000 + int.from_bytes(os.urandom(2), "little") % 12000
    conf = CONF.format(port=port, dir=folder, user=output_of(["id", "-un"], None).strip())
    if with_shim:
        conf += f"PluginDir={site.plugins}:{site.stock}\nJobSubmitPlugins=epochcast\n"
    for part in range(0, CLASSES * NODES_OF_CLASS, 250):  # as many as an address has numbers for
        c, first = part // NODES_OF_CLASS, part % NODES_OF_CLASS + 1
        conf += (f"NodeName=c{c}n[{first}-{first + 249}] NodeAddr=127.9.{part // 250}.[1-250] Port=1 CPUs=8 "
                 f"RealMemory=256000 Weight={1 if equal_weights else 1 + c} State=CLOUD\n")
    conf += "PartitionName=train Nodes=ALL Default=YES MaxTime=1440 State=UP\n"
    (folder / "slurm.conf").write_text(conf)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "SBATCH"))}
    environment |= {"SLURM_CONF": str(folder / "slurm.conf"), "EPOCHCAST_FORECAST_DIR": str(site.forecasts)}
    environment["PATH"] = environment.get("PATH", "") + ":/usr/sbin"
    # In real time, where that is allowed, so that other programs' time is not counted as ours.
    realtime = ["chrt", "--fifo", "1"] if undisturbed and not subprocess.run(
        ["chrt", "--fifo", "1", "true"], capture_output=True).returncode else []
    process = subprocess.Popen([*realtime, "setpriv", "--pdeathsig", "KILL", "slurmctld", "-D", "-f", folder / "slurm.conf"],
                               env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while "is UP" not in subprocess.run(["scontrol", "ping"], capture_output=True, text=True, env=environment).stdout:
            if process.poll() is not None or time.monotonic() > deadline:
                raise Failure(f"slurmctld did not start; its log: {folder}/log")
            time.sleep(0.2)
        time.sleep(2)  # forecasts are read
        yield environment, process.pid, folder / "log"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        shutil.rmtree(folder)


def load(site, environment, *arguments):
    return output_of([site.tools / "job_load", *arguments], environment)


def own_time(environment, log):
    """(count, p50, p99, max) in µs since slurmctld started, as the shim logs them when slurm.conf is read again."""
    time.sleep(1.1)
    output_of(["scontrol", "reconfigure"], environment)
    output_of(["sbatch", "--test-only", "-N1", "--comment=epochcast:task=t1;policy=time", "--wrap", "true"], environment)
    pattern = r"(\d+) job tests ranked, own time p50 (\d+) ns, p99 (\d+) ns, max (\d+) ns"
    found = re.findall(pattern, log.read_text())
    if not found:
        raise Failure("the shim did not log its own time")
    count, *times = map(int, found[-1])
    return [count, *(t / 1000 for t in times)]


def memory_mb(pid, key="VmRSS"):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{key}:\s*(\d+) kB", text)[1]) / 1024


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def measure_own(site, repeat):
    p50, p99, longest, counts = [], [], [], []
    for number in range(repeat):
        with slurmctld(site, f"own-{number}", True, undisturbed=True) as (environment, _, log):
            load(site, environment, "calls", CALLS, TASKS)
            count, *times = own_time(environment, log)
        counts.append(count)
        for values, value in zip((p50, p99, longest), times):
            values.append(value)
    value = spread(p99)
    alone, floor = harness(site, "own", 1000), harness(site, "floor", 1000)["floor"]
    return {"value": value["median"], "unit": "µs", **value, "peer": "", "ratio": None,
            "detail": {"p50_us": statistics.median(p50), "percentiles_are_at_most_pct_too_high": 19,
                       "outside_slurmctld_p50_us": max(alone[w][0] for w in ("run_now", "will_run")),
                       "outside_slurmctld_p99_us": max(alone[w][1] for w in ("run_now", "will_run")),
                       "writing_weights_alone_p50_us": floor[0], "writing_weights_alone_p99_us": floor[1], "longest_us": max(longest), "calls": min(counts),
                       "nodes": CLASSES * NODES_OF_CLASS, "classes": CLASSES, "tasks": TASKS}}


def harness(site, what, calls):
    """{what: (p50, p99, longest) in µs} of the shim over a node table of its own; see shim_harness.cpp."""
    realtime = [] if subprocess.run(["chrt", "--fifo", "1", "true"], capture_output=True).returncode else ["chrt", "--fifo", "1"]
    lines = output_of([*realtime, site.tools / "shim_harness", site.forecasts, what, calls], None).splitlines()
    return {name: [int(t) / 1000 for t in times] for name, *times in (line.split() for line in lines)}


def measure_idle(site, repeat):
    runs = [harness(site, "idle", 20_000) for _ in range(max(repeat, 3))]
    value = spread([max(times[1] for times in run.values()) for run in runs])
    return {"value": value["median"], "unit": "µs", **value, "peer": "", "ratio": None,
            "detail": {"p50_us": max(times[0] for times in runs[0].values()), "includes": "two readings of the clock"}}


def bursts(site, repeat, equal_weights):
    """({stock, on: jobs started per second in each run}, {stock, on: longest cycle of the main scheduler in ms})."""
    rates, cycles = {"stock": [], "on": []}, {"stock": [], "on": []}
    for number in range(repeat):
        for name in ("stock", "on") if number % 2 == 0 else ("on", "stock"):
            with slurmctld(site, f"burst-{name}-{number}", name == "on", equal_weights=equal_weights) as (environment, _, _):
                output_of(["sdiag", "--reset"], environment)
                seconds = float(load(site, environment, "burst", BURST, TASKS))
                rates[name].append(BURST / seconds)
                found = re.search(r"Max cycle:\s+(\d+)", output_of(["sdiag"], environment))
                cycles[name].append(int(found[1]) / 1000 if found else None)
    return rates, cycles


def measure_throughput(site, repeat):
    rates, cycles = bursts(site, max(repeat, 3), False)
    equal, _ = bursts(site, 1, True)
    value = spread([on / stock for on, stock in zip(rates["on"], rates["stock"])])
    return {"value": value["median"], "unit": "", **value, "peer": "stock Slurm",
            "ratio": statistics.median(rates["on"]) / statistics.median(rates["stock"]),
            "detail": {"on_per_s": spread(rates["on"]), "stock_per_s": spread(rates["stock"]),
                       "longest_main_cycle_ms_on": cycles["on"], "longest_main_cycle_ms_stock": cycles["stock"],
                       "ratio_if_all_nodes_weigh_the_same": equal["on"][0] / equal["stock"][0]}}


def growth(site):
    """kB that the process of the harness grows by, from its thousandth call on."""
    before, after = map(int, output_of([site.tools / "shim_harness", site.forecasts, "growth", GROWTH_CALLS], None).split())
    return after - before


def measure_memory(site, repeat):
    used = {}
    for name in ("stock", "on"):
        with slurmctld(site, f"memory-{name}", name == "on") as (environment, pid, _):
            load(site, environment, "calls", CALLS, TASKS if name == "on" else 0)
            time.sleep(3)
            used[name] = memory_mb(pid)
    value = used["on"] - used["stock"]
    return {"value": value, "unit": "MB", "median": value, "min": value, "max": value, "peer": "stock Slurm",
            "ratio": used["on"] / used["stock"],
            "detail": {"on_mb": used["on"], "stock_mb": used["stock"],
                       f"growth_over_{GROWTH_CALLS}_calls_kb": growth(site)}}


MEASURES = {"shim.own": measure_own, "shim.idle": measure_idle, "shim.throughput": measure_throughput, "shim.memory": measure_memory}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--tools", type=lambda text: pathlib.Path(text).resolve(), help="the folder of write_forecast and job_load")
    parser.add_argument("--data", help="not used")
    parser.add_argument("--repeat", type=int, default=1, help="how many slurmctlds are asked")
    options = parser.parse_args()
    if options.list:
        for name, what in FIGURES.items():
            print(f"{name}\t{what}")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with tempfile.TemporaryDirectory(prefix="ec-bench-") as name:
            site = Site(pathlib.Path(name), options.tools)
            for figure in options.names or FIGURES:
                print(json.dumps({"name": figure, **MEASURES[figure](site, options.repeat)}), flush=True)
    except Failure as failure:
        print(f"bench_shim: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
