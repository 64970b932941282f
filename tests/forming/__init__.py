"""Tests of tables before the deal: consent, open seats, invitations, rematches, and what follows when they are full."""
