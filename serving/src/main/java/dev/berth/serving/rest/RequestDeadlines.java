package dev.berth.serving.rest;

import dev.berth.model.quantity.GoDuration;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.serving.observe.Observed;
import dev.berth.serving.request.Query;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Answers requests that take too long, for those who wait for them: after {@link #LONGEST}, or
 * sooner if the client says so. What is under way goes on, and may be done yet, as in Kubernetes;
 * its answer comes too late and is dropped.
 *
 * <p>Requests are looked at once a second while there are any, so that one that is answered in time
 * costs no timer of its own.
 */
final class RequestDeadlines implements AutoCloseable {
  static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration PACE = Duration.ofSeconds(1);

  private final Time time;
  private final Loop loop;
  private final BiConsumer<Observed, Status> answer;
  private final Map<Observed, Instant> running = new ConcurrentHashMap<>();
  private final AtomicBoolean looking = new AtomicBoolean();

  /**
   * @param answer sends a status in place of the answer that does not come
   */
  RequestDeadlines(Time time, BiConsumer<Observed, Status> answer) {
    this.time = time;
    this.answer = answer;
    this.loop = time.start("request-deadlines");
  }

  /**
   * A request must be answered before the time that its client or this server gives it.
   *
   * @return how long that is
   */
  Duration begin(Observed request, Query query) {
    Duration limit = timeout(query.text("timeout"));
    running.put(request, request.receivedMonotonic().plus(limit));
    lookLater();
    return limit;
  }

  void end(Observed request) {
    running.remove(request);
  }

  private static Duration timeout(String text) {
    if (text.isEmpty() || text.equals("0")) {
      return LONGEST;
    }
    boolean negative = text.startsWith("-");
    Duration asked = GoDuration.parse(negative || text.startsWith("+") ? text.substring(1) : text);
    if (asked == null) {
      throw Failures.badRequest(
          "invalid timeout specified in the request URL - time: invalid duration \"%s\""
              .formatted(text));
    }
    return negative || asked.isZero() || asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
  }

  private void lookLater() {
    if (!looking.get() && looking.compareAndSet(false, true)) {
      loop.after(PACE, this::look);
    }
  }

  private void look() {
    looking.set(false);
    Instant now = time.monotonicNow();
    running.forEach((request, deadline) -> {
      if (!now.isBefore(deadline) && answerBesideLoop(request)) {
        running.remove(request, deadline);
      }
    });
    if (!running.isEmpty()) {
      lookLater();
    }
  }

  /** Beside the loop, since a client that does not read must not make the others wait. */
  private boolean answerBesideLoop(Observed request) {
    return loop.call(
        () -> {
          answer.accept(request, Failures.requestTimeout().status());
          return request;
        },
        _ -> {});
  }

  @Override
  public void close() {
    loop.close();
  }
}
