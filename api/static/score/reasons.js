/** Why a game doesn't count for standings and ratings. */

import { define } from "../base/messages.js";

define({
  "unrated.bots": "with bots: doesn't count",
  "unrated.guest": "with a guest: doesn't count",
  "unrated.handover": "seat handed over: doesn't count",
  "unrated.limit": "broken off: doesn't count",
  "unrated.practice": "practice: doesn't count",
  "unrated.private": "private: doesn't count",
  "unrated.void": "everybody left: doesn't count",
});
