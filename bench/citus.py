"""Measures the store on a Citus cluster: CPU per recall on the coordinator, the workers and here.

A bank is told to an embedded store once, copied into a cluster whose nodes run on this machine, and
asked by one caller, first through the coordinator and then directly where it lives. Whatever is in
the schema `scrubjay` of the database is dropped first.
"""

from __future__ import annotations

import argparse
import sys
import time

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
    add_workload_options(parser)
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    workload = workload_of(options)
    origin = built(workload, options.units, options.stores)
    bare(options.url)
    administration.bring_up_to_date(options.url)
    administration.distribute(options.url)
    fill(origin, options.url)
    numbers: dict[str, Json] = {
        "versions": versions(options.url),
        "nodes": len(nodes(options.url)),
        **{
            name: asked(workload, options.url, way, options.questions) for name, way in WAYS.items()
        },
    }
    parameters: dict[str, Json] = {
        "corpus": options.corpus, "units": options.units, "questions": options.questions,
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


def asked(workload: Workload, url: str, way: str, count: int) -> dict[str, Json]:
    """One caller: CPU on every side, and time; every question was asked once before."""
    servers = [Served(node.url, node.pid) for node in nodes(url)]
    questions = [question.text for question in workload.questions(count)]
    options = RecallOptions(limit=10)
    with opened(workload, Served(f"{url}?{way}", 0), 8) as (bank, _):
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
    return {
        "coordinator_cpu_ms": rounded(spent[0]),
        "workers_cpu_ms": rounded(sum(spent[1:])),
        "client_cpu_ms": rounded(client_ms),
        "wall_ms": summary(begun),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
