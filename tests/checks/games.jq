# tests/checks/games.jq: a decision in a few words, as the lines "#= " of a game file have it, and a
# table. Used by games.sh.
def seats: map(tostring) | join("+");
def place: if .slot == null then "" else " at \(.slot)" end;
def why: if .why == null then "" else " \(.why)" end;
def list: map(tostring) | join(" ");
def ranks: map(if .rank == null then "seat \(.seat) points \(.points)"
    else "rank \(.rank) seat \(.seat) points \(.points)" end) | join(", ");
def spot: if . == null then "bag" else "\(.[0]),\(.[1])" end;
def move: if .why == "drop" then "drop \(.disc) \(.to | spot)"
    elif .why == "move" then "move \(.disc) \(.from | spot) to \(.to | spot)"
    elif .why == "pass" then "pass" else "set" end;
def said: if has("void") then "void \(.void.seq).\(.void.index)"
elif .decision == "phase" then "phase \(.phase)" + (if .paused then " paused" else "" end)
elif .decision == "card" then "card \(.card)" + place + why
elif .decision == "verdict" then
    (["verdict", .seat, .card, .verdict] + .reasons | list)
    + (if .forced then " (was \(.was))" else "" end)
    + (if .policy == "accept" then "" else " (\(.policy))" end)
elif .decision == "asked" then ["asked", .seat, .card, .verdict] | list
elif .decision == "win" then "win \(.seats | seats) \(.card)" + why
elif .decision == "out" then "out \(.seat) \(.card)"
elif .decision == "penalty" then "penalty \(.seat) \(.why)" + (if .card == null then "" else " \(.card)" end)
elif .decision == "set_aside" then "aside \(.card) \(.why)"
elif .decision == "tie" then "tie \(.seats | seats) \(.card)"
elif .decision == "refused" then "refused \(.why)" + (if .seat == null then "" else " \(.seat)" end)
elif .decision == "false_start" then "false_start \(.seat)"
elif .decision == "health" then "health" + (if .reasons == [] then " well" else " " + (.reasons | list) end)
elif .decision == "move" then move + " turn \(.turn)"
elif .decision == "illegal" then "illegal \(.why) tracks " + (.legal_tracks | map(tostring) | join(""))
elif .decision == "round" then
    if .why == "round_opened" then "round \(.round) maker \(.seat)"
    else "round \(.round) over \(.why) points \(.points)" end
elif .decision == "end" then "end " + (.ranks | ranks)
else "? \(.decision)" end;
# Who stands where, of a state or of what match export prints.
def standings: [.players[] | [.seat, .name, .rank, .points]] | sort;
# Of many files: the game's name, and what is said or how they stand.
def name: input_filename | split("/") | last | split(".")[0];
def said_of: "\(name) \(said)";
def standings_of: select(has("players")) | "\(name) \(standings)";
