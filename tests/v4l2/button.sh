# Buttons by the kernel's own input layer: dated, taken, unplugged and back.
# shellcheck shell=sh
. /opt/guest.sh
mkfifo /root/keys
# plug: plugs a button in, under a path that stays.
plug() {
    : >/root/pressed
    /opt/press 'Test pedal' </root/keys >/root/pressed &
    presser=$!
    exec 4>/root/keys
    left=50
    until [ -s /root/pressed ] || [ $left -eq 0 ]; do
        sleep 0.1
        left=$((left - 1))
    done
    node=$(head -n 1 /root/pressed)
    ln -sf "$node" /dev/pedal
}
say() {
    printf '%s\n' "$@" >&4
}
# The device is open in the program; it takes its time to start here.
taken() {
    left=100
    until ls -l /proc/$pid/fd 2>/dev/null | grep -q "$node" || [ $left -eq 0 ]; do
        sleep 0.1
        left=$((left - 1))
    done
    sleep 0.3
}
log=/root/log
plug
/opt/tableref devices "$node" >/root/devices 2>&1
passes "a button should be listed with its name and keys" \
    grep -q '"kind":"button".*"name":"Test pedal".*"usable":true' /root/devices
/opt/tableref buttons --try --button /dev/pedal=2:30 --button /dev/pedal=1 >"$log" 2>/root/said 4>&- &
pid=$!
taken
say 'down 30' 'sleep 10' 'up 30' 'sleep 5' 'down 30' 'sleep 100' 'up 30' 'sleep 100' \
    'down 48' 'repeat 48' 'repeat 48' 'sleep 100' 'up 48'
passes "a press of the key that was named should be that seat's" until_log '"code":30,.*"seat":2' 5 1
passes "one of another key the other's" until_log '"code":48,.*"seat":1' 5 1
sleep 0.3
passes "neither bounces nor repeats nor releases should be any" [ "$(wc -l <"$log")" -eq 2 ]
# The kernel's time has whole microseconds.
sed -n 2p /root/pressed >/root/between
read -r before after </root/between
dated=$(sed -n '1s/.*"at_ns":\([0-9]*\).*/\1/p' "$log")
passes "a press should be dated by the kernel, on the monotonic clock ($before $dated $after)" \
    [ $((dated - before + 1000)) -ge 0 -a $((after - dated)) -ge 0 ]
/opt/tableref devices "$node" >/root/devices 2>&1
passes "a button that is taken should be told as busy" grep -q '"reason":"busy"' /root/devices
# Unplugged, and back under the same path.
exec 4>&-
wait $presser
sleep 0.5
passes "a button that is gone should be said to be" grep -q 'no such button' /root/said
plug
taken
passes "one that is back should be taken by itself" grep -q 'here again' /root/said
say 'down 30' 'sleep 50' 'up 30'
tries=25
until [ "$(wc -l <"$log")" -ge 3 ] || [ $tries -eq 0 ]; do
    sleep 0.2
    tries=$((tries - 1))
done
passes "and its presses count" [ "$(wc -l <"$log")" -eq 3 ]
kill -INT $pid
wait $pid
status=$?
passes "an interrupt should end it well" [ $status -eq 0 ]
chmod 600 "$node"
chown root:input "$node" 2>/dev/null
su guest -c "/opt/tableref devices $node" >/root/devices 2>&1
passes "missing rights should be told, with the group that has them" grep -q '"reason":"no_rights".*group input' /root/devices
exec 4>&-
