"""Mutation tests: single changes of the program, each of which a test must notice.

`make mutants` runs all of them, `make mutants SAMPLE=40` a sample that the commit's id draws. CONTRIBUTING.md says how.
"""
