"""The store tests run on a real, durable server."""

import psycopg


def test_acknowledged_data_is_on_the_disk(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute("SELECT current_setting(%s)", (setting,)).fetchone() == ("on",)
