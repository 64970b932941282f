"""Commit subjects are imperative and short."""

import subprocess

import pytest

from tests.layout.commits import fault, subjects
from tests.layout.product import ROOT


def test_every_commit_since_the_rule_has_a_good_subject() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this copy of the project has no history")
    try:
        found = list(subjects())
    except subprocess.CalledProcessError as error:
        pytest.skip(f"git can't read the history: {error.stderr}")
    assert {short: fault(subject) for short, subject in found if fault(subject) is not None} == {}


def test_a_bad_subject_is_found_and_a_good_one_passes() -> None:
    bad = ["Renamed the cache", "Adding a cache", "Renames the cache", "rename the cache", "Rename the cache."]
    bad += ["The cache is renamed", "A cache of aggregates", "Rename " + "x" * 66]
    assert [subject for subject in bad if fault(subject) is None] == []
    good = ["Rename the cache", "Pass the key on", "Speed up the audit", "Embed a hand"]
    assert [subject for subject in good if fault(subject) is not None] == []
