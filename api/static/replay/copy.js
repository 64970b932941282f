// Copying a text for the reader to paste.

// Copy a text; return whether the browser did. Pages without https have no clipboard, so a field is copied from instead.
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedFromField(text);
  }
}

function copiedFromField(text) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "copy-field";
  field.readOnly = true;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return isDone;
}
