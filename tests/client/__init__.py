"""Tests of the client for programs, api.client, on real servers."""
