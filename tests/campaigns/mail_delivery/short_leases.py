"""Starts the programs of mail quickly, by fork, with leases of a second for mails that a killed process was sending.

Each line of standard input is the arguments of `trickbook` as JSON. The answer is the process id, then what the
program says first.
"""

import json
import os
import signal
import sys

from api.cli.main import main
from api.mail.stored import answers, board_mails


def run() -> None:
    """Start a program for each line."""
    board_mails.LEASE_US = answers.LEASE_US = 1_000_000
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
