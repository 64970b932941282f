"""Entry point of `python -m api.cli`, the same as `trickbook`."""

from api.cli.main import main

if __name__ == "__main__":
    main()
