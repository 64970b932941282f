/** A table as text, with a box for commands. What happens and what is answered is read out in one live region. */

import { ownPath } from "../base/address.js";
import { h } from "../base/dom.js";
import { gameLink, gameLinks } from "../base/game-links.js";
import { get, send } from "../base/net.js";
import { start } from "../base/shell.js";
import { follow, followInbox } from "../base/stream.js";
import { prefs } from "../live/prefs.js";
import { newModel, withView } from "../table/model.js";
import { commandBox } from "./box.js";
import { shownLine, wholeLine } from "./line.js";
import { t } from "./texts.js";

const TOGETHER_MS = 150;
const MOST_ENTRIES = 60;
const ROW = /\S {2,}\S/; // columns are two spaces apart

void start(async (main, session) => {
  const [, , board] = ownPath().split("/");
  await new TextTable(await get(`/games/${board}`), session).open(main);
});

class TextTable {
  soon = null;
  news = [];
  link = "live";
  follows = false;

  /**
   * @param {Api.NamedView | Api.NamedTable} board
   * @param {Api.Session} session
   */
  constructor(board, session) {
    const view = /** @type {Api.NamedView} */ (board); // the fields of a game are read once it has a version
    this.view = view;
    this.session = session;
    this.version = view.version;
    this.model = view.version ? withView(newModel(prefs()), view) : null;
    this.model?.story.begin([], view);
    this.board = h("pre", { class: "board scroll", id: "board", tabindex: "0", role: "region", "aria-label": t("text.board") });
    this.said = h("div", { class: "said", role: "log", "aria-live": "polite", "aria-label": t("text.said"), tabindex: "0" });
  }

  async open(main) {
    const { board, variant, id } = this.view;
    const title = t("text.title", { variant, board: String(board) });
    document.title = title;
    main.replaceChildren(
      h("div", { class: "text-table" },
        h("div", { class: "text-head" }, h("h1", null, title), this.view.version ? gameLinks("text", board) : gameLink("table", board)),
        this.board, this.said, commandBox((text) => void this.sent(text))));
    this.say(t("text.begun"));
    await this.refresh();
    this.begin();
    if (!this.follows && this.session.player) followInbox((entry) => entry.game === id && void this.refresh().catch(() => {}));
    main.querySelector("#command").focus({ preventScroll: true });
  }

  /** Follow the game once it has begun: a table that forms has no log. */
  begin() {
    if (this.follows || !this.version) return;
    this.follows = true;
    follow(this.view.id, (line) => this.line(line), { after: this.version, onState: (state) => this.state(state) });
  }

  /** Send what was written, and show the answer. */
  async sent(text) {
    this.entry(`> ${shownLine(text)}`, "asked");
    try {
      const line = wholeLine(text, this.view.variant, this.view.board, Boolean(this.session.player));
      const { body } = await send("POST", "/commands", { line }, { onWait: (why) => why && this.say(why) });
      const short = this.show(body) && !body.command.startsWith("show");
      this.entry(short ? body.text.split("\n")[0] : body.text, body.ok ? "answer" : "answer refused");
    } catch (error) {
      this.entry(error.message, "answer refused");
    }
  }

  /** Show the board of an answer that has the whole of this one, and return whether it has. */
  show({ command, board, text, data, ok }) {
    const own = this.session.player ? ["showas", "move", "confirm", "join"] : ["show"];
    const whole = ok && board === this.view.board && data?.version >= this.version && own.includes(command);
    if (whole) {
      this.version = data.version;
      this.draw(text);
    }
    return whole;
  }

  /** Draw the board. Sentences are wrapped; rows of a table stay whole, and are scrolled sideways on a narrow screen. */
  draw(text) {
    this.board.replaceChildren(...text.split(/(?<=\n)/).map((line) => (ROW.test(line) ? h("span", { class: "board-row" }, line) : line)));
  }

  async refresh() {
    const word = this.session.player ? "showas" : "show";
    const { body } = await send("POST", "/commands", { line: `${this.view.variant} ${word} ${this.view.board}` });
    if (body.ok) this.draw(body.text);
    for (const notice of body.notices) this.say(notice);
    if (body.data?.version) this.taken(body.data);
  }

  taken(view) {
    this.version = Math.max(this.version, view.version);
    const before = this.model ?? newModel(prefs());
    this.model = withView(before, { names: this.view.names, ...view });
    this.begin();
  }

  /** Note what a line of the log says, and tell it together with what comes at once. */
  line({ event }) {
    const told = event && this.model ? this.model.story.add(event, this.model) : null;
    if (told) this.news.push(told.text);
    this.soon ??= setTimeout(() => void this.tell(), TOGETHER_MS);
  }

  async tell() {
    this.soon = null;
    const news = this.news.splice(0);
    await this.refresh().catch(() => this.state("waiting"));
    if (news.length) this.entry(news.join("\n"), "news");
  }

  state(state) {
    if (state === this.link) return;
    this.link = state;
    this.say(t(`text.${state}`));
  }

  say(text) {
    this.entry(text, "news");
  }

  entry(text, look) {
    this.said.append(h("div", { class: `entry ${look}` }, text));
    while (this.said.childElementCount > MOST_ENTRIES) this.said.firstElementChild.remove();
    this.said.scrollTop = this.said.scrollHeight;
  }
}
