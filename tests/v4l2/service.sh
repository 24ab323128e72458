# The whole service on a USB camera that is unplugged and plugged in again at any moment: it comes
# back each time by itself, nothing false is ruled, and what was right before is right after.
# shellcheck shell=sh
. /opt/guest.sh
. /opt/service.inc
RATE=3 # a machine that is only emulated reads a table in a second
. /opt/plug.inc

# The gadget's driver may fail a busy machine at any time, which unplugs the camera, too.
keep_plugged() {
    kill -0 $gadget 2>/dev/null || plug $scene
}
each=keep_plugged

show x-006
plug $scene
service usb --camera "$device" --rate $RATE --rounds 2
passes "a table should be seen through a USB camera" until_said '"decision":"card".*"card":"L5-01"' 60 1
passes "and nothing be ruled while nobody is right" none_ruled
show x-001
passes "who is right should win" until_said '"decision":"win".*"seat":3,.*"card":"L5-01"' 60 1
show x-005
passes "the next card should be in play" until_said '"decision":"card".*"card":"L4-03"' 60 1

# At any moment: while pictures come, and while the camera only warms up again.
plugs=0
while [ $plugs -lt "$PLUGS" ]; do
    stales=$(count_said "$stale")
    sleep "$(moment $plugs 2.5)"
    kill -9 $gadget
    wait $gadget
    each=:
    # Unplugged while it warms up it is stale already.
    [ $((plugs % 3)) -eq 2 ] || until_said "$stale" 20 $((stales + 1)) || break
    # Until then it was well now and then, as what is shown had changed.
    wells=$(count_said "$well")
    plug $scene || break
    each=keep_plugged
    plugs=$((plugs + 1))
    [ $((plugs % 3)) -eq 2 ] && [ $plugs -lt "$PLUGS" ] && continue
    until_said "$well" 60 $((wells + 1)) || break
done
passes "the service should come back each of $PLUGS times" [ $plugs -eq "$PLUGS" ]
passes "without being started again" not_restarted
passes "and without a word that is false" ruled 3:L5-01:match
show x-003
passes "who is right after it all should win" until_said '"decision":"win".*"seat":4,.*"card":"L4-03"' 60 1
passes "exactly what is right should be ruled" ruled 3:L5-01:match 4:L4-03:match
passes "it should end in good order" service_end
passes "the record should be sound" sound
kill -9 $gadget
sed 's/^/# /' /root/gadget
