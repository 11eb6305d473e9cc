package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that write, read and watch without a pause, and tell of each answer that they did not ask
 * for. Nothing is tried again, but that a watch which ended as it should is resumed.
 */
final class SteadyLoad {
  private static final String PATH = "/api/v1/namespaces/default/configmaps";
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isStopped;

  /** What should not have happened. */
  final Queue<String> failures = new ConcurrentLinkedQueue<>();

  /** How many rounds of writes and reads each client has made. */
  final List<AtomicInteger> rounds = new ArrayList<>();

  /** The names of what each watcher was told of. */
  final List<Set<String>> told = new ArrayList<>();

  /** What a client does, under a name of its own each time. */
  private interface Round {
    void run(String name) throws IOException, InterruptedException;
  }

  void writeBy(String who, AdminClient client) {
    repeat(
        who,
        name -> {
          expect(201, client.send("POST", PATH, "application/json", body(name)));
          expect(200, client.send("GET", PATH + "/" + name, "application/json", ""));
          expect(200, client.send("PUT", PATH + "/" + name, "application/json", body(name)));
          expect(200, client.send("DELETE", PATH + "/" + name, "application/json", ""));
        });
  }

  void writeBy(String who, Api api) {
    repeat(
        who,
        name -> {
          JsonObject object = JsonReader.object(body(name).getBytes(UTF_8), JsonLimits.TRUSTED);
          expect(api.create(Resources.CONFIG_MAPS, object));
          expect(api.get(Resources.CONFIG_MAPS, new ObjectName("default", name)));
        });
  }

  private static String body(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\"}}"
        .formatted(name);
  }

  private static void expect(int status, HttpResponse<String> answer) throws IOException {
    if (answer.statusCode() != status) {
      throw new IOException(
          "%s: %d %s".formatted(answer.request().method(), answer.statusCode(), answer.body()));
    }
  }

  private static void expect(ApiResult result) throws IOException {
    if (result instanceof ApiResult.Failure why) {
      throw new IOException(why.message());
    }
  }

  private void repeat(String who, Round round) {
    AtomicInteger done = new AtomicInteger();
    rounds.add(done);
    start(
        who,
        () -> {
          for (int i = 0; !isStopped; i++) {
            round.run(who + "-" + i);
            done.incrementAndGet();
            LockSupport.parkNanos(PAUSE.toNanos());
          }
        });
  }

  /** Something that goes on until it is told to stop. */
  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private void start(String who, Work work) {
    threads.add(
        Thread.ofVirtual()
            .start(() -> {
              while (!isStopped) {
                try {
                  work.run();
                } catch (IOException e) {
                  if (!isStopped) {
                    failures.add(who + ": " + e);
                  }
                } catch (InterruptedException e) {
                  return;
                }
              }
            }));
  }

  void watchBy(String who, AdminClient client) {
    Set<String> names = ConcurrentHashMap.newKeySet();
    told.add(names);
    String[] revision = {""};
    start(
        who,
        () -> {
          if (revision[0].isEmpty()) {
            HttpResponse<String> list =
                client.send("GET", PATH + "?limit=1", "application/json", "");
            expect(200, list);
            revision[0] = revision(parse(list.body()));
          }
          watch(client, names, revision);
        });
  }

  /** Until the server ends it, as it may; anything but a clean end is an exception. */
  private void watch(AdminClient client, Set<String> names, String[] revision)
      throws IOException, InterruptedException {
    String path = PATH + "?watch=true&resourceVersion=" + revision[0];
    var answer = client.read(path, PATIENCE);
    if (answer.statusCode() != 200) {
      throw new IOException("the watch was answered " + answer.statusCode());
    }
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), UTF_8))) {
      for (String line = lines.readLine(); line != null && !isStopped; line = lines.readLine()) {
        JsonObject event = parse(line);
        JsonObject object = event.object("object");
        if (event.text("type", "").equals("ERROR")) {
          throw new IOException("the watch said " + line);
        }
        names.add(object.object("metadata").text("name", ""));
        revision[0] = revision(object);
      }
    }
  }

  private static JsonObject parse(String json) {
    return JsonReader.object(json.getBytes(UTF_8), JsonLimits.TRUSTED);
  }

  private static String revision(JsonObject object) {
    return object.object("metadata").text("resourceVersion", "");
  }

  /** Waits until each client has done some more. */
  void awaitProgress() {
    List<Integer> before = rounds.stream().map(AtomicInteger::get).toList();
    Await.until(
        "more of all clients",
        () -> {
          for (int i = 0; i < before.size(); i++) {
            if (rounds.get(i).get() < before.get(i) + 5) {
              return false;
            }
          }
          return true;
        });
  }

  /** Ends all clients; what fails because of that is no failure. */
  void stop() {
    isStopped = true;
    threads.forEach(Thread::interrupt);
  }
}
