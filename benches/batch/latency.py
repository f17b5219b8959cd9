"""How long a request on a compiled source waits for its answer: from `rejudge serve`, and inside `rejudge batch`."""

import http.client
import json
import os
import queue
import socket
import statistics
import subprocess
import tempfile
import threading
import time

from judge import Batch

REQUEST = {
    "language": "cpp",
    "source": "#include <iostream>\nint main() { int a; std::cin >> a; std::cout << 2 * a; }\n",
    "cases": [{"input": str(n), "answer": str(2 * n)} for n in range(10)],
}


class Unix(http.client.HTTPConnection):
    """A connection to a Unix socket that stays open."""

    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Served:
    """A server that stays."""

    def __init__(self, program, folder):
        self.path = os.path.join(folder, "socket")
        self.process = subprocess.Popen([program, "serve", "--unix", self.path, "-j", jobs(), "--window", "0"], stderr=subprocess.DEVNULL)
        while not os.path.exists(self.path):
            time.sleep(0.01)

    def client(self):
        connection = Unix(self.path)

        def ask(request):
            connection.request("POST", "/v1/judge", json.dumps(request), {"Content-Type": "application/json"})
            return json.loads(connection.getresponse().read())

        return ask

    def end(self):
        self.process.terminate()
        self.process.wait()


class Piped:
    """A batch that many threads ask."""

    def __init__(self, program):
        self.batch = Batch(program, "-j", jobs(), "--window", "0")
        self.waiting = {}
        self.lock = threading.Lock()
        self.number = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.batch.process.stdout:
            answer = json.loads(line)
            self.waiting.pop(answer["id"]).put(answer)

    def client(self):
        def ask(request):
            mine = queue.SimpleQueue()
            with self.lock:
                self.number += 1
                self.waiting[self.number] = mine
                self.batch.send(dict(request, id=self.number))
            return mine.get()

        return ask

    def end(self):
        self.batch.process.stdin.close()
        self.batch.process.wait()


def jobs():
    return str(os.cpu_count() or 1)


def latencies(judge, clients, each):
    """The times of all requests of this number of clients, each of which waits for its answer."""
    seen = []

    def work():
        ask = judge.client()
        for _ in range(each):
            start = time.perf_counter()
            answer = ask(REQUEST)
            seen.append(time.perf_counter() - start)
            assert answer["verdict"] == "AC", answer

    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen


def main(program, rounds=10, requests=64):
    good = True
    with tempfile.TemporaryDirectory() as folder:
        judges = {"serve": Served(program, folder), "batch": Piped(program)}
        for clients in (1, 16):
            times = {name: [] for name in judges}
            ratios = []
            for judge in judges.values():
                latencies(judge, clients, 2)
            for _ in range(rounds):
                middle = {}
                for name, judge in judges.items():
                    seen = latencies(judge, clients, requests // clients)
                    times[name] += seen
                    middle[name] = statistics.median(seen)
                ratios.append(middle["serve"] / middle["batch"])
            serve, batch = (statistics.median(times[name]) * 1e3 for name in ("serve", "batch"))
            ratio = statistics.median(ratios)
            print(f"{clients} clients, requests of {len(REQUEST['cases'])} cases: median {serve:.2f} ms by serve, {batch:.2f} ms by batch; "
                  f"ratio {serve / batch:.3f}, of rounds {ratio:.3f} ({min(ratios):.3f} to {max(ratios):.3f})", flush=True)
            good &= serve / batch <= 1.1
        for judge in judges.values():
            judge.end()
    return good
