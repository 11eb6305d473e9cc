package dev.berth.serving.connect;

import dev.berth.http.Duplex;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Two connections whose bytes are passed on as they are, until either of them ends. */
final class Tunnel {
  private static final int PIECE_BYTES = 32 * 1024;

  private Tunnel() {}

  /** Returns when both are closed. */
  static void run(Duplex client, Duplex backend) {
    Thread sending = Thread.ofVirtual().name("tunnel").start(() -> copy(client, backend));
    copy(backend, client);
    boolean interrupted = false;
    while (sending.isAlive()) {
      try {
        sending.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void copy(Duplex from, Duplex to) {
    try {
      InputStream in = from.input();
      OutputStream out = to.output();
      byte[] bytes = new byte[PIECE_BYTES];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        out.write(bytes, 0, read);
        out.flush();
      }
    } catch (IOException _) {
      // One of them has gone; so has the other one then.
    } finally {
      from.close();
      to.close();
    }
  }
}
