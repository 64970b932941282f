/** The English messages of the lobby and the pages around the table. The table's own are in table/. */
export const english = {
  "time.now": "just now",
};
