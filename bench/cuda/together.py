# SPDX-License-Identifier: MIT
"""Runs commands, one after the other or several at a time, each with a limit of its own. All that
they print goes into one log as it comes, so that a run that is cut off keeps it."""
import ctypes
import dataclasses
import os
import signal
import subprocess
import tempfile
import time

TICK = .1          # seconds between looks
LIVE = 200_000     # characters of a command's output that are logged as they come
TAIL = 30_000      # and from its end, of one that prints more
LEAST = 5          # seconds that are worth beginning something
LIBC = ctypes.CDLL(None)
DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG


@dataclasses.dataclass
class Command:
    """`limit` is in seconds; the environment is what is added to that of the run."""
    name: str
    words: list
    limit: float
    environment: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Ended:
    """What came of a command: "passed", "FAILED (1)", "stopped at its limit" or why it was left
    out; its status where it ended by itself, and all that it printed."""
    command: Command
    said: str
    seconds: float = 0
    status: int = None
    text: str = ""


class Log:
    """Lines under the name of who said them, written at once."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8", errors="replace")

    def write(self, name, text):
        self.file.writelines(f"{name}| {line}\n" for line in text.split("\n"))
        self.file.flush()


def in_the_child():
    """A group of its own, that can be killed whole, and an end together with this process."""
    os.setpgrp()
    LIBC.prctl(DIES_WITH_PARENT, signal.SIGKILL)


class Running:
    def __init__(self, command, environment, log, limit):
        self.command, self.log, self.limit = command, log, limit
        self.output, self.start, self.logged = tempfile.TemporaryFile(), time.monotonic(), 0
        log.write(command.name, "$ " + " ".join(command.words))
        self.process = subprocess.Popen(
            command.words, env={**environment, **command.environment}, stdin=subprocess.DEVNULL,
            stdout=self.output, stderr=self.output, preexec_fn=in_the_child)

    def read(self, start):
        return os.pread(self.output.fileno(), 1 << 30, start)

    def pass_on(self):
        """Logs the whole lines that are new."""
        end = min(os.fstat(self.output.fileno()).st_size, LIVE)
        new = self.read(self.logged)[:end - self.logged] if end > self.logged else b""
        whole = new.rfind(b"\n") + 1
        if whole:
            self.log.write(self.command.name, new[:whole - 1].decode(errors="replace"))
            self.logged += whole

    def ended(self):
        """What came of it, once it has ended or its time is up; None before."""
        seconds = time.monotonic() - self.start
        stopped = self.process.poll() is None
        if stopped and seconds < self.limit:
            return self.pass_on()
        if stopped:
            self.kill()
        status = None if stopped else self.process.returncode
        said = ("stopped at its limit" if stopped else "passed" if status == 0
                else f"FAILED ({status})")
        self.pass_on()
        text = self.read(0)
        rest = text[self.logged:]
        if len(rest) > TAIL:
            rest = b"...\n" + rest[-TAIL:]
        self.log.write(self.command.name, rest.decode(errors="replace") + f"==> {said}")
        self.output.close()
        return Ended(self.command, said, seconds, status, text.decode(errors="replace"))

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def begin(command, environment, log, left):
    """The command running; or what came of it, where it does not even begin."""
    limit = min(command.limit, left)
    if limit < LEAST:
        return Ended(command, "left out, no time")
    try:
        return Running(command, environment, log, limit)
    except OSError as failure:
        return Ended(command, f"FAILED: {failure}", text=str(failure))


def run(commands, width, environment, log, left, each_tick=lambda: None):
    """Runs the commands, `width` of them at a time, begun in this order; yields what came of each
    as it ends. left() is how many seconds all of them have."""
    waiting, running = list(commands), []
    try:
        while waiting or running:
            while waiting and len(running) < width:
                begun = begin(waiting.pop(0), environment, log, left())
                if isinstance(begun, Ended):
                    yield begun
                else:
                    running.append(begun)
            time.sleep(TICK)
            for one in list(running):
                ended = one.ended()
                if ended:
                    running.remove(one)
                    yield ended
            each_tick()
    finally:
        for one in running:
            one.kill()
