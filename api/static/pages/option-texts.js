/** What the options of the variants do, in words: a label for each option, and words for each of its values. */

import { h } from "../base/dom.js";
import { define, has, t } from "../base/messages.js";
import { valueWords } from "./words.js";

/** Return an option's label. An option that has none here is shown by its name. */
export const labelOf = ({ name }) => (hasLabel(name) ? t(`option.label.${name}`) : capital(name.replaceAll("_", " ")));

/**
 * Return what an option does, if its label and its values don't say it all. Of one that has no label here, the server's
 * sentence is English.
 */
export function saysOf({ name, says }) {
  if (!hasLabel(name)) return h("span", { lang: "en" }, `${capital(says)}.`);
  return has(`option.says.${name}`) ? t(`option.says.${name}`) : null;
}

/** Return the label of a part of an option. */
export function partLabel(option, { name, says }) {
  const key = `option.part.${option.name}.${name}`;
  return has(key) ? t(key) : capital(says);
}

const hasLabel = (name) => has(`option.label.${name}`);

/** Return a value of an option in words. */
export const optionWords = (name, value) => (has(`option.value.${name}.${value}`) ? t(`option.value.${name}.${value}`) : valueWords(value));

/** Return a text with a capital at its beginning. */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

define({
  "option.label.all_pass": "If nobody bids",
  "option.label.around": "The bidding goes",
  "option.label.call": "A called partner becomes known",
  "option.label.credit": "Pitcher and partner each score",
  "option.label.deal": "The deal",
  "option.label.dealer": "Over another bid, the dealer can",
  "option.label.dealt": "The deal and the kitty",
  "option.label.defenders": "The other side's players each score",
  "option.label.double": "Being set costs double if",
  "option.label.draw": "The others discard and draw, too",
  "option.label.ending": "At the goal, the winner is",
  "option.label.ends_at": "The session ends at",
  "option.label.fifth": "The fifth point, for high, low, jack and all tricks, goes to",
  "option.label.five": "A bid of five, for all the tricks",
  "option.label.follow": "Cards that can be played",
  "option.label.goal": "Points to win the game",
  "option.label.higher_joker": "The higher joker is",
  "option.label.hold": "A delay call holds changes back",
  "option.label.hook": "The bids must not add up to the number of tricks",
  "option.label.host_changes": "The player who makes the table may change the rules",
  "option.label.inorder": "The players sit in the order in which you name them",
  "option.label.joker": "For game, the joker counts",
  "option.label.jokers": "In reverse, the higher joker is",
  "option.label.largest": "The largest hand has",
  "option.label.last_point": "The last point goes to",
  "option.label.least": "The lowest bid",
  "option.label.low": "The point for low goes to",
  "option.label.made": "If the bid is made",
  "option.label.miss": "A missed bid costs",
  "option.label.moon": "Shooting the moon wins or loses",
  "option.label.order": "The hands",
  "option.label.randomizer": "Rules that change by chance",
  "option.label.scaling": "When the points change, the bid follows from",
  "option.label.settle": "A pitcher who falls short of the bid",
  "option.label.stick": "If all others pass, the dealer bids",
  "option.label.stop": "When the time is up, the session ends",
  "option.label.ten": "The tenth point goes to",
  "option.label.ties": "A tie for the highest score goes to",
  "option.label.trump": "Trump is",
  "option.label.two": "The point for the two goes to",
  "option.label.win": "Points to win the game",
  "option.label.worth": "Cards score by the rules",
  "option.part.randomizer.dirty": "Dirty can be switched on and off",
  "option.part.randomizer.end": "The session ends before a turn",
  "option.part.randomizer.partners": "The pitcher's partner can become",
  "option.part.randomizer.points": "The points of a hand can change to",
  "option.part.randomizer.reverse": "The order of the cards can be turned around, and back",
  "option.part.randomizer.when": "A rule changes before a turn",
  "option.says.randomizer": "The table draws before each turn whether a rule changes, and whether the session ends.",
  "option.value.all_pass.dealer_has_it": "the dealer has the hand for the lowest bid",
  "option.value.all_pass.same_dealer": "the same dealer deals again",
  "option.value.all_pass.throw_in": "the next player deals",
  "option.value.around.left": "to the left",
  "option.value.around.right": "to the right",
  "option.value.call.announced": "at the next trick",
  "option.value.call.secret": "when the card is played",
  "option.value.credit.full": "all points of their side",
  "option.value.credit.half": "half of these points",
  "option.value.credit.own": "the points they took",
  "option.value.deal.all": "all cards, no discards",
  "option.value.deal.fill": "nine cards, then discard and fill",
  "option.value.dealer.ties": "tie it",
  "option.value.dealer.ties_or_raises": "tie it or raise it",
  "option.value.dealt.kitty": "a kitty for the pitcher",
  "option.value.dealt.nine": "nine cards each, no kitty",
  "option.value.dealt.no_fours": "a deck without fours, no kitty",
  "option.value.defenders.full": "all points of their side",
  "option.value.defenders.none": "nothing",
  "option.value.defenders.own": "the points they took",
  "option.value.double.at_end": "the bid is all points at the end",
  "option.value.double.when_made": "the bid was all points when made",
  "option.value.ending.bidder_first": "the pitcher's side if it made its bid, else the highest score",
  "option.value.ending.bidder_only": "only the pitcher's side, with a bid that it made",
  "option.value.ending.highest": "the highest score",
  "option.value.fifth.bid": "only a pitcher who bid five",
  "option.value.fifth.earned": "any player who earns it",
  "option.value.follow.suit_or_trump": "the suit led, or trumps",
  "option.value.follow.trumps": "only trumps",
  "option.value.higher_joker.first": "the one that is played first",
  "option.value.higher_joker.lowest": "the first, and both rank below the two",
  "option.value.higher_joker.marked": "always X1",
  "option.value.higher_joker.second": "the one that is played second",
  "option.value.hold.hand": "until the hand is over",
  "option.value.hold.verdict": "until the verdict",
  "option.value.jokers.first_high": "the one that is played first",
  "option.value.jokers.first_low": "the one that is played second",
  "option.value.largest.10": "ten cards",
  "option.value.largest.most": "as many cards as leave one to turn up",
  "option.value.last_point.game": "the highest game count",
  "option.value.last_point.ten": "the player who takes the ten",
  "option.value.low.1": "the player who takes the card",
  "option.value.low.2": "the player who was dealt it",
  "option.value.made.difference": "the better side scores the difference",
  "option.value.made.own": "each side scores its own points",
  "option.value.miss.bid": "the bid",
  "option.value.miss.bid_and_ten": "the bid and ten",
  "option.value.miss.ten_each": "the bid, and ten for each trick too many or too few",
  "option.value.moon.double": "twice all the points",
  "option.value.moon.game": "the game",
  "option.value.order.down_up": "shrink and then grow",
  "option.value.order.up_down": "grow and then shrink",
  "option.value.randomizer.partners.across": "the seat across",
  "option.value.randomizer.partners.call": "the holder of a called card",
  "option.value.randomizer.partners.left": "the seat to the left",
  "option.value.randomizer.partners.right": "the seat to the right",
  "option.value.scaling.original": "the bid that was made",
  "option.value.scaling.standing": "the bid as it stands",
  "option.value.settle.bid_first": "can't win the game in that hand",
  "option.value.settle.points_first": "can win it by points that come first",
  "option.value.stick.any": "2, 3 or 4",
  "option.value.stick.least": "2",
  "option.value.stop.after_hand": "after the hand",
  "option.value.stop.at_once": "at once",
  "option.value.ten.card": "the player who takes the ten",
  "option.value.ten.game": "the highest game count",
  "option.value.ties.bids_made": "the player with more bids made, then a coin",
  "option.value.ties.shared": "all who tie",
  "option.value.trump.spades": "always spades",
  "option.value.trump.turned": "the suit turned up",
  "option.value.two.kept": "the player who plays it",
  "option.value.two.taker": "the player who takes it",
  "option.value.worth.at_end": "in force at the hand's end",
  "option.value.worth.when_taken": "in force when they are taken",
});
