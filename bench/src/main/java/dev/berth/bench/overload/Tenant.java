package dev.berth.bench.overload;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.bench.api.Berth;
import dev.berth.pki.Trust;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * One user with many connections, who lists everything on each of them, again and again, and does
 * not wait when told to. Connections are plain HTTP/1.1 over TLS, so that the client takes as
 * little of the processors as it can.
 */
final class Tenant implements AutoCloseable {
  private static final String REQUEST =
      """
      GET /api/v1/namespaces/default/configmaps HTTP/1.1\r
      Host: bench\r
      Accept: application/json\r
      Authorization: Bearer %s\r
      \r
      """
          .formatted(Berth.TENANT_TOKEN);

  private final LongAdder served = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder others = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  Tenant(Berth berth, int connections) {
    SSLContext tls = Trust.in(berth.authority());
    ThreadFactory factory = Thread.ofVirtual().name("tenant-", 0).factory();
    for (int i = 0; i < connections; i++) {
      Thread thread = factory.newThread(() -> run(tls, berth.port()));
      threads.add(thread);
      thread.start();
    }
  }

  private void run(SSLContext tls, int port) {
    while (!stopped) {
      try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
        InputStream in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
        while (!stopped) {
          socket.getOutputStream().write(REQUEST.getBytes(US_ASCII));
          count(answer(in));
        }
      } catch (IOException _) {
        broken.increment();
      }
    }
  }

  private void count(int status) {
    (switch (status) {
          case 200 -> served;
          case 429 -> refused;
          default -> others;
        })
        .increment();
  }

  /** Reads an answer to its end; its status. */
  private static int answer(InputStream in) throws IOException {
    int status = Integer.parseInt(line(in).split(" ", -1)[1]);
    long length = 0;
    boolean chunked = false;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(lower.substring("content-length:".length()).strip());
      }
      chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
    }
    if (!chunked) {
      in.skipNBytes(length);
      return status;
    }
    for (long size = chunk(in); size > 0; size = chunk(in)) {
      in.skipNBytes(size + 2);
    }
    line(in);
    return status;
  }

  private static long chunk(InputStream in) throws IOException {
    return Long.parseLong(line(in), 16);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  long served() {
    return served.sum();
  }

  long refused() {
    return refused.sum();
  }

  /** Answers of any other kind, and connections that broke. */
  long failed() {
    return others.sum() + broken.sum();
  }

  @Override
  public void close() {
    stopped = true;
    join(threads);
  }

  /** Waits for all, unless somebody interrupts that. */
  static void join(List<Thread> threads) {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
