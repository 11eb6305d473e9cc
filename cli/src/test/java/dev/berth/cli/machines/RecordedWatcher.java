package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.AdminClient;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Watches all that is written, and goes on at the next server where it ended at one: when a server
 * is gone, or silent although there is always something to tell.
 */
final class RecordedWatcher implements Runnable {
  private static final String PATH = "/api/v1/namespaces/default/configmaps";
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final int OK = 200;
  private static final int GONE = 410;

  private final String name;
  private final List<AdminClient> servers;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private int server;

  /** What was written at which revision, as watches told. */
  final NavigableMap<Long, String> told = new ConcurrentSkipListMap<>();

  /** From which revision on nothing may be missing, up to which. */
  final List<long[]> complete = new ArrayList<>();

  final List<String> wrongs = new ArrayList<>();
  volatile long revision;
  private volatile boolean isStopped;

  RecordedWatcher(String name, List<AdminClient> servers, int server) {
    this.name = name;
    this.servers = servers;
    this.server = server;
  }

  void stop() {
    isStopped = true;
  }

  @Override
  public void run() {
    while (!isStopped) {
      try {
        if (revision == 0) {
          list();
        } else {
          watch();
        }
      } catch (IOException | JsonException e) {
        server = (server + 1) % servers.size();
      } catch (InterruptedException e) {
        break;
      }
    }
    close();
    timer.shutdownNow();
  }

  private void list() throws IOException, InterruptedException {
    HttpResponse<String> answer = servers.get(server).send("GET", PATH, "", PATIENCE);
    if (answer.statusCode() != OK) {
      throw new IOException(answer.body());
    }
    revision = RecordedWriter.revisionOf(parse(answer.body()));
    complete.add(new long[] {revision, revision});
  }

  /** What comes from here on is complete up to there. */
  private void close() {
    if (!complete.isEmpty()) {
      complete.getLast()[1] = revision;
    }
  }

  private void watch() throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        servers
            .get(server)
            .read(
                PATH + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + revision,
                PATIENCE);
    try (InputStream body = answer.body();
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, UTF_8))) {
      if (answer.statusCode() == GONE) {
        tooOld();
        return;
      }
      if (answer.statusCode() != OK) {
        throw new IOException("status " + answer.statusCode());
      }
      while (!isStopped) {
        ScheduledFuture<?> silence = timer.schedule(() -> end(body), 3, TimeUnit.SECONDS);
        String line = lines.readLine();
        silence.cancel(false);
        if (line == null) {
          throw new IOException("it ended");
        }
        if (!take(parse(line))) {
          return;
        }
      }
    }
  }

  private static void end(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      // It has ended.
    }
  }

  private void tooOld() {
    close();
    revision = 0;
  }

  /** Takes an event; whether the watch goes on. */
  private boolean take(JsonObject event) {
    JsonObject object = event.object("object");
    if (event.text("type", "").equals("ERROR")) {
      if (object.integer("code").orElse(0) == GONE) {
        tooOld();
      }
      return false;
    }
    long at = RecordedWriter.revisionOf(object);
    boolean isBookmark = event.text("type", "").equals("BOOKMARK");
    if (isBookmark ? at < revision : at <= revision) {
      wrongs.add("%s: was told of revision %d after %d".formatted(name, at, revision));
    }
    if (!isBookmark) {
      told.put(at, object.object("data").text("n", ""));
    }
    revision = at;
    return true;
  }

  private static JsonObject parse(String json) {
    return JsonReader.object(json.getBytes(UTF_8), JsonLimits.REQUEST);
  }
}
