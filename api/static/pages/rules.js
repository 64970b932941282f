/** A rule sheet: the server has written it already; this adds the account at the top. */

import { start } from "../base/shell.js";

void start(() => {});
