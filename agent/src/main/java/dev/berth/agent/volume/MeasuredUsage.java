package dev.berth.agent.volume;

import dev.berth.agent.machine.Filesystem;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What directories take, counted anew when the last count is 10 seconds old and a hundred times as
 * old as counting took: so counting takes no more than a hundredth of a processor for each.
 */
final class MeasuredUsage {
  private static final Duration FRESH = Duration.ofSeconds(10);
  private static final int SHARE = 100;

  private final Time time;
  private final Map<Path, Measurement> measurements = new ConcurrentHashMap<>();

  /**
   * @param at when it was done, by the wall clock
   * @param nextAt when it may be done again, by the monotonic clock
   */
  record Measurement(DiskUsage usage, Instant at, Instant nextAt) {}

  MeasuredUsage(Time time) {
    this.time = time;
  }

  /** A directory's. */
  Measurement of(Path directory) throws IOException {
    Instant began = time.monotonicNow();
    Measurement last = measurements.get(directory);
    if (last != null && began.isBefore(last.nextAt())) {
      return last;
    }
    DiskUsage usage = DiskUsage.of(directory);
    Instant ended = time.monotonicNow();
    Duration rest = Duration.between(began, ended).multipliedBy(SHARE);
    Measurement fresh =
        new Measurement(usage, time.now(), ended.plus(rest.compareTo(FRESH) > 0 ? rest : FRESH));
    measurements.put(directory, fresh);
    return fresh;
  }

  /** What is used of a file system that is one volume's own. */
  Measurement ofFilesystem(Filesystem filesystem) {
    return new Measurement(DiskUsage.of(filesystem), time.now(), time.monotonicNow());
  }

  /** Forgets all directories below one. */
  void forget(Path top) {
    measurements.keySet().removeIf(directory -> directory.startsWith(top));
  }
}
