"""Run `trickbook` without the statement that makes commits durable: `... kills.unsafe_program serve`.

The control of the kill tests: on a database with `synchronous_commit = off`, a crash must lose its moves.
"""

from api.cli.main import main
from domain.store import postgres_pool

if __name__ == "__main__":
    postgres_pool.RAISE_DURABILITY = "SELECT 1"
    main()
