package dev.berth.bench.overload;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.bench.api.Berth;
import dev.berth.pki.Trust;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Connections that only take up room, from the address that the nodes have, too: a third says
 * nothing, a third begins a handshake and falls silent, a third sends a request byte by byte. Each
 * that the server closes comes back at once.
 */
final class HostileConnections implements AutoCloseable {
  /** The head of a record that would be followed by a client's first message. */
  private static final byte[] HALF_A_HANDSHAKE = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00};

  private static final int KINDS = 3;
  private static final int TRICKLE_MILLIS = 1_000;

  private final int port;
  private final SSLContext tls;
  private final LongAdder opened = new LongAdder();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  HostileConnections(Berth berth, int count) {
    this.port = berth.port();
    this.tls = Trust.in(berth.authority());
    for (int i = 0; i < count; i++) {
      int kind = i % KINDS;
      threads.add(Thread.ofVirtual().start(() -> run(kind)));
    }
  }

  private void run(int kind) {
    while (!stopped) {
      try {
        opened.increment();
        switch (kind) {
          case 0 -> silent(new byte[0]);
          case 1 -> silent(HALF_A_HANDSHAKE);
          default -> slow();
        }
      } catch (IOException _) {
        // Closed by the server, which is what it is for.
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  private void silent(byte[] first) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(first);
      var _ = socket.getInputStream().read();
    }
  }

  private void slow() throws IOException, InterruptedException {
    try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      byte[] request = "GET /version HTTP/1.1\r\nHost: bench\r\nX: ".getBytes(US_ASCII);
      for (int i = 0; !stopped; i++) {
        socket.getOutputStream().write(i < request.length ? request[i] : 'x');
        socket.getOutputStream().flush();
        Thread.sleep(TRICKLE_MILLIS);
      }
    }
  }

  /** How many were opened so far, those that came back included. */
  long opened() {
    return opened.sum();
  }

  @Override
  public void close() {
    stopped = true;
    threads.forEach(Thread::interrupt);
    Tenant.join(threads);
  }
}
