// What the grade of a deal means, in a dialog.

import { explain } from "../table/dialogs.js";
import { t } from "../table/texts.js";

// Explain the grade that a button of the table names.
export function explainGrade(button) {
  const { grade } = button.dataset;
  return explain(t("force.grade", { grade }), t(`grade.${grade}`));
}
