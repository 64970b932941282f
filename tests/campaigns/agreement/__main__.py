"""Play random games with every option and acts out of turn, forge some of them, and let each verifier judge them.

The program decides, its audit and today's rules read the games again, and the verifiers in JavaScript (node) and Go
read the exports. Then each verifies every stored file, cut after each of its events, and is timed.
"""

import sys

from api.cli.common.processes import progress
from tests.campaigns.agreement.campaign import ProgramMissing, open_readers, read_forgeries, read_games, time_cuts
from tests.campaigns.agreement.forgeries import forgeries
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.tamper.cuts import STORED

SEED = 20261129
EXAMPLES = {
    "--games 200 --forgeries 50 --files 3": "a short run",
    "--seed 7 --first 41 --games 1 --forgeries 0 --files 0": "game 41 of that seed alone",
}
NUMBERS = {
    "games": (10_000, "random games"),
    "first": (1, "the number of the first game, to play one again"),
    "forgeries": (400, "forgeries, each of another game"),
    "files": (len(STORED), "stored files to cut after each event, and to time"),
}


def main() -> None:
    """Run the campaign."""
    given = campaign_parser("tests.campaigns.agreement", __doc__, EXAMPLES, seed=SEED, numbers=NUMBERS).parse_args()
    results = Results("agreement", given.seed)
    try:
        with open_readers() as readers:
            with progress("games", given.games) as told:
                found = read_games(readers, given.games, given.seed, given.first, told)
            results.show(f"{given.games} games", found.lines(), found.faults)
            with progress("forgeries", given.forgeries) as told:
                forged = read_forgeries(readers, forgeries(given.seed, given.forgeries), told)
            results.show(f"{given.forgeries} forgeries", forged.lines(), forged.faults)
            files = STORED[: given.files]
            with progress("files", len(files)) as told:
                timed = time_cuts(readers, files, told)
            results.show(f"{len(files)} files, cut after each event", timed.lines(), timed.faults)
    except ProgramMissing as error:
        sys.exit(str(error))
    results.end()


if __name__ == "__main__":
    main()
