# Four people play by mail, the host forges the log, and the mailboxes prove it (docs/mail.md#your-mailbox-is-a-witness).
# Run it in the project's folder after `make run` has set it up. It starts a server and a mail server of its own.
set -euo pipefail
PATH=$PWD/.venv/bin:$PATH
cd "$(mktemp -d)"
json='Content-Type: application/json'
pick() { python3 -c "import json, sys; print(json.dumps(json.load(sys.stdin)$1))"; }
free_port() { python3 -c 'import socket; free = socket.socket(); free.bind(("127.0.0.1", 0)); print(free.getsockname()[1])'; }

# A small mail server, which keeps every mail in the folder `mails`, and the server, which sends mails at once.
relay=$(free_port)
python3 -m aiosmtpd --nosetuid --listen "127.0.0.1:$relay" --class aiosmtpd.handlers.Mailbox mails > relay.log 2>&1 &
postman=$!
echo 'mail_delay_s = 0' > limits.toml
export TRICKBOOK_SMTP_URL=smtp://127.0.0.1:$relay TRICKBOOK_MAIL_DOMAIN=cards.example.org TRICKBOOK_LIMITS=$PWD/limits.toml
serve() {
    port=$(free_port)
    trickbook serve --data "$1" --port "$port" > "$1.log" 2>&1 &
    host=$!
    until grep -q '^listening' "$1.log"; do sleep 0.2; done
    api=http://127.0.0.1:$port/api/v1
}
serve cards
curl -s "http://127.0.0.1:$port/.well-known/trickbook/keys" > keys.json

# Each player confirms an address with the code that the first mail brings.
ask() { curl -s -H "Authorization: Bearer $(cat "$1.token")" -H "$json" "${@:3}" "$api$2"; }
mails_to() { grep -ls "^To: $1@" mails/new/* || true; }
for name in ann bob cat dan; do
    account="{\"name\": \"$name\", \"password\": \"correct-horse\"}"
    curl -s "$api/users" -H "$json" -d "$account" > user.json
    curl -s "$api/tokens" -H "$json" -d "$account" | pick '["token"]' | tr -d '"' > "$name.token"
    ask $name /me/email -X PUT -d "{\"email\": \"$name@example.net\"}" > asked.json
    until [ -n "$(mails_to $name)" ]; do sleep 0.2; done
    code=$(grep -Eoh "\b[0-9]{8}\b" $(mails_to $name) | tail -n 1)
    ask $name /me/email/confirmation -d "{\"code\": \"$code\"}" > confirmed.json
done

# Ann asks the other three. `turn 0` makes the first legal move of the player in turn, and `turn -1` the last one.
board=$(ask ann /games -d '{"variant": "pitch", "seats": ["ann", "bob", "cat", "dan"]}' | pick '["board"]')
for name in bob cat dan; do ask $name "/games/$board/seats" -d '{}' > seated.json; done
names=(ann bob cat dan)
turn() {
    seat=$(ask ann "/games/$board" | pick '["turn"]["seats"][0]')
    move=$(ask "${names[$seat]}" "/games/$board/seats/$seat" | pick "['you']['legal'][$1]")
    ask "${names[$seat]}" "/games/$board/moves" -d "$move" > moved.json
}
for each in 1 2 3 4; do turn 0; done
trickbook store backup before --data cards > backup.txt

# From now on, each player waits for the mail about their turn, saves it, and moves.
for each in 1 2 3 4 5 6 7 8; do
    seat=$(ask ann "/games/$board" | pick '["turn"]["seats"][0]')
    version=$(ask ann "/games/$board" | pick '["version"]')
    name=${names[$seat]}
    until mail=$(grep -lsx "size $version" $(mails_to "$name") /dev/null | tail -n 1); do sleep 0.2; done
    cp "$mail" "$name.eml"
    turn -1
done
kill $host $postman
sed -n '/The log of this game/,/^root/p' cat.eml

# The host goes back to the backup, plays another continuation, and the server's key signs it.
trickbook store restore before --data forged > restored.txt 2>&1
TRICKBOOK_SMTP_URL='' serve forged
for each in 1 2 3 4 5 6 7 8 9 10 11 12; do turn 0; done
ask ann "/games/$board/receipts" -d '{}' > receipt.json
curl -s "$api/games/$board/export" > forged.ndjson
kill $host
echo "the forged log alone: $(trickbook game verify forged.ndjson --key keys.json | grep '^verdict')"

# Each mail contradicts it, and one is enough for a proof.
for name in ann bob cat dan; do
    echo "$name: $(trickbook game verify forged.ndjson --receipt $name.eml --key keys.json | grep '^verdict' || true)"
done
trickbook receipt compare cat.eml --log forged.ndjson --key keys.json > proof.txt || head -n 1 proof.txt

# The four mails agree with each other: they are of one history.
trickbook game export "$board" --data cards > true.ndjson
pairs=$(trickbook receipt compare ann.eml bob.eml cat.eml dan.eml --log true.ndjson --key keys.json | grep -c 'one history')
echo "the mails and the true log: one history, in $pairs comparisons"
