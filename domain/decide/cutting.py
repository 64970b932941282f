"""Decide cuts of the deck, by players and by a beacon (fairdeal/1)."""

from domain.commands import CutDeck, RecordBeacon
from domain.engine.cuts import cut_mode, is_beacon_missing, is_hex, missing_cutters, pending_deal
from domain.events import BeaconRecorded, CutOpened, Fact
from domain.protocols import beacon, fairdeal
from domain.rejections import AlreadyCut, NoBeacon, NoCut, NotACut, NotAsSealed, WrongBeacon, WrongCommitment
from domain.rules.choices import Cuts
from domain.state import State


def cut_deck(state: State, command: CutDeck) -> tuple[Fact, ...]:
    """Accept one cut per seat and ceremony; it quotes the commitment and matches its seal, if any (fairdeal/1)."""
    ceremony, seat = pending_deal(state), command.seat
    if cut_mode(state) == Cuts.NONE or ceremony is None:
        raise NoCut("No deal is waiting for cuts now.")
    if seat in state.barred:
        raise NoCut("You withheld a cut that you had sealed. Your cuts are ignored for the rest of the game.")
    if (command.n, command.commit) != (ceremony.n, ceremony.commit):
        raise WrongCommitment(f"The waiting deal is ceremony {ceremony.n}, with the commitment {ceremony.commit}.")
    if seat not in missing_cutters(state, ceremony):
        raise AlreadyCut("You have already cut for this deal.")
    _validate_cut(state, command)
    sealed = dict(ceremony.seals).get(seat)
    if sealed is not None and fairdeal.seal(state.game, str(seat), bytes.fromhex(command.cut)).hex() != sealed:
        raise NotAsSealed(f"You sealed a different cut for this deal. Its seal is {sealed}.")
    return (CutOpened(ceremony.n, seat, command.cut, command.next_seal),)


def _validate_cut(state: State, command: CutDeck) -> None:
    if not is_hex(command.cut):
        raise NotACut("A cut is 32 bytes, written as 64 digits 0 to 9 and a to f.")
    if command.next_seal is None:
        return
    if cut_mode(state) != Cuts.SEALED:
        raise NotACut("This table takes open cuts. Set next_seal to null.")
    if not is_hex(command.next_seal):
        raise NotACut("A seal is 32 bytes, written as 64 digits 0 to 9 and a to f.")


def record_beacon(state: State, command: RecordBeacon) -> tuple[Fact, ...]:
    """Accept the signature of the round that the ceremony named, from anybody at the table, once it's published."""
    ceremony = pending_deal(state)
    if ceremony is None or not is_beacon_missing(ceremony):
        raise NoBeacon("No deal is waiting for a beacon now.")
    if (command.n, command.source) != (ceremony.n, ceremony.beacon):
        raise WrongBeacon(f"The waiting deal is ceremony {ceremony.n}, and its round is {ceremony.beacon}.")
    published = beacon.publication_time(command.source)
    if published is None or command.at < published:
        raise WrongBeacon(f"The round {command.source} is published at {published}, and not known before.")
    if not beacon.is_signed(command.source, command.signature):
        raise WrongBeacon(f"This isn't the signature of {command.source}.")
    cut = beacon.cut_of(command.signature)
    return (BeaconRecorded(ceremony.n, command.source, command.signature, cut),)
