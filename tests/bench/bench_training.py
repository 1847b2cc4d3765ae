#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
"""Figures of forecasts of this machine's own training runs: real jobs on a real Slurm.

Starts a cluster of two hosts (tests/cluster), trains every configuration there once, hides each in
turn from the history and asks `epochcast predict` for it. As an ordinary user a job cannot span two
of the cluster's nodes, so nothing is measured and the exit code says so."""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CLUSTER = HERE.parent / "cluster/cluster"
FIGURES = {
    "forecast.memory": "mean error of the peak memory of a training configuration hidden in turn; %",
    "forecast.cpu": "mean error of the CPU time per epoch of a training configuration hidden in turn; %",
    "forecast.disk": "mean error of the bytes to and from disk per epoch of a configuration hidden in turn; %",
    "forecast.live": "mean error of the time per epoch on 2 nodes, forecast from 1 node; %",
}
# model -> (batches, samples per epoch): epochs of some seconds on one core.
RUNS = {
    "mlp": ((32, 64, 128, 256), 20000),
    "cnn": ((32, 64, 128, 256), 4096),
    "resnet18": ((32, 64, 128), 256),
}
EPOCHS = 4  # the first is a warm-up
REPEATED_BATCH = 64
DATA = "/usr/share/datasets/fashion-mnist"


class Failure(Exception):
    pass


def command(arguments, **options):
    result = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, **options)
    if result.returncode:
        raise Failure(f"{' '.join(map(str, arguments))}: {result.stderr.strip()[-600:]}")
    return result.stdout


class Site:
    """A folder with a configuration for the command, and a fresh history for each question."""

    def __init__(self, folder, tools):
        self.folder = folder
        self.epochcast = tools / "epochcast"
        self.questions = 0

    def ask(self, logs, task, nodes):
        """The forecast that a history of these logs gives, or None."""
        self.questions += 1
        base = self.folder / f"question-{self.questions}"
        base.mkdir()
        config = base / "epochcast.toml"
        config.write_text(
            f'history_dir = "{base}/history"\nforecast_dir = "{base}/forecast.d"\n'
            f'decision_dir = "{base}/decisions"\nprobe_file = "{base}/probe.toml"\n'
            '[[class]]\nname = "node"\nnodes = "node[1-2]"\nprice_per_node_hour = 1\n')
        run = [self.epochcast, "--config", config]
        command([*run, "history", "add", *logs])
        try:
            answer = json.loads(command([*run, "predict", task, "--nodes", nodes, "--json"]))
        except Failure as failure:
            if "no forecast" in str(failure):
                return None
            raise
        finally:
            shutil.rmtree(base)
        return answer["classes"][0]["forecast"]


class Trainer:
    """Trains configurations on the running cluster; knows the epoch log of each."""

    def __init__(self, folder, tools, environment):
        self.folder, self.tools, self.environment = folder, tools, environment
        self.count = 0

    def train(self, model, batch, nodes):
        self.count += 1
        out = self.folder / f"run-{self.count}"
        out.mkdir()
        job = out / "job.toml"
        samples = RUNS[model][1]
        job.write_text(
            f'[[job]]\ntask = "{model}.b{batch}"\nmodel = "{model}"\ndata = "{DATA}"\n'
            f"samples = {samples}\ntest_samples = 0\nbatch = {batch}\nworkers = 1\nepochs = {EPOCHS}\n"
            f'checkpoint = "{out}/checkpoints"\nlog_dir = "{out}/logs"\n')
        command(["srun", "-Q", "--mpi=pmix", f"-N{nodes}", f"-n{nodes}", self.tools / "epochcast-train", job],
                env=self.environment, cwd=out, timeout=600)
        logs = list(out.glob("logs/**/*.h5"))
        if len(logs) != 1:
            raise Failure(f"{model} with batch {batch} on {nodes} nodes left {len(logs)} epoch logs")
        return logs[0]


@contextlib.contextmanager
def cluster(folder):
    directory = folder / "cluster"
    command([CLUSTER, "start", "--dir", directory, "--owner", os.getpid(), "--spec", HERE / "two-nodes.spec"])
    try:
        environment = command(["bash", "-c", f". {directory}/env.sh && env -0"])
        yield dict(pair.split("=", 1) for pair in environment.split("\0") if "=" in pair)
    finally:
        command([CLUSTER, "stop", "--dir", directory])


