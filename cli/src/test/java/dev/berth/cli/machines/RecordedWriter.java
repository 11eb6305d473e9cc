package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.AdminClient;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes one object again and again, each time something that it never wrote before, and reads it
 * between writes; each time through any of the servers. Nobody else writes it, so whatever is read
 * must be what was acknowledged last, or something later whose answer was lost.
 */
final class RecordedWriter implements Runnable {
  private static final String PATH = "/api/v1/namespaces/default/configmaps";
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int NOT_FOUND = 404;

  private final String name;
  private final List<AdminClient> servers;
  private final SplittableRandom random;

  /** What was written at which revision, as the answers said. */
  final Map<Long, String> acknowledged = new ConcurrentSkipListMap<>();

  final List<String> wrongs = new ArrayList<>();

  /**
   * What was sent on top of what is known, and not answered. It may still come, until there is
   * something later, which refuses it.
   */
  private final Set<String> uncertain = new HashSet<>();

  private String last = "";
  private long revision;

  /** Whether something was sent, and it is not known what became of it. */
  private boolean mustRead = true;

  private volatile boolean isStopped;

  RecordedWriter(String name, List<AdminClient> servers, SplittableRandom random) {
    this.name = name;
    this.servers = servers;
    this.random = random;
  }

  void stop() {
    isStopped = true;
  }

  @Override
  public void run() {
    for (int i = 0; !isStopped; i++) {
      try {
        if (mustRead || random.nextInt(4) == 0) {
          read();
        }
        if (!mustRead) {
          write(name + "-" + i);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      } catch (IOException e) {
        // Of a server that does not answer: a later one will.
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private AdminClient any() {
    return servers.get(random.nextInt(servers.size()));
  }

  private void read() throws IOException, InterruptedException {
    HttpResponse<String> answer = any().send("GET", PATH + "/" + name, "", PATIENCE);
    if (answer.statusCode() == NOT_FOUND && revision == 0) {
      mustRead = false;
    }
    if (answer.statusCode() != OK) {
      return;
    }
    JsonObject object = parse(answer.body());
    String found = object.object("data").text("n", "");
    long at = revisionOf(object);
    if (at < revision || !(found.equals(last) || uncertain.contains(found))) {
      wrongs.add(
          "%s: read %s at %d after %s was acknowledged at %d"
              .formatted(name, found, at, last, revision));
    }
    know(found, at);
  }

  private void know(String value, long at) {
    if (at > revision) {
      uncertain.clear();
    }
    last = value;
    revision = at;
    mustRead = false;
  }

  private void write(String value) throws IOException, InterruptedException {
    boolean isFirst = revision == 0;
    String object =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"%s},\"data\":{\"n\":\"%s\"}}"
            .formatted(name, isFirst ? "" : ",\"resourceVersion\":\"" + revision + "\"", value);
    uncertain.add(value);
    mustRead = true;
    HttpResponse<String> answer =
        any().send(isFirst ? "POST" : "PUT", isFirst ? PATH : PATH + "/" + name, object, PATIENCE);
    if (answer.statusCode() == (isFirst ? CREATED : OK)) {
      know(value, revisionOf(parse(answer.body())));
      acknowledged.put(revision, value);
    }
  }

  private static JsonObject parse(String json) throws IOException {
    try {
      return JsonReader.object(json.getBytes(UTF_8), JsonLimits.REQUEST);
    } catch (JsonException e) {
      throw new IOException("half an answer", e);
    }
  }

  static long revisionOf(JsonObject object) {
    return Long.parseLong(object.object("metadata").text("resourceVersion", "0"));
  }
}
