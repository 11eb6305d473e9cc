package dev.berth.cli.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.http.HttpApi;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What a server says of whether it can be used. */
enum Readiness {
  READY,

  /**
   * It stops: it says so, or listens no more. What it has begun to answer it finishes, and it tells
   * its clients to go by itself. Connections to one that was killed break without our doing.
   */
  LEAVING,

  /** It says that it is not ready for another reason, or says nothing. */
  UNREADY;

  private static final int OK = 200;

  /** Asks a server, and waits no longer than it is told to. */
  static Readiness of(HttpApi api, Duration patience) {
    try {
      HttpResponse<byte[]> answer = api.page("/readyz", patience);
      return of(answer.statusCode(), new String(answer.body(), UTF_8));
    } catch (IOException e) {
      return isRefused(e) ? LEAVING : UNREADY;
    }
  }

  static Readiness of(int status, String text) {
    if (status == OK) {
      return READY;
    }
    return text.contains("[-]shutdown failed") ? LEAVING : UNREADY;
  }

  /**
   * Whether the machine is there and nobody listens; Java's client calls other failures so, too.
   */
  private static boolean isRefused(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root instanceof ConnectException && "Connection refused".equals(root.getMessage());
  }
}
