/**
 * What a player writes in the box, as a whole command line: the game and the board are those of the page, unless the line
 * names them.
 */

/** The commands of the server, which stand alone. A test compares both lists with the server's table. */
export const ALONE = [
  "help", "signup", "add", "change", "code", "signoff", "delete", "list", "all", "set", "message", "broadcast",
  "multiple",
];
/** The commands of a game, with whether a board follows. */
export const OF_GAME = {
  help: false, challenge: false, join: true, leave: true, cancel: true, move: true, preview: true, queue: true,
  submit: true, confirm: true, undo: true, propose: true, accept: true, reject: true, claim: true, resign: true, chat: true, show: true, showas: true,
  games: false, standings: false, ratings: false, set: false, history: false, hand: true, transcript: true, audit: true,
  dispute: true,
};
/** Other words for them. */
export const ALIASES = { chall: "challenge", decline: "leave", mvoe: "move", board: "move", rankings: "ratings" };
const GAMES = [
  "pitch", "setback", "blackout", "corellian", "ten-point", "ten-point-five", "ten-point-teams", "ten-point-pairs",
  "seven-point", "thirteen-point", "smear", "pedro", "cinch", "four-point-kitty", "setback-21", "oh-hell",
  "oh-hell-tricks", "oh-hell-minus", "house",
];
const OF_ACCOUNT = ["signup", "change", "code", "signoff", "delete"];
/** The commands that take no name and password, and those that end with a text. */
const WITHOUT_LOGIN = [
  "help", "list", "all", "multiple", "challenge", "show", "games", "standings", "ratings", "history", "hand", "transcript",
  "audit",
];
const TEXTS = ["message", "broadcast", "chat", "dispute"];
const SHORTEST_PASSWORD = 8;
const BOARD = /^[1-9][0-9]*(#[0-9]+)?$/;

/**
 * Return the line to send: wholeLine("queue AD", "pitch", 12) is "pitch queue 12 AD". `own` is whether a player writes it, to
 * whom `show` shows their own cards.
 */
export function wholeLine(text, variant, board, own = false) {
  const [written, ...rest] = text.trim().split(/\s+/);
  const first = own && written.toLowerCase() === "show" && rest.every((each) => BOARD.test(each)) ? "showas" : written;
  const word = ALIASES[first.toLowerCase()] ?? first.toLowerCase();
  if (GAMES.includes(word) || (ALONE.includes(word) && word !== "help")) return text.trim();
  if (word === "help") return rest.length ? text.trim() : `${variant} help`;
  if (!(word in OF_GAME)) return `${variant} move ${board} ${text.trim()}`;
  if (!OF_GAME[word] || namesBoard(word, rest)) return [variant, first, ...rest].join(" ");
  return [variant, first, board, ...rest].join(" ");
}

/** Return a line as the page shows it and reads it out: only its first word if it may hold a password. */
export const shownLine = (text) => (isSecret(text) ? `${text.trim().split(/\s+/)[0]} …` : text);

// A password stands after a name. So a long word is one, unless no name and password belong there, or it's in a text.
function isSecret(text) {
  const words = text.trim().split(/\s+/);
  if (GAMES.includes(words[0].toLowerCase())) words.shift();
  const word = ALIASES[words[0]?.toLowerCase()] ?? words[0]?.toLowerCase();
  if (OF_ACCOUNT.includes(word)) return words.length > 1;
  if (!word || WITHOUT_LOGIN.includes(word)) return false;
  const rest = words.slice(1).filter((each, at) => at > 0 || !BOARD.test(each));
  return (TEXTS.includes(word) ? rest.slice(1, 2) : rest.slice(1)).some(mayBePassword);
}

const mayBePassword = (word) => word.length >= SHORTEST_PASSWORD && word.toLowerCase() !== "diamonds";

// A number after `hand` or `dispute` is that of a hand; after other words it's a board only if more follows, or for `show`.
function namesBoard(word, rest) {
  if (word === "show" || word === "showas") return rest.length > 0;
  if (word === "hand" || word === "transcript" || word === "dispute") return false;
  return rest.length > 1 && BOARD.test(rest[0]) && word !== "chat";
}
