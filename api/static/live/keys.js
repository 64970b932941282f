// Keys: one for each thing that is asked for often, and arrows in the hand and among the tabs. They are off while one types.

const TYPING = "input, textarea, select, [contenteditable]";
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

// Return the name of the key that was pressed, or null. A key that a reader or the browser uses is never taken.
export function pressed(event, keys) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPING)) return null;
  const found = Object.entries(keys).find(([, key]) => key && key.toLowerCase() === event.key.toLowerCase());
  return found ? found[0] : null;
}

// Move the focus among buttons that are one tab stop. Return whether the key did.
export function moveFocus(event, group) {
  const buttons = [...group.querySelectorAll("button")];
  const at = buttons.indexOf(event.target.closest("button"));
  const to = target(event.key, at, buttons.length);
  if (at < 0 || to === null) return false;
  for (const button of buttons) button.tabIndex = button === buttons[to] ? 0 : -1;
  buttons[to].focus();
  event.preventDefault();
  return true;
}

function target(key, at, count) {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return key in STEPS ? (at + STEPS[key] + count) % count : null;
}
