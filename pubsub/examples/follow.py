#!/usr/bin/env python3
"""Follows a table and prints the score: follow.py PUBLISH REQUESTS [MESSAGES]"""
import itertools, json, sys
import zmq

publish, requests = sys.argv[1:3]
messages = int(sys.argv[3]) if len(sys.argv) > 3 else None  # then it ends; else it goes on
context = zmq.Context()
heard, asked = context.socket(zmq.SUB), context.socket(zmq.REQ)
for socket, address in (heard, publish), (asked, requests):
    socket.linger, socket.rcvtimeo = 0, 10000
    socket.connect(address)  # beyond this machine: with the keys of zmq.auth.load_certificate(NAME.key)
heard.subscribe(b"state.")

def show(state, replay=None):  # a replay must never look like a match that is played
    print("replay:" if replay else "live:", state["phase"], *(f'{p["name"]} {p["points"]}' for p in state["players"]), flush=True)

asked.send_json({"v": 1, "id": "follow-py", "do": "snapshot"})
snapshot = asked.recv_json()
last = snapshot["epoch"], snapshot["heads"]["state"]
show(snapshot["state"], snapshot.get("replay"))
for _ in itertools.islice(itertools.count(), messages):
    message = json.loads(heard.recv().split(b" ", 1)[1])
    if (message["epoch"], message["seq"]) > last:
        last = message["epoch"], message["seq"]
        show(message["state"], message.get("replay"))
