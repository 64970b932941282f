// What the grade of a deal means, in a dialog.

import { explain } from "../table/dialogs.js";
import { t } from "../table/texts.js";

// Explain the grade that a button of the table names.
export function explainGrade({ dataset: { grade } }) {
  return explain(t("force.grade", { grade }), t(`grade.${grade}`));
}
