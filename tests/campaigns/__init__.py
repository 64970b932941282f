"""Long tries with faults: each folder has a command, a part in docs/reliability.md, and a canary in `make test`."""
