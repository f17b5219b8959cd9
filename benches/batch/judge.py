"""A process of `rejudge batch`, with the CPU time that it and all its programs take."""

import json
import os
import subprocess
import threading


class Batch:
    """Lines in, lines out."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen(
            [program, "batch", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.cpu = None
        # What it says at its end, and while it judges.
        self.said = []
        self.listener = threading.Thread(target=lambda: self.said.append(self.process.stderr.read().decode()))
        self.listener.start()

    def send(self, request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise EOFError(f"rejudge batch ended: {self.said}")
        return json.loads(line)

    def ask(self, request):
        self.send(request)
        return self.answer()

    def all(self, requests):
        """Sends all, and yields the answers in any order."""

        def write():
            for request in requests:
                self.send(request)
            self.process.stdin.close()

        writer = threading.Thread(target=write)
        writer.start()
        for line in self.process.stdout:
            yield json.loads(line)
        writer.join()

    def end(self):
        """Its CPU time in seconds, with that of all processes that it waited for."""
        if self.cpu is None:
            if not self.process.stdin.closed:
                self.process.stdin.close()
            _, status, used = os.wait4(self.process.pid, 0)
            self.process.returncode = os.waitstatus_to_exitcode(status)
            self.listener.join()
            self.process.stdout.close()
            self.process.stderr.close()
            self.cpu = used.ru_utime + used.ru_stime
        return self.cpu

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
