package dev.berth.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an informer has told so far, and whether its cache has become what it should be. The cache
 * is looked at after each event, so that nobody has to ask again and again.
 */
final class Seen {
  /** Long enough for the back-off of every library. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Map<String, List<String>> versions = new TreeMap<>();
  private final CompletableFuture<Map<String, String>> reached = new CompletableFuture<>();
  private Supplier<Map<String, String>> cache = Map::of;
  private @Nullable Map<String, String> goal;

  /** Where to look: the resource versions in the cache, by name. */
  synchronized void lookAt(Supplier<Map<String, String>> informersCache) {
    this.cache = informersCache;
  }

  synchronized void changed(String name, @Nullable String version) {
    versions.computeIfAbsent(name, _ -> new ArrayList<>()).add(String.valueOf(version));
    look();
  }

  synchronized void deleted(String name) {
    versions.computeIfAbsent(name, _ -> new ArrayList<>()).add("deleted");
    look();
  }

  private void look() {
    if (goal != null && cache.get().equals(goal)) {
      reached.complete(goal);
    }
  }

  /** Returns when the cache holds just that. */
  void await(Map<String, String> wanted) throws Exception {
    synchronized (this) {
      goal = Map.copyOf(wanted);
      look();
    }
    try {
      reached.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      assertThat(cache.get()).as("the informer's cache").isEqualTo(wanted);
      throw e;
    }
  }

  /** What was told of each object: its resource versions, and {@code deleted}. */
  synchronized Map<String, List<String>> history() {
    Map<String, List<String>> copy = new TreeMap<>();
    versions.forEach((name, all) -> copy.put(name, List.copyOf(all)));
    return copy;
  }
}
