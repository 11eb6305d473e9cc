package dev.berth.bench.firstminute;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.api.Control;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.io.InputStream;

/** A watch of bound pods, which counts those that came and those that run, and reads no JSON. */
public final class PodWatch implements AutoCloseable {
  private static final byte[] ADDED = "{\"type\":\"ADDED\"".getBytes(UTF_8);
  private static final byte[] RUNNING = "\"phase\":\"Running\"".getBytes(UTF_8);

  private final InputStream watch;
  private final int wanted;
  private int bound;
  private int running;
  private int added; // how much of the beginning of a line is that of an addition
  private int phase; // how much of the phase was read last

  private PodWatch(InputStream watch, int wanted) {
    this.watch = watch;
    this.wanted = wanted;
  }

  /** When all pods were bound and when all ran, by {@link System#nanoTime}. */
  public record Times(long bound, long running) {}

  /** Begins to watch what changes from now on. */
  public static PodWatch of(Control control, String path, int wanted)
      throws IOException, InterruptedException {
    String revision =
        JsonReader.object(control.get(path + "?limit=1"), JsonLimits.TRUSTED)
            .object("metadata")
            .text("resourceVersion", "");
    return new PodWatch(
        control.stream(
            path + "?watch=1&fieldSelector=spec.nodeName!%3D&resourceVersion=" + revision),
        wanted);
  }

  /**
   * Reads until all are bound and run. A pod says that it runs once, in the last of its changes.
   */
  public Times await() throws IOException {
    byte[] buffer = new byte[1 << 16];
    long allBound = 0;
    while (bound < wanted || running < wanted) {
      int read = watch.read(buffer);
      if (read < 0) {
        throw new IOException("the watch ended after %d pods, %d run".formatted(bound, running));
      }
      for (int i = 0; i < read; i++) {
        look(buffer[i]);
      }
      if (allBound == 0 && bound >= wanted) {
        allBound = System.nanoTime();
      }
    }
    return new Times(allBound, System.nanoTime());
  }

  private void look(byte next) {
    if (next == '\n') {
      added = 0;
      phase = 0;
      return;
    }
    if (added < ADDED.length) {
      added = next == ADDED[added] ? added + 1 : Integer.MAX_VALUE;
      bound += added == ADDED.length ? 1 : 0;
    }
    phase = next == RUNNING[phase] ? phase + 1 : next == RUNNING[0] ? 1 : 0;
    if (phase == RUNNING.length) {
      running++;
      phase = 0;
    }
  }

  @Override
  public void close() throws IOException {
    watch.close();
  }
}