def means(epochcast, log):
    """Means over the steady epochs of a log: what really was."""
    document = json.loads(command([epochcast, "log", "show", log, "--json"]))
    rows = [r for r in document["logs"][0]["rows"] if r["unit"] == -1 and r["flags"] == ""]
    return {name: statistics.fmean(of(r) for r in rows) for name, of in MEASURED.items()}


MEASURED = {
    "forecast.memory": lambda row: row["peak_memory_bytes"],
    "forecast.cpu": lambda row: row["cpu_s"],
    "forecast.disk": lambda row: row["disk_read_bytes"] + row["disk_written_bytes"],
    "forecast.live": lambda row: row["wall_s"],
}
FORECAST = {
    "forecast.memory": lambda f: f["epoch"]["peak_memory_bytes"],
    "forecast.cpu": lambda f: f["epoch"]["cpu_s"],
    "forecast.disk": lambda f: f["epoch"]["disk_read_bytes"] + f["epoch"]["disk_written_bytes"],
    "forecast.live": lambda f: f["epoch"]["time_s"],
}


def error_percent(name, forecast, measured):
    """What is not forecast counts as 100 %."""
    try:
        value = FORECAST[name](forecast)
    except TypeError:
        return 100.0
    if measured == 0:
        return 0.0 if value == 0 else 100.0
    return abs(value - measured) / measured * 100


def figure(name, errors, detail):
    """One line: `errors` maps what was hidden to its error in percent."""
    values = list(errors.values())
    print(json.dumps({
        "name": name, "value": statistics.fmean(values), "unit": "%", "median": statistics.median(values),
        "min": min(values), "max": max(values), "peer": "", "ratio": None,
        "detail": {"count": len(values), **detail, "by_configuration_pct": errors}}), flush=True)


def measure(names, tools):
    with tempfile.TemporaryDirectory(prefix="ec-bench-") as name:
        folder = pathlib.Path(name)
        site = Site(folder, tools)
        logs, again = {}, {}
        with cluster(folder) as environment:
            trainer = Trainer(folder, tools, environment)
            configurations = [(model, batch) for model, (batches, _) in RUNS.items() for batch in batches]
            for number, (model, batch) in enumerate(configurations, 1):
                if sys.stderr.isatty():
                    print(f"\rtraining {number}/{len(configurations)} ", end="", file=sys.stderr, flush=True)
                for nodes in (1, 2):
                    logs[model, batch, nodes] = trainer.train(model, batch, nodes)
                if batch == REPEATED_BATCH and "forecast.live" in names:
                    again[model, batch, 1] = trainer.train(model, batch, 1)
            if sys.stderr.isatty():
                print(file=sys.stderr)
        measured = {key: means(site.epochcast, log) for key, log in logs.items()}
        hidden = [n for n in names if n != "forecast.live"]
        errors = {n: {} for n in names}
        for key in logs if hidden else ():
            rest = [log for other, log in logs.items() if other != key]
            forecast = site.ask(rest, f"{key[0]}.b{key[1]}", key[2])
            for n in hidden:
                errors[n]["{}.b{}.n{}".format(*key)] = error_percent(n, forecast, measured[key][n])
        for n in hidden:
            figure(n, errors[n], {})
        if "forecast.live" in names:
            live(site, logs, again, measured)


def live(site, logs, again, measured):
    alone = [log for key, log in logs.items() if key[2] == 1]
    errors, repeats = {}, {}
    for key in logs:
        task, text = f"{key[0]}.b{key[1]}", "{}.b{}".format(*key)
        if key[2] == 2:
            forecast = site.ask(alone, task, 2)
            errors[text] = error_percent("forecast.live", forecast, measured[key]["forecast.live"])
        elif key in again:
            time_s = means(site.epochcast, again[key])["forecast.live"]
            repeats[text] = error_percent("forecast.live", site.ask([logs[key]], task, 1), time_s)
    figure("forecast.live", errors, {
        "repeat_on_one_node_mean_pct": statistics.fmean(repeats.values()), "repeat_on_one_node_pct": repeats})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--tools", type=lambda text: pathlib.Path(text).resolve(), help="the folder of epochcast and epochcast-train")
    parser.add_argument("--data", help="not used: the data are this machine's own runs")
    parser.add_argument("--repeat", type=int, default=1, help="not used: every configuration is a repetition")
    options = parser.parse_args()
    if options.list:
        for name, what in FIGURES.items():
            print(f"{name}\t{what}")
        return 0
    if os.geteuid() != 0:
        print("bench_training: a job over two nodes of the test cluster needs root", file=sys.stderr)
        return 1
    try:
        measure(options.names or list(FIGURES), options.tools)
    except Failure as failure:
        print(f"bench_training: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
