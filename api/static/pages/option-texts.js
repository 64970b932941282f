/** What the options of the variants do, in words: a label for each option, and words for each of its values. */

import { define, has, t } from "../base/messages.js";
import { valueWords } from "./words.js";

/** Return an option's label. An option that has none here is shown by its name. */
export const labelOf = ({ name }) => (hasLabel(name) ? t(`option.label.${name}`) : capital(name.replaceAll("_", " ")));

/** Return whether the label and the values say what the option does, without its description. */
export const hasLabel = (name) => has(`option.label.${name}`);

/** Return a value of an option in words. */
export const optionWords = (name, value) => (has(`option.value.${name}.${value}`) ? t(`option.value.${name}.${value}`) : valueWords(value));

/** Return a text with a capital at its beginning. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

define({
  "option.label.around": "The bidding goes",
  "option.label.call": "A called partner becomes known",
  "option.label.credit": "Pitcher and partner each score",
  "option.label.deal": "The deal",
  "option.label.dealer": "Over another bid, the dealer can",
  "option.label.defenders": "The other side's players each score",
  "option.label.double": "Being set costs double if",
  "option.label.ends_at": "The session ends at",
  "option.label.fifth": "The fifth point, for high, low, jack and all tricks, goes to",
  "option.label.follow": "Cards that can be played",
  "option.label.hold": "A delay call holds changes back",
  "option.label.hook": "The bids must not add up to the number of tricks",
  "option.label.host_changes": "The player who makes the table may change the rules",
  "option.label.inorder": "The players sit in the order in which you name them",
  "option.label.jokers": "In reverse, the higher joker is",
  "option.label.low": "The point for low goes to",
  "option.label.randomizer": "Rules that change by chance",
  "option.label.scaling": "When the points change, the bid follows from",
  "option.label.settle": "A pitcher who falls short of the bid",
  "option.label.stick": "If all others pass, the dealer bids",
  "option.label.stop": "When the time is up, the session ends",
  "option.label.ten": "The tenth point goes to",
  "option.label.win": "Points to win the game",
  "option.label.worth": "Cards score by the rules",
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
  "option.value.defenders.full": "all points of their side",
  "option.value.defenders.none": "nothing",
  "option.value.defenders.own": "the points they took",
  "option.value.double.at_end": "the bid is all points at the end",
  "option.value.double.when_made": "the bid was all points when made",
  "option.value.fifth.bid": "only a pitcher who bid five",
  "option.value.fifth.earned": "any player who earns it",
  "option.value.follow.suit_or_trump": "the suit led, or trumps",
  "option.value.follow.trumps": "only trumps",
  "option.value.hold.hand": "until the hand is over",
  "option.value.hold.verdict": "until the verdict",
  "option.value.jokers.first_high": "the one that is played first",
  "option.value.jokers.first_low": "the one that is played second",
  "option.value.low.1": "the player who takes the card",
  "option.value.low.2": "the player who was dealt it",
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
  "option.value.worth.at_end": "in force at the hand's end",
  "option.value.worth.when_taken": "in force when they are taken",
});
