"""The games of the bench about big stores are real games, of every variant."""

from bench.storage.short_games import TABLES, is_active, short_game


def test_short_games_end_unless_they_are_active() -> None:
    games = [short_game(number, 1000) for number in range(len(TABLES))]
    for number, game in enumerate(games):
        assert [version for _, version, _, _ in game.rows] == list(range(1, len(game.rows) + 1))
        assert game.is_over is not is_active(number)
