package dev.berth.agent.pod;

import dev.berth.model.core.ContainerState;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.podrun.ObservedContainer;
import dev.berth.policy.podrun.RestartDelay;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What keeps the containers of a pod from being started, and until when.
 *
 * <ul>
 *   <li>One that ended waits as {@link RestartDelay} says: {@code CrashLoopBackOff}.
 *   <li>One that could not be started is tried again after 10 s, and up to half as long again at
 *       random.
 *   <li>One whose image cannot be had waits 10 s, then twice as long each time, 5 min at most:
 *       {@code ErrImagePull}, and soon {@code ImagePullBackOff}.
 * </ul>
 *
 * <p>One that was ended because its pod defines it in another way by now, or that has another image
 * since it failed, begins afresh.
 *
 * <p>Lives on the loop of the pods.
 */
final class StartFailures {
  private static final String CRASH_LOOP = "CrashLoopBackOff";
  private static final String PULL_ERROR = "ErrImagePull";
  private static final String PULL_BACK_OFF = "ImagePullBackOff";
  private static final Set<String> PULL_ERRORS =
      Set.of(PULL_ERROR, "RegistryUnavailable", "SignatureValidationFailed");
  private static final Duration RETRY = Duration.ofSeconds(10);
  private static final Duration LONGEST_PULL = Duration.ofMinutes(5);

  /**
   * A container that waits.
   *
   * @param until when it is tried again, on the monotonic clock
   * @param pullDelay how long it waited for its image last
   */
  private record Waiter(ContainerState.Waiting waiting, Instant until, Duration pullDelay) {}

  private final Time time;
  private final RandomGenerator random;
  private final Duration longestBackOff;
  private final Map<String, Waiter> waiters = new HashMap<>();
  private final Map<String, RestartDelay> delays = new HashMap<>();

  /** The end of the newest container of each name. */
  private final Map<String, SeenEnd> ends = new HashMap<>();

  /** The containers that were ended to be started in another way: no crashes. */
  private final Map<String, String> replaced = new HashMap<>();

  /** When it was first seen that a container had ended, on the monotonic clock. */
  private record SeenEnd(String container, Instant at) {}

  StartFailures(Time time, RandomGenerator random, Duration longestBackOff) {
    this.time = time;
    this.random = random;
    this.longestBackOff = longestBackOff;
  }

  /** Whether a reason says that the container's image cannot be had. */
  static boolean isAboutImage(String reason) {
    return PULL_ERRORS.contains(reason)
        || reason.equals("ErrImageNeverPull")
        || reason.equals("InvalidImageName");
  }

  /** What the status of containers that wait says, by their names. */
  Map<String, ContainerState.Waiting> waiting() {
    Map<String, ContainerState.Waiting> waiting = new HashMap<>();
    waiters.forEach((name, waiter) -> waiting.put(name, waiter.waiting));
    return waiting;
  }

  /** How long a container waits that could not be started; empty if it may be tried now. */
  Optional<Duration> retryWait(String name) {
    Waiter waiter = waiters.get(name);
    return waiter == null
        ? Optional.empty()
        : Optional.of(Duration.between(time.monotonicNow(), waiter.until))
            .filter(Duration::isPositive);
  }

  /**
   * How long a container waits that ended before; empty if it may be started now.
   *
   * @param newest the last that ran; empty if none did
   */
  Optional<Duration> backOffWait(String name, Optional<ObservedContainer> newest) {
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    Instant ended = endSeen(newest.get());
    return delays
        .getOrDefault(name, RestartDelay.NONE)
        .waitsUntil(ended, time.monotonicNow(), longestBackOff)
        .map(until -> Duration.between(time.monotonicNow(), until));
  }

  /** A container's own time of its end is the wall clock's, which somebody may set. */
  private Instant endSeen(ObservedContainer container) {
    SeenEnd seen = ends.get(container.name());
    if (seen == null || !seen.container.equals(container.id())) {
      seen = new SeenEnd(container.id(), time.monotonicNow());
      ends.put(container.name(), seen);
    }
    return seen.at;
  }

  /**
   * A container has to wait because it ended before.
   *
   * @return whether it just began to wait
   */
  boolean backOff(String name, ObjectName pod, String uid) {
    Waiter before = waiters.get(name);
    Duration delay = delays.getOrDefault(name, RestartDelay.NONE).delay();
    String message = RestartDelay.message(delay, name, pod, uid);
    waiters.put(
        name,
        new Waiter(
            new ContainerState.Waiting(CRASH_LOOP, message), time.monotonicNow(), Duration.ZERO));
    return before == null || !before.waiting.message().equals(message);
  }

  /** A container is about to be started. */
  void starting(String name, Optional<ObservedContainer> newest) {
    if (newest.isPresent() && !newest.get().id().equals(replaced.get(name))) {
      RestartDelay before = delays.getOrDefault(name, RestartDelay.NONE);
      Instant now = time.monotonicNow();
      delays.put(name, before.next(endSeen(newest.get()), now, longestBackOff));
    }
  }

  void started(String name) {
    waiters.remove(name);
    replaced.remove(name);
  }

  /** A container has another image by now. */
  void redefined(String name) {
    waiters.remove(name);
    delays.remove(name);
  }

  /**
   * A container is ended to be started in another way.
   *
   * @param id with the runtime's name
   */
  void replacing(String name, String id) {
    if (!id.equals(replaced.put(name, id))) {
      redefined(name);
    }
  }

  /** A container could not be started. */
  void failed(String name, String reason, String message) {
    Waiter before = waiters.get(name);
    Duration delay = RETRY.plusMillis((long) (RETRY.toMillis() * random.nextDouble() / 2));
    Duration pull = Duration.ZERO;
    if (PULL_ERRORS.contains(reason)) {
      Duration last = before == null ? Duration.ZERO : before.pullDelay;
      pull = last.isZero() ? RETRY : last.multipliedBy(2);
      pull = pull.compareTo(LONGEST_PULL) < 0 ? pull : LONGEST_PULL;
      delay = pull;
    }
    waiters.put(
        name,
        new Waiter(
            new ContainerState.Waiting(reason, message), time.monotonicNow().plus(delay), pull));
  }

  /**
   * Whoever waits for an image after it could not be had waits for the next try from now on.
   *
   * @return the message for the event; empty if it waits for something else
   */
  Optional<String> backOffPull(String name, String image) {
    Waiter waiter = waiters.get(name);
    if (waiter == null || !PULL_ERRORS.contains(waiter.waiting.reason())) {
      return Optional.empty();
    }
    String message = "Back-off pulling image \"%s\"".formatted(image);
    waiters.put(
        name,
        new Waiter(
            new ContainerState.Waiting(
                PULL_BACK_OFF,
                "%s: %s: %s".formatted(message, waiter.waiting.reason(), waiter.waiting.message())),
            waiter.until,
            waiter.pullDelay));
    return Optional.of(message);
  }
}
