package dev.berth.bench.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.api.Control;
import dev.berth.model.core.NodeView;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Watches which nodes are ready, from the first one on. */
public final class NodeWatcher implements AutoCloseable {
  private final InputStream watch;
  private final Thread reader;
  private final CountDownLatch allReady = new CountDownLatch(1);
  private final AtomicInteger losses = new AtomicInteger();

  public NodeWatcher(Control control, int nodes) throws IOException, InterruptedException {
    watch = control.stream("/api/v1/nodes?watch=1&resourceVersion=0");
    reader = Thread.ofVirtual().start(() -> read(nodes));
  }

  private void read(int nodes) {
    Map<String, Boolean> ready = new HashMap<>();
    int count = 0;
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(watch, UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonObject event = JsonReader.object(line.getBytes(UTF_8), JsonLimits.TRUSTED);
        if (!event.text("type", "").equals("BOOKMARK")) {
          NodeView node = NodeView.read(event.object("object"));
          boolean was = Boolean.TRUE.equals(ready.put(node.name(), node.ready()));
          count += (node.ready() ? 1 : 0) - (was ? 1 : 0);
          if (was && !node.ready()) {
            losses.incrementAndGet();
          }
          if (count == nodes) {
            allReady.countDown();
          }
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  public void awaitAllReady(int seconds) throws IOException, InterruptedException {
    if (!allReady.await(seconds, TimeUnit.SECONDS)) {
      throw new IOException("not all nodes were ready within " + seconds + " s");
    }
  }

  /** How often a node that was ready no longer was. */
  public int losses() {
    return losses.get();
  }

  @Override
  public void close() throws IOException {
    watch.close();
    reader.interrupt();
  }
}
