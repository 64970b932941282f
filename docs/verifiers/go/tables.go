package main

// The newest version of the fields of rules.
const rulesVersion = 2

// The facts and the records in them: name, newest version, author, fields and their types.
// n is a number, t text, b true or false, o an object, [] a list, ? may be null, +2 gained with version 2 of the fact, and
// in rules with version 2 of the rules.
// Written by `python -m tests.generators.field_table`; changes here are lost.
const factTable = `
GameOpened 3 opener board:n variant:t rules:Rules options:o sides:[[n]] players:[Player] deck:[t] timing:Timing fairness:Fairness reveal:t limits:GameLimits?+2 rated:Rating?+2 watch:Watch+2 undo:t+2 autopilot:t+2
SeatsDrawn 1 server n:n order:[n]
DealerDrawn 1 server n:n seat:n
CeremonyOpened 2 server n:n subject:t commit:t seals:o beacon:t?+2
SeedKept 1 server n:n seed:t
CutOpened 1 seat n:n seat:n cut:t next_seal:t?
BeaconRecorded 1 bringer n:n source:t signature:t cut:t
HandDealt 1 server hand:n redeal:n n:n dealer:n eldest:n counts:[n] stock:n cuts:[[t]] missing:[n] grade:t next:[n]
CardsDealt 1 server n:n seat:n cards:[t]
StockLaid 1 server n:n cards:[t]
MisdealDeclared 1 server hand:n redeal:n seats:[n]
TrumpTurnedUp 1 server hand:n card:t suit:t
CeremonyRevealed 1 server n:n seed:t
CeremonyVoided 1 server n:n reason:t by:t seed:t
CoinFlipped 1 server n:n seats:[n] winner:n
BidMade 1 seat seat:n bid:n next:[n]
BidPassed 1 seat seat:n next:[n]
HandThrownIn 1 server hand:n
AuctionWon 1 server seat:n bid:n forced:b max:b sides:[[n]] next:[n]
TrumpNamed 1 seat seat:n suit:t next:[n]
PartnerCalled 2 seat seat:n card:t next:[n] begins_turn:b+2
PartnerRevealed 1 server bidder:n seat:n? card:t sides:[[n]] next:[n]
CardsDiscarded 1 seat seat:n count:n shown:[t] next:[n]
CardsBuried 1 seat n:n seat:n cards:[t]
CardsDrawn 1 seat seat:n count:n
StockTaken 1 seat seat:n count:n next:[n]
CardsTaken 1 seat n:n seat:n cards:[t]
TrumpPitched 1 seat seat:n suit:t card:t
CardPlayed 1 seat seat:n card:t next:[n]
TrickTaken 1 server hand:n trick:n seat:n plays:[Play] kept:[Play] next:[n]
HandScored 1 server hand:n pegs:[Peg] counts:[n] made:b? changes:[n] scores:[n] tricks:[n] bids:[n?]
RulesChanged 1 any rules:Rules summary:RulesSummary cause:t n:n? label:t? pick:n? of:n? next:[n]
RulesChangeDeferred 1 any rules:Rules summary:RulesSummary cause:t n:n? label:t? pick:n? of:n?
BidScaled 1 server seat:n before:n after:n
PartnersChanged 1 server bidder:n? partner:n? sides:[[n]]
DelayCalled 1 seat seat:n accused:n waited_ms:n
DelayVoted 1 seat seat:n guilty:b
DelayJudged 1 server accused:n guilty:b scores:[n]
DelayDropped 1 server seat:n accused:n
UndoAsked 1 seat seat:n to_version:n
UndoAnswered 1 seat seat:n accept:b
MovesTakenBack 2 server seat:n to_version:n next:[n] begins_turn:b+2
DrawProposed 1 seat seat:n
DrawAnswered 1 seat seat:n accept:b
SeatResigned 1 seat seat:n
SeatForfeited 2 server seat:n reason:t held_ms:n+2
TurnReminded 2 server seat:n held_ms:n+2
TurnTimed 1 server seat:n left_ms:n closed:[[t]] held_ms:n deadline:t
TimeClaimed 1 seat seat:n late:n
HandoverAsked 1 seat seat:n to:t kind:t bot:t?
HandoverAnswered 1 seat seat:n accept:b
SeatHandedOver 1 server seat:n from:t to:t kind:t bot:t?
SeatReturned 1 player seat:n to:t
DisputeOpened 1 anyholder dispute:n seat:n hand:n at_version:n kind:t note:t
DisputeWithdrawn 1 anyholder dispute:n seat:n
RulingGiven 3 arbiter dispute:n decision:t changes:[n] basis:t? standard:t evidence:Evidence note:t voids:n? ruled:Ruled? drops_call:b+2 appeal_until:t?+3
RulingAppealed 1 anyholder dispute:n seat:n
RulingDecided 1 arbiter dispute:n decision:t ruled:Ruled?
GameEnded 1 server reason:t winners:[n] scores:[n] n:n? label:t? ruled:Ruled?
Rules - - variant:t seats:[n] jokers:b hand_sizes:[n] ranks:[t] first_dealer:t partners:t auction:Auction trump:t follow:t points:[Point] settle:t ending:t goal:n? sights:[t] seating:t misdeal:[t] fill:t kept_cards:n version:t off:[t] dirty:b reverse:b keeps:b joker_order:t call:t won_face_down:b tally:t worth:t credit:t defenders:t double:t changes:Changes delay:Delay? stop:t removed:[t]+2 kitty:n+2 throw:t+2 most_thrown:n?+2 opening_lead:t+2 miss:t+2 fixed_trump:t?+2 joker_count:n+2 quirks:[t]+2 rules_v:n
Auction - - bids:[n] of:t least:n contract:b rising:b passing:b hook:b zero_passes:b around:t dealer:t all_pass:t moon:t+2
Point - - name:t award:t worth:n rank:t? off:b needs:[t]
Changes - - menu:[t] versions:[Version] randomizer:Randomizer? host:b scaling:t hold:t
Version - - name:t points:[Point] off:[t]
Randomizer - - when:[n] end:[n]?
Delay - - after_ms:n costs:n
Player - - player:t kind:t bot:t?
Timing - - nag_days:n? forfeit_days:n? total_days:n? ends_at:t? pace:TurnPace?+2
TurnPace - - kind:t base_s:n? move_s:n? increment_s:n? auction_s:n? cap_s:n?
Fairness - - cuts:t window_s:n? beacon:t?+3
GameLimits - - events:n proposals:n
Rating - - counts:b reason:t
Watch - - public:b delay:n
Play - - seat:n card:t
Peg - - point:t worth:n seat:n card:t? credited:b
RulesSummary - - points:t dirty:b reverse:b partners:t
Evidence - - size:n root:t
Ruled - - scores:[n] winners:[n]
`

