/** The English messages of the lobby and the pages around the table. The table's own are in table/. */
export const english = {
  "net.failed": "The server answered with an error ({status}). Try again.",
  "net.not-sent": "Not sent yet. It is sent again until the server answers.",
  "net.unreached": "The server can't be reached. Check your network; it may also be restarting.",
  "time.now": "just now",
  "time.soon": "in a moment",
};
