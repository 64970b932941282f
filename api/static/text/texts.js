/** The messages of the text page. */

import { define } from "../base/messages.js";

export { t } from "../base/messages.js";

define({
  "text.title": "{variant}, board {board}",
  "text.board": "Board",
  "text.said": "Commands and answers",
  "text.label": "Command",
  "text.send": "Send",
  "text.hint": "Write a move (AD, 3, pass), a command (show, hand, chat well played, queue 2C), or help. Arrow up and down bring back earlier lines.",
  "text.begun": "This is a table as text. Moves of others are read out here.",
  "text.waiting": "The server can't be reached. The page tries again.",
  "text.connecting": "The tabs of this browser lost touch with each other. The page is reconnecting.",
  "text.ended": "This game isn't there for you any more.",
  "text.live": "Connected again.",
});
