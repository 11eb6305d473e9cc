package dev.berth.grpc.cri;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtime.Session;
import dev.berth.http.spdy.SpdyStream;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A command's or a container's streams at a runtime's streaming server. */
final class StreamSession implements Session {
  /** What Kubernetes calls a command that ended by itself with another code than zero. */
  private static final String NON_ZERO = "NonZeroExitCode";

  /** For what could not be run, as shells have it. */
  private static final int CANNOT_RUN = 126;

  private final StreamingConnection connection;
  private final @Nullable SpdyStream stdin;
  private final SpdyStream stdout;
  private final @Nullable SpdyStream stderr;
  private final @Nullable SpdyStream resize;
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();

  /** The server waits for exactly these streams before it begins. */
  StreamSession(StreamingConnection connection, boolean hasStdin, boolean tty) throws IOException {
    this.connection = connection;
    SpdyStream error = connection.stream(type("error"));
    error.output().close();
    stdin = hasStdin ? connection.stream(type("stdin")) : null;
    stdout = connection.stream(type("stdout"));
    stdout.output().close();
    stderr = tty ? null : connection.stream(type("stderr"));
    if (stderr != null) {
      stderr.output().close();
    }
    resize = tty ? connection.stream(type("resize")) : null;
    Thread.ofVirtual().name("runtime-exit").start(() -> readExit(error));
  }

  private static Map<String, String> type(String type) {
    return Map.of("streamType", type);
  }

  private void readExit(SpdyStream error) {
    try {
      exit.complete(code(error.input().readAllBytes()));
    } catch (IOException | JsonException e) {
      exit.complete(CANNOT_RUN);
    }
  }

  /** Of a status: success, a code, or why there is none. */
  private static int code(byte[] bytes) {
    JsonObject status = JsonReader.object(bytes, JsonLimits.TRUSTED);
    if (status.text("status", "").equals("Success")) {
      return 0;
    }
    if (status.text("reason", "").equals(NON_ZERO)) {
      for (JsonObject cause : status.object("details").array("causes").objects()) {
        if (cause.text("reason", "").equals("ExitCode")) {
          return Integer.parseInt(cause.text("message", "1"));
        }
      }
    }
    return CANNOT_RUN;
  }

  @Override
  public OutputStream stdin() {
    return stdin == null ? OutputStream.nullOutputStream() : stdin.output();
  }

  @Override
  public InputStream stdout() {
    return stdout.input();
  }

  @Override
  public InputStream stderr() {
    return stderr == null ? InputStream.nullInputStream() : stderr.input();
  }

  @Override
  public void resize(int columns, int rows) {
    if (resize != null) {
      try {
        resize
            .output()
            .write("{\"Width\":%d,\"Height\":%d}\n".formatted(columns, rows).getBytes(UTF_8));
      } catch (IOException _) {
        // It has ended, and needs no size.
      }
    }
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return exit.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
