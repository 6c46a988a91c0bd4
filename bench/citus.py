"""Measures the store on a Citus cluster: CPU per recall on the coordinator, the workers and here.

A bank is told to an embedded store once, copied into a cluster whose nodes run on this machine, and
asked by one caller, in turns through the coordinator and directly where it lives; a number is the
median of the rounds. Whatever is in the schema `scrubjay` of the database is dropped first.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from statistics import median

from tests.store.postgres.citus_cluster import bare, nodes
from tests.store.postgres.postgres_server import sql

from bench import machine
from bench.machine import Result, rounded, summary
from bench.postgres import Served, fill, opened
from bench.workload import Workload, add_workload_options, built, workload_of
from scrubjay.answers import RecallOptions
from scrubjay.store.postgres import administration
from scrubjay.types.values import Json

WAYS = {"through_coordinator": "scrubjay_route=0", "at_home": "scrubjay_route=1"}


def main(arguments: list[str]) -> int:
    """Run the benchmark; 0 when it could be measured."""
    parser = argparse.ArgumentParser(prog="scrubjay bench citus", description=__doc__)
    parser.add_argument("--url", required=True, help="a database on the coordinator, as superuser")
    parser.add_argument("--units", type=int, default=100_000, help="size of the bank")
    parser.add_argument("--questions", type=int, default=100, help="asked one after the other")
    parser.add_argument("--rounds", type=int, default=5, help="how often all are asked, each way")
    add_workload_options(parser)
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    workload = workload_of(options)
    origin = built(workload, options.units, options.stores)
    bare(options.url)
    administration.bring_up_to_date(options.url)
    administration.distribute(options.url)
    fill(origin, options.url)
    # Or the servers do it by themselves while they are measured.
    sql(options.url, "VACUUM ANALYZE")
    rounds = [
        {
            name: asked(workload, f"{options.url}?{way}", options.questions)
            for name, way in WAYS.items()
        }
        for _ in range(options.rounds)
    ]
    numbers: dict[str, Json] = {
        "versions": versions(options.url),
        "nodes": len(nodes(options.url)),
        **{name: of_all([each[name] for each in rounds]) for name in WAYS},
    }
    parameters: dict[str, Json] = {
        "corpus": options.corpus, "units": options.units, "questions": options.questions,
        "rounds": options.rounds,
    }  # fmt: skip
    machine.report(Result("citus", arguments, parameters, numbers), options.json)
    return 0


def versions(url: str) -> dict[str, Json]:
    """What runs on the nodes."""
    vector = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    return {
        "postgres": sql(url, "SHOW server_version"),
        "citus": sql(url, "SELECT split_part(citus_version(), ' ', 2)"),
        "pgvector": sql(url, vector),
    }


@dataclass(frozen=True, slots=True)
class Asked:
    """What one round of questions took: CPU per recall on every side, and the time of each."""

    coordinator_ms: float
    workers_ms: float
    client_ms: float
    wall_ms: list[float]


def asked(workload: Workload, url: str, count: int) -> Asked:
    """One caller asks; every question was asked once before."""
    servers = [Served(node.url, node.pid) for node in nodes(url.partition("?")[0])]
    questions = [question.text for question in workload.questions(count)]
    options = RecallOptions(limit=10)
    with opened(workload, Served(url, 0), 8) as (bank, _):
        for text in questions:
            bank.recall(text, options)
        begun, client = [], time.process_time()
        before = [server.cpu_s() for server in servers]
        for text in questions:
            start = time.perf_counter()
            bank.recall(text, options)
            begun.append((time.perf_counter() - start) * 1e3)
        client_ms = (time.process_time() - client) * 1e3 / count
        spent = [
            (server.cpu_s() - was) * 1e3 / count
            for server, was in zip(servers, before, strict=True)
        ]
    return Asked(spent[0], sum(spent[1:]), client_ms, begun)


def of_all(rounds: list[Asked]) -> dict[str, Json]:
    """The numbers of all rounds of one way."""
    workers = [each.workers_ms for each in rounds]
    return {
        "coordinator_cpu_ms": rounded(median(each.coordinator_ms for each in rounds)),
        "workers_cpu_ms": rounded(median(workers)),
        "workers_cpu_ms_range": [rounded(min(workers)), rounded(max(workers))],
        "client_cpu_ms": rounded(median(each.client_ms for each in rounds)),
        "wall_ms": summary([ms for each in rounds for ms in each.wall_ms]),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
