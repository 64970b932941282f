"""Rulings: decisions on a scored hand and on a live one; the score as played and as ruled."""

from tests.api import fairdeal_reference as fair
from tests.api.arbiters import appeal, created, decide, give_ruling, open_dispute, open_disputed_game, scores
from tests.api.conftest import check_problem
from tests.api.live_server import GameServer, data_of, last_move


def test_the_ruling_none_leaves_the_score_unchanged(server: GameServer) -> None:
    game = open_disputed_game(server)
    played = scores(game)
    told = created(open_dispute(game, 0))
    assert (told["dispute"], [line["event"]["fact"] for line in told["events"]]) == (1, ["DisputeOpened"])
    size, root = game.log
    created(give_ruling(game, "rhea", "none"))
    view = game.public
    assert (view["ruled"], scores(game)) == (None, played)
    assert [(each["status"], each["decision"]) for each in view["disputes"]] == [("ruled", "none")]
    (ruling,) = data_of(game.read().events, "RulingGiven")
    assert ruling["evidence"] == {"size": size, "root": root}, "the log as it stood"
    assert game.read().roots[size].hex() == root


def test_the_ruling_adjust_changes_only_the_scores_as_ruled(server: GameServer) -> None:
    game = open_disputed_game(server)
    played, changes = scores(game), [-3, 2, 0]
    created(open_dispute(game, 2))
    outcome = created(give_ruling(game, "rhea", "adjust", changes=changes, basis="R-P7"))["outcome"]
    ruled = [a + b for a, b in zip(played, changes, strict=True)]
    assert (outcome["status"], outcome["decision"], outcome["changes"]) == ("ruled", "adjust", changes)
    assert (outcome["basis"], outcome["scores"], outcome["ruled"]["scores"]) == ("R-P7", played, ruled)
    assert outcome["text"] == game.seats[0].get(f"{game.path}/disputes").get_json()["items"][0]["ruling"]["text"]
    server.follow()
    for view in (game.public, game.view(0), game.seats[1].get(f"{game.path}/scoreboard").get_json()):
        assert view["ruled"]["scores"] == ruled
    assert scores(game) == game.public["last_hand"]["scores"] == played
    before = scores(game)
    game.play_hand()
    after = data_of(game.read().events, "HandScored")[-1]
    assert after["scores"] == [a + b for a, b in zip(before, after["changes"], strict=True)], "without rulings"
    assert game.public["ruled"]["scores"] == [a + b for a, b in zip(after["scores"], changes, strict=True)]


def test_a_live_hand_is_played_on_or_voided(server: GameServer) -> None:
    """A void reveals the deal at once; the same dealer deals again, with redeal + 1 and a new commitment."""
    game = open_disputed_game(server, reveal="game")
    game.play(lambda view: view["phase"] == "play")
    created(open_dispute(game, 0, hand=2))
    check_problem(give_ruling(game, "rhea", "adjust", changes=[1, 0, 0]), 409, "hand-in-play")
    before = game.public["hand"]
    created(give_ruling(game, "rhea", "void"))
    now = game.public
    assert (now["phase"], now["hand"]["number"], now["hand"]["redeal"]) == ("auction", 2, 1)
    assert (now["hand"]["dealer"], now["hand"]["eldest"]) == (before["dealer"], before["eldest"])
    assert now["hand"]["commit"] != before["commit"]
    live = game.read().events
    assert fair.check_deal(live, 2)["hand"] == 2, "shown at once, though the table reveals at the end"
    assert not fair.ceremony_data(live, 1, "CeremonyRevealed")
    assert fair.ceremony_data(live, 3, "CeremonyOpened")[0]["subject"] == "deal hand 2 redeal 1"
    assert data_of(live, "RulingGiven")[0]["voids"] == 2
    created(appeal(game, 1))
    created(decide(game, "sol", "reversed"))
    assert game.public["hand"]["redeal"] == 1, "dealt again it stays"
    game.finish()
    assert fair.check_deal(game.facts, 3)["redeal"] == 1


def test_a_dispute_does_not_make_a_move_stale(server: GameServer) -> None:
    game = open_disputed_game(server)
    seen, seat = game.public["version"], game.public["turn"]["seats"][0]
    move = last_move(game.view(seat))
    created(open_dispute(game, 0, hand=2))
    assert game.move(seat, move, If_Match=f'"{seen}"').status_code == 201
    seen, seat = game.public["version"], game.public["turn"]["seats"][0]
    move = last_move(game.view(seat))
    created(give_ruling(game, "rhea", "void"))
    check_problem(game.move(seat, move, If_Match=f'"{seen}"'), 412, "stale-version")
