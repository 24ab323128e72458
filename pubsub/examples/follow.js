// Follows a table and prints the score: node follow.js PUBLISH REQUESTS [MESSAGES]
// It needs the package zeromq, version 6 (npm install, beside this file).
const zmq = require("zeromq");

const [publish, requests, messages] = process.argv.slice(2);
const show = ({ state, replay }) => // a replay must never look like a match that is played
    console.log(replay ? "replay:" : "live:", state.phase, ...state.players.map((player) => `${player.name} ${player.points}`));

(async () => {
    const heard = new zmq.Subscriber({ linger: 0, receiveTimeout: 10000 });
    const asked = new zmq.Request({ linger: 0, receiveTimeout: 10000 });
    heard.connect(publish); // beyond this machine: with curveServerKey, curvePublicKey, curveSecretKey
    asked.connect(requests);
    heard.subscribe("state.");
    await asked.send(JSON.stringify({ v: 1, id: "follow-js", do: "snapshot" }));
    let last = JSON.parse((await asked.receive())[0]);
    let seq = last.heads.state;
    show(last);
    for (let left = Number(messages) || Infinity; left > 0; left--) {
        const text = (await heard.receive())[0].toString();
        const message = JSON.parse(text.slice(text.indexOf(" ") + 1));
        if (message.epoch < last.epoch || (message.epoch === last.epoch && message.seq <= seq)) continue;
        [last, seq] = [message, message.seq];
        show(message);
    }
    heard.close();
    asked.close();
})();
