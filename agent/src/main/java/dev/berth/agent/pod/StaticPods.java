package dev.berth.agent.pod;

import dev.berth.agent.pod.PodSettings.StaticSources;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pods that come from files and from an address instead of a server. Both are looked at again and
 * again, files also as soon as the kernel says that they have changed. A file that goes ends its
 * pods, even if it is there again a moment later.
 *
 * <p>What cannot be read leaves things as they are. Unlike upstream that goes for a single file,
 * too: one that is just being written ends no pod.
 *
 * <p>Lives on the loop of the pods, but for what reads: one thread at a time for each source.
 */
final class StaticPods {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How often the kernel is asked what happened to files. */
  private static final Duration HEARING = Duration.ofSeconds(1);

  private static final String FILE = "file";
  private static final String HTTP = "http";

  private final Loop loop;
  private final StaticSources sources;
  private final Time time;
  private final Consumer<Map<String, JsonObject>> listener;
  private final StaticPodReader files;
  private final StaticPodReader pages;

  /** What a file or an address had when it could last be read. */
  private final Map<String, List<JsonObject>> lastRead = new ConcurrentHashMap<>();

  /** What was said of a file or an address that cannot be read; it is said once. */
  private final Map<String, String> problems = new ConcurrentHashMap<>();

  /** What each source has, by its name; those that were never read are not in it. */
  private final Map<String, Map<String, JsonObject>> bySource = new HashMap<>();

  /** How often each source was looked at: what an older look saw may be no longer so. */
  private final Map<String, Integer> looks = new HashMap<>();

  private final Optional<ManifestChanges> changes;

  /**
   * @param listener gets all static pods by their uids, whenever they change
   */
  StaticPods(
      Loop loop,
      StaticSources sources,
      String node,
      Time time,
      Consumer<Map<String, JsonObject>> listener) {
    this.loop = loop;
    this.sources = sources;
    this.time = time;
    this.listener = listener;
    this.files = new StaticPodReader(FILE, node);
    this.pages = new StaticPodReader(HTTP, node);
    this.changes = sources.path().map(ManifestChanges::new);
  }

  void start() {
    sources
        .path()
        .ifPresent(path -> {
          changes.ifPresent(ManifestChanges::next);
          check(FILE, sources.pathCheck(), () -> read(path));
          loop.after(HEARING, () -> listen(path));
        });
    sources.url().ifPresent(url -> check(HTTP, sources.urlCheck(), () -> read(url)));
  }

  /** Whether all sources have been read. */
  boolean areKnown() {
    return (sources.path().isEmpty() || bySource.containsKey(FILE))
        && (sources.url().isEmpty() || bySource.containsKey(HTTP));
  }

  Map<String, JsonObject> all() {
    Map<String, JsonObject> all = new LinkedHashMap<>();
    bySource.values().forEach(all::putAll);
    return all;
  }

  private void check(String source, Duration every, Supplier<Optional<List<JsonObject>>> read) {
    look(source, read, () -> loop.after(every, () -> check(source, every, read)));
  }

  /** Looks beside the loop, unless there is no room for that now. */
  private void look(String source, Supplier<Optional<List<JsonObject>>> read, Runnable then) {
    int number = looks.merge(source, 1, Integer::sum);
    boolean isBegun =
        loop.call(
            read,
            pods -> {
              if (looks.getOrDefault(source, 0) == number) {
                pods.ifPresent(found -> found(source, found));
              }
              then.run();
            });
    if (!isBegun) {
      then.run();
    }
  }

  private void listen(Path path) {
    changes
        .flatMap(ManifestChanges::next)
        .ifPresent(gone -> {
          gone.forEach(name -> forget(path.resolve(name).toString()));
          look(FILE, () -> read(path), () -> {});
        });
    loop.after(HEARING, () -> listen(path));
  }

  /** A file is not there, or is another one. */
  private void forget(String place) {
    List<JsonObject> had = lastRead.remove(place);
    Map<String, JsonObject> before = bySource.get(FILE);
    if (had == null || before == null) {
      return;
    }
    Map<String, JsonObject> left = new LinkedHashMap<>(before);
    had.forEach(pod -> left.remove(Metadata.of(pod).uid()));
    bySource.put(FILE, left);
    listener.accept(all());
  }

  /** Hears of nothing any more. */
  void close() {
    changes.ifPresent(ManifestChanges::close);
  }

  private void found(String source, List<JsonObject> pods) {
    Map<String, JsonObject> byUid = new LinkedHashMap<>();
    pods.forEach(pod -> byUid.put(Metadata.of(pod).uid(), pod));
    Map<String, JsonObject> before = bySource.get(source);
    if (before == null || !before.keySet().equals(byUid.keySet())) {
      bySource.put(source, byUid);
      listener.accept(all());
    }
  }

  /** Beside the loop: empty if it cannot be read. */
  private Optional<List<JsonObject>> read(Path path) {
    Instant now = time.now();
    List<JsonObject> pods = new ArrayList<>();
    Set<String> places = new HashSet<>();
    try (Stream<Path> found = Files.isDirectory(path) ? Files.list(path) : Stream.of(path)) {
      for (Path file : found.sorted().toList()) {
        if (Files.isRegularFile(file) && !file.getFileName().toString().startsWith(".")) {
          places.add(file.toString());
          pods.addAll(
              read(files, Files.readAllBytes(file), file.toString(), now)
                  .orElse(lastRead.getOrDefault(file.toString(), List.of())));
        }
      }
    } catch (IOException e) {
      say(path.toString(), "cannot be read: " + e.getMessage());
      return Optional.empty();
    }
    forgetAllBut(places);
    return Optional.of(pods);
  }

  private void forgetAllBut(Set<String> places) {
    sources.url().ifPresent(url -> places.add(url.toString()));
    lastRead.keySet().retainAll(places);
    problems.keySet().retainAll(places);
  }

  /** Empty if it is not what can be read. */
  private Optional<List<JsonObject>> read(
      StaticPodReader reader, byte[] content, String place, Instant now) {
    try {
      List<JsonObject> pods = reader.read(content, place, now);
      lastRead.put(place, pods);
      problems.remove(place);
      return Optional.of(pods);
    } catch (StaticPodReader.Malformed e) {
      say(place, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private void say(String place, String problem) {
    if (!problem.equals(problems.put(place, problem))) {
      LOG.warn(
          "static pods in {}: {}{}",
          place,
          problem,
          lastRead.getOrDefault(place, List.of()).isEmpty() ? "" : "; what was there before stays");
    }
  }

  /** Beside the loop: empty if it does not answer with what can be read. */
  private Optional<List<JsonObject>> read(URI url) {
    HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(PATIENCE);
    sources
        .urlHeaders()
        .forEach((name, values) -> values.forEach(value -> request.header(name, value)));
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      HttpResponse<byte[]> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) {
        say(url.toString(), "the server answers " + answer.statusCode());
        return Optional.empty();
      }
      return read(pages, answer.body(), url.toString(), time.now());
    } catch (IOException e) {
      say(url.toString(), "cannot be read: " + e);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
