"""Runs many commands in a container at once, over WebSocket, and counts those that succeed.

Arguments: a kubeconfig in JSON, the path of the pod, how many, and a port of this machine to ask for a page instead (0 for none).
"""
import base64
import json
import socket
import ssl
import sys
import tempfile
import threading

kubeconfig, pod, count, port = json.load(open(sys.argv[1])), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
cluster, user = kubeconfig["clusters"][0]["cluster"], kubeconfig["users"][0]["user"]
host, server_port = cluster["server"].removeprefix("https://").split(":")


def file(data):
    kept = tempfile.NamedTemporaryFile()
    kept.write(base64.b64decode(data))
    kept.flush()
    return kept


authority = file(cluster["certificate-authority-data"])
certificate, key = file(user["client-certificate-data"]), file(user["client-key-data"])
tls = ssl.create_default_context(cafile=authority.name)
tls.check_hostname = False
tls.load_cert_chain(certificate.name, key.name)
gate = threading.Barrier(count)
succeeded = []


def frames(stream):
    """The payloads of all messages until the other side closes."""
    while True:
        head = stream.read(2)
        if len(head) < 2 or head[0] & 15 == 8:
            return
        length = head[1] & 127
        if length > 125:
            length = int.from_bytes(stream.read(2 if length == 126 else 8), "big")
        yield stream.read(length)


def command():
    raw = socket.create_connection((host, int(server_port)), timeout=240)
    with tls.wrap_socket(raw) as connection, connection.makefile("rb") as stream:
        gate.wait()
        connection.sendall(
            f"GET {pod}/exec?command=echo&command=done&stdout=true&stderr=true HTTP/1.1\r\nHost: {host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: v5.channel.k8s.io\r\n\r\n".encode()
        )
        status = stream.readline()
        while stream.readline().strip():
            pass
        answer = list(frames(stream)) if b" 101 " in status else [stream.read(1000)]
        # A message begins with the number of its stream, 1 for standard output.
        if b"".join(message[1:] for message in answer if message[:1] == b"\1") == b"done\n":
            succeeded.append(1)
        else:
            print(status, answer)


def page():
    gate.wait()
    with socket.create_connection(("127.0.0.1", port), timeout=240) as connection, connection.makefile("rb") as stream:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        if stream.read().startswith(b"HTTP/1.0 200"):
            succeeded.append(1)


threads = [threading.Thread(target=page if port else command) for _ in range(count)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(succeeded), "of", count)
