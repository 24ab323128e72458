#!/usr/bin/python3
"""A terminal for tests: runs a program on a pseudo terminal of its own and looks at what stands there.

    terminal.py ROWS COLS COMMAND [ARGUMENT]... <SCRIPT

TERM says which terminal it is (xterm's sequences and vt100's are known). Each line of the script is a
test, "NAME: WORD ..", and prints "ok - NAME" or "not ok - NAME":

    shows SECONDS TEXT       the text stands on the screen within so long
    lacks TEXT               it does not, now
    size ROWS COLS           the terminal is resized
    key TEXT                 these keys are pressed (\\xNN for others)
    signal NAME              the program gets a signal
    ends STATUS SECONDS      it ends within so long: an exit status, or a signal's name
    restored                 the terminal is as it was: cooked, no alternate screen, visible cursor
    clean                    no byte came that is neither text nor a sequence that is known
    print                    prints the screen, as comments
"""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import unicodedata

SEQUENCE = re.compile(r"\x1b\[([?>]?)([0-9;]*)([@A-Za-z`])")


def width(char):
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


class Screen:
    def __init__(self, rows, cols):
        self.unknown = []
        self.alternate = False
        self.cursor = True
        self.resize(rows, cols)

    def resize(self, rows, cols):
        self.rows, self.cols, self.row, self.col = rows, cols, 0, 0
        self.cell = [[" "] * cols for _ in range(rows)]

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cell)

    def put(self, char):
        wide = width(char)
        if wide == 0:
            if self.col > 0:
                self.cell[self.row][self.col - 1] += char
            return
        if self.col + wide > self.cols:
            self.col = 0
            self.row = min(self.row + 1, self.rows - 1)
        self.cell[self.row][self.col] = char
        if wide == 2:
            self.cell[self.row][self.col + 1] = ""
        self.col += wide
        self.last = char

    def erase(self, first, last):  # places counted through the screen
        for at in range(max(first, 0), min(last, self.rows * self.cols)):
            self.cell[at // self.cols][at % self.cols] = " "

    def sequence(self, mark, numbers, final):
        n = [int(x) for x in numbers.split(";") if x]
        one = n[0] if n else 1
        kind = n[0] if n else 0
        here, line = self.row * self.cols + self.col, self.row * self.cols
        if mark == "?" and final in "hl":
            self.alternate = final == "h" if kind in (47, 1047, 1049) else self.alternate
            self.cursor = final == "h" if kind == 25 else self.cursor
        elif mark:
            pass
        elif final in "Hf":
            self.row = min((n[0] if n else 1), self.rows) - 1
            self.col = min((n[1] if len(n) > 1 else 1), self.cols) - 1
        elif final == "A":
            self.row = max(self.row - one, 0)
        elif final == "B":
            self.row = min(self.row + one, self.rows - 1)
        elif final == "C":
            self.col = min(self.col + one, self.cols - 1)
        elif final == "D":
            self.col = max(self.col - one, 0)
        elif final in "G`":
            self.col = min(one, self.cols) - 1
        elif final == "d":
            self.row = min(one, self.rows) - 1
        elif final == "J":
            self.erase(here if kind == 0 else 0, self.rows * self.cols if kind != 1 else here + 1)
        elif final == "K":
            self.erase(here if kind == 0 else line, line + self.cols if kind != 1 else here + 1)
        elif final == "X":
            self.erase(here, min(here + one, line + self.cols))
        elif final == "P":
            row = self.cell[self.row]
            self.cell[self.row] = row[: self.col] + row[self.col + one :] + [" "] * one
        elif final == "@":
            row = self.cell[self.row]
            self.cell[self.row] = (row[: self.col] + [" "] * one + row[self.col :])[: self.cols]
        elif final == "b":
            for _ in range(one):
                self.put(self.last)
        elif final in "LM":
            for _ in range(one):
                if final == "L":
                    self.cell.insert(self.row, [" "] * self.cols)
                    self.cell.pop()
                else:
                    self.cell.pop(self.row)
                    self.cell.append([" "] * self.cols)
        elif final not in "mrhlt":
            self.unknown.append(f"CSI {numbers}{final}")

    def feed(self, text):
        """What is left: the beginning of a sequence that is not all there."""
        while text:
            char = text[0]
            if char == "\x1b":
                match = SEQUENCE.match(text)
                plain = re.match(r"\x1b([()][0-9A-B]|[=>78]|\$<[0-9/*]+>)", text)
                if match:
                    self.sequence(*match.groups())
                elif plain:
                    match = plain
                elif len(text) < 24:
                    return text
                else:
                    self.unknown.append(repr(text[:8]))
                    text = text[1:]
                    continue
                text = text[match.end() :]
                continue
            text = text[1:]
            if char == "\r":
                self.col = 0
            elif char == "\n":
                if self.row == self.rows - 1:
                    self.cell.pop(0)
                    self.cell.append([" "] * self.cols)
                else:
                    self.row += 1
            elif char == "\b":
                self.col = max(self.col - 1, 0)
            elif char in "\a\x0e\x0f\x00":
                pass
            elif char < " " or "\x7f" <= char < "\xa0":
                self.unknown.append(repr(char))
            else:
                self.put(char)
        return ""


class Terminal:
    def __init__(self, rows, cols, command):
        self.screen = Screen(rows, cols)
        self.main, other = pty.openpty()
        self.before = termios.tcgetattr(other)
        self.resize(rows, cols)
        self.process = os.fork()
        if self.process == 0:
            os.setsid()
            fcntl.ioctl(other, termios.TIOCSCTTY, 0)
            for file in (0, 1, 2):
                os.dup2(other, file)
            os.closerange(3, 64)
            try:
                os.execvp(command[0], command)
            finally:
                os._exit(127)
        self.other = other  # kept, so that its settings can be looked at when all is over
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.rest = ""
        self.status = None

    def resize(self, rows, cols):
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        if (rows, cols) != (self.screen.rows, self.screen.cols):
            self.screen.resize(rows, cols)

    def read(self, seconds):
        ready, _, _ = select.select([self.main], [], [], seconds)
        if ready:
            text = self.decoder.decode(os.read(self.main, 65536))
            self.rest = self.screen.feed(self.rest + text)
        return bool(ready)

    def shows(self, seconds, wanted):
        until = time.monotonic() + seconds
        while wanted not in self.screen.text():
            if time.monotonic() > until:
                return False
            self.read(0.05)
        return True

    def ends(self, wanted, seconds):
        until = time.monotonic() + seconds
        while self.status is None and time.monotonic() < until:
            self.read(0.02)
            done, status = os.waitpid(self.process, os.WNOHANG)
            if done:
                self.status = status
        while self.read(0):
            pass
        if self.status is None:
            return False
        if os.WIFSIGNALED(self.status):
            return signal.Signals(os.WTERMSIG(self.status)).name == "SIG" + wanted
        return str(os.WEXITSTATUS(self.status)) == wanted

    def restored(self):
        now = termios.tcgetattr(self.other)
        return now == self.before and not self.screen.alternate and self.screen.cursor

    def do(self, word, rest):
        if word == "shows":
            seconds, text = rest.split(" ", 1)
            return self.shows(float(seconds), text)
        if word == "lacks":
            while self.read(0.05):
                pass
            return rest not in self.screen.text()
        if word == "size":
            self.resize(*map(int, rest.split()))
            return True
        if word == "key":
            os.write(self.main, rest.encode().decode("unicode_escape").encode("latin-1"))
            return True
        if word == "signal":
            os.kill(self.process, signal.Signals["SIG" + rest])
            return True
        if word == "ends":
            return self.ends(*(f(x) for f, x in zip((str, float), rest.split())))
        if word == "restored":
            return self.restored()
        if word == "clean":
            return not self.screen.unknown
        if word == "print":
            print("# " + self.screen.text().replace("\n", "\n# "))
            return True
        raise ValueError(f"no word {word}")


def main():
    rows, cols, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    terminal = Terminal(rows, cols, command)
    for line in sys.stdin:
        if not line.strip() or line.startswith("#"):
            continue
        name, rest = line.rstrip("\n").split(": ", 1)
        word, _, rest = rest.partition(" ")
        well = terminal.do(word, rest)
        if word in ("size", "key", "signal", "print"):
            continue
        print(f"{'ok' if well else 'not ok'} - {name}", flush=True)
        if not well:
            print("# " + terminal.screen.text().replace("\n", "\n# "))
            print(f"# status {terminal.status}, unknown {terminal.screen.unknown[:5]}")
    if terminal.status is None:
        os.kill(terminal.process, signal.SIGKILL)


main()
