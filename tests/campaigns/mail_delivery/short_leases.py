"""Starts the programs of mail quickly, by fork, with leases of a second for mails that a killed process was sending.

Each line of standard input is the arguments of `trickbook` as JSON. The answer is the process id, then what the
program says first.
"""

import json
import os
import signal
import sys
from dataclasses import replace

from api.cli.main import main
from api.delivery.stored import queue


def run() -> None:
    """Start a program for each line."""
    queue.QUEUES |= {name: replace(retries, lease_s=1) for name, retries in queue.QUEUES.items()}
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            sys.argv = ["trickbook", *json.loads(line)]
            main()
        sys.stdout.write(f"{process}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    run()
