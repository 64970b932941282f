/* Runs before the first paint, so that the page never flashes in the wrong theme. */
try {
  const kept = JSON.parse(localStorage.getItem("trickbook.settings") ?? "{}");
  if (kept.theme === "light" || kept.theme === "dark") document.documentElement.dataset.theme = kept.theme;
  if (kept.deck === "classic") document.documentElement.dataset.deck = kept.deck;
  if (kept.felt === "blue" || kept.felt === "plum") document.documentElement.dataset.felt = kept.felt;
  if (kept.fourColors === true) document.documentElement.dataset.colors = "four";
} catch {
  /* Storage can be switched off: then the system's theme it is. */
}