// The options of each variant: their values, and what each makes of the rules. Null takes free values.
const optionTable = `
{
 "pitch": {
  "win": [[7,{"goal":7}],[11,{"goal":11}],[21,{"goal":21}]],
  "around": [["left",{"auction.around":"left"}],["right",{"auction.around":"right"}]],
  "fifth": [["earned",{"points.4.award":"sweep"}],["bid",{"points.4.award":"sweep_bid"}]],
  "settle": [["bid_first",{"settle":"bid_first"}],["points_first",{"settle":"points_first"}]]
 },
 "setback": {
  "low": [[1,{"dirty":true}],[2,{"dirty":false}]],
  "dealer": [["ties",{"auction.dealer":"ties"}],["ties_or_raises",{"auction.dealer":"ties_or_raises"}]],
  "stick": [["least",{"auction.all_pass":"dealer_bids_least"}],["any",{"auction.all_pass":"dealer_bids"}]]
 },
 "blackout": {
  "hook": [[true,{"auction.hook":true}],[false,{"auction.hook":false}]],
  "inorder": [[true,{"seating":"as_given"}],[false,{"seating":"drawn"}]]
 },
 "corellian": {
  "randomizer": null,
  "ends_at": null,
  "host_changes": [[false,{"changes.host":false}],[true,{"changes.host":true}]],
  "ten": [["card",{"points.1.award":"card","points.1.name":"off_jack","points.1.off":true,"points.1.rank":"J","points.2.award":"jokers","points.2.name":"joker","points.2.off":false,"points.2.rank":null,"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.1.award":"count","points.1.name":"game","points.1.off":false,"points.1.rank":null,"points.2.award":"card","points.2.name":"off_jack","points.2.off":true,"points.2.rank":"J","points.3.award":"jokers","points.3.name":"joker","points.3.rank":null}]],
  "deal": [["fill",{"fill":"discard","hand_sizes.0":9}],["all",{"fill":"pitcher_takes","hand_sizes.0":13}]],
  "follow": [["trumps",{"follow":"trumps_only"}],["suit_or_trump",{"follow":"suit_or_trump"}]],
  "jokers": [["first_high",{"joker_order":"first_high"}],["first_low",{"joker_order":"first_low"}]],
  "worth": [["at_end",{"worth":"at_end"}],["when_taken",{"worth":"when_taken"}]],
  "scaling": [["standing",{"changes.scaling":"standing"}],["original",{"changes.scaling":"original"}]],
  "call": [["announced",{"call":"announced"}],["secret",{"call":"secret"}]],
  "credit": [["full",{"credit":"full"}],["own",{"credit":"own"}],["half",{"credit":"half"}]],
  "defenders": [["full",{"defenders":"full"}],["own",{"defenders":"own"}],["none",{"defenders":"none"}]],
  "double": [["when_made",{"double":"when_made"}],["at_end",{"double":"at_end"}]],
  "hold": [["hand",{"changes.hold":"hand"}],["verdict",{"changes.hold":"verdict"}]],
  "stop": [["at_once",{"stop":"at_once"}],["after_hand",{"stop":"after_hand"}]]
 },
 "ten-point": {
  "least": [[5,{"auction.least":5}],[4,{"auction.least":4}]],
  "all_pass": [["dealer_has_it",{"auction.all_pass":"dealer_has_it"}],["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]],
  "goal": [[52,{"goal":52}],[32,{"goal":32}],[31,{"goal":31}]],
  "moon": [["game",{"auction.moon":"game"}],["double",{"auction.moon":"double"}]]
 },
 "ten-point-five": {
  "least": [[5,{"auction.least":5}],[4,{"auction.least":4}]],
  "all_pass": [["dealer_has_it",{"auction.all_pass":"dealer_has_it"}],["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]],
  "dealt": [["kitty",{"kitty":4,"removed":[]}],["no_fours",{"kitty":0,"removed":["4C","4D","4H","4S"]}]]
 },
 "ten-point-teams": {
  "least": [[5,{"auction.least":5}],[4,{"auction.least":4}]],
  "all_pass": [["dealer_has_it",{"auction.all_pass":"dealer_has_it"}],["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]],
  "goal": [[52,{"goal":52}],[32,{"goal":32}],[31,{"goal":31}]],
  "moon": [["game",{"auction.moon":"game"}],["double",{"auction.moon":"double"}]],
  "dealt": [["kitty",{"hand_sizes.0":8,"kitty":6}],["nine",{"hand_sizes.0":9,"kitty":0}]]
 },
 "ten-point-pairs": {
  "least": [[5,{"auction.least":5}],[4,{"auction.least":4}]],
  "all_pass": [["dealer_has_it",{"auction.all_pass":"dealer_has_it"}],["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]],
  "goal": [[52,{"goal":52}],[32,{"goal":32}],[31,{"goal":31}]],
  "dealt": [["kitty",{"hand_sizes.0":8,"kitty":6}],["nine",{"hand_sizes.0":9,"kitty":0}]]
 },
 "seven-point": {
  "ending": [["bidder_first",{"ending":"bidder_first"}],["bidder_only",{"ending":"bidder_only"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]]
 },
 "thirteen-point": {
  "least": [[4,{"auction.least":4}],[5,{"auction.least":5}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]]
 },
 "smear": {
  "all_pass": [["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["highest",{"ending":"highest"}],["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "joker": [[0,{"joker_count":0}],[1,{"joker_count":1}]]
 },
 "pedro": {
  "least": [[6,{"auction.least":6}],[7,{"auction.least":7}]],
  "goal": [[62,{"goal":62}],[52,{"goal":52}],[91,{"goal":91}]],
  "ending": [["bidder_first",{"ending":"bidder_first"}],["bidder_only",{"ending":"bidder_only"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]]
 },
 "cinch": {
  "made": [["difference",{"tally":"difference"}],["own",{"tally":"points"}]]
 },
 "four-point-kitty": {
  "draw": [[false,{"fill":"kitty"}],[true,{"fill":"kitty_and_draw"}]]
 },
 "setback-21": {
  "five": [[false,{"auction.bids":[2,3,4],"points":[{"name":"high","award":"highest","worth":1,"rank":null,"off":false,"needs":[]},{"name":"low","award":"lowest","worth":1,"rank":null,"off":false,"needs":[]},{"name":"jack","award":"card","worth":1,"rank":"J","off":false,"needs":[]},{"name":"game","award":"count","worth":1,"rank":null,"off":false,"needs":[]}]}],[true,{"auction.bids":[2,3,4,5],"points":[{"name":"high","award":"highest","worth":1,"rank":null,"off":false,"needs":[]},{"name":"low","award":"lowest","worth":1,"rank":null,"off":false,"needs":[]},{"name":"jack","award":"card","worth":1,"rank":"J","off":false,"needs":[]},{"name":"game","award":"count","worth":1,"rank":null,"off":false,"needs":[]},{"name":"all_tricks","award":"all_tricks","worth":1,"rank":null,"off":false,"needs":[]}]}]]
 },
 "oh-hell": {
  "largest": [[10,{}],["most",{}]],
  "order": [["up_down",{}],["down_up",{}]],
  "trump": [["turned",{"fixed_trump":null,"trump":"turned_up"}],["spades",{"fixed_trump":"S","trump":"fixed"}]],
  "ties": [["bids_made",{"ending":"hands"}],["shared",{"ending":"hands_shared"}]]
 },
 "oh-hell-tricks": {
  "largest": [[10,{}],["most",{}]],
  "order": [["up_down",{}],["down_up",{}]],
  "trump": [["turned",{"fixed_trump":null,"trump":"turned_up"}],["spades",{"fixed_trump":"S","trump":"fixed"}]],
  "ties": [["bids_made",{"ending":"hands"}],["shared",{"ending":"hands_shared"}]]
 },
 "oh-hell-minus": {
  "largest": [[10,{}],["most",{}]],
  "order": [["up_down",{}],["down_up",{}]],
  "trump": [["turned",{"fixed_trump":null,"trump":"turned_up"}],["spades",{"fixed_trump":"S","trump":"fixed"}]],
  "ties": [["bids_made",{"ending":"hands"}],["shared",{"ending":"hands_shared"}]],
  "miss": [["bid_and_ten",{"miss":"bid_and_ten"}],["bid",{"miss":"bid"}],["ten_each",{"miss":"ten_each"}]]
 }
}
`

// The rules that a randomizer changes if the option doesn't say, and the most that it may change.
const randomizerTable = `{"usual": {"when": [1, 16], "end": [1, 240], "points": ["4", "5", "7", "8", "10", "11", "13", "14"], "dirty": true, "reverse": true, "partners": ["across", "left", "right", "call"]}, "turns": 1000000, "points": ["4", "5", "6", "7", "8", "9", "10", "11", "11b", "13", "14", "16"], "partners": ["across", "left", "right", "call"]}`
