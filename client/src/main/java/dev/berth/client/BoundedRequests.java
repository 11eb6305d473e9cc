package dev.berth.client;

import dev.berth.time.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Requests that a component makes beside its loop, a limited number at once; the others wait in
 * order. When many wait, one call makes several in a row, since handing over each by itself would
 * cost more than a request within the process does.
 *
 * <p>It lives on its component's loop; all methods are for that loop's tasks.
 */
public final class BoundedRequests {
  private static final int BATCH = 16;

  /** How soon to try again when the loop has no room for a call. */
  private static final Duration SOON = Duration.ofMillis(20);

  private final Loop loop;
  private final int atOnce;
  private final Deque<Work<?>> waiting = new ArrayDeque<>();
  private int callsUnderWay;
  private int requestsUnderWay;
  private boolean waitsForRoom;

  /** One request and what follows it. */
  private static final class Work<T> {
    private final BooleanSupplier isStillWanted;
    private final Supplier<T> request;
    private final Consumer<T> then;

    Work(BooleanSupplier isStillWanted, Supplier<T> request, Consumer<T> then) {
      this.isStillWanted = isStillWanted;
      this.request = request;
      this.then = then;
    }

    /** Makes the request, and returns what is to be done on the loop. */
    Runnable make() {
      T result = request.get();
      return () -> then.accept(result);
    }
  }

  /**
   * @param atOnce how many calls may run at once
   */
  public BoundedRequests(Loop loop, int atOnce) {
    this.loop = loop;
    this.atOnce = atOnce;
  }

  /** Makes a request when there is room, and then does something with its result on the loop. */
  public <T> void run(Supplier<T> request, Consumer<T> then) {
    run(() -> true, request, then);
  }

  /**
   * The same for a request that may become pointless while it waits.
   *
   * @param isStillWanted asked on the loop right before the request is made; if it says no, that is
   *     the end of it
   */
  public <T> void run(BooleanSupplier isStillWanted, Supplier<T> request, Consumer<T> then) {
    waiting.add(new Work<>(isStillWanted, request, then));
    send();
  }

  /** How many requests have not ended yet. */
  public int size() {
    return waiting.size() + requestsUnderWay;
  }

  private void send() {
    while (callsUnderWay < atOnce && !waiting.isEmpty()) {
      // While little waits, each has a call of its own and none waits for another.
      int size = Math.clamp(waiting.size() / atOnce, 1, BATCH);
      List<Work<?>> batch = new ArrayList<>(size);
      while (batch.size() < size && !waiting.isEmpty()) {
        Work<?> next = waiting.remove();
        if (next.isStillWanted.getAsBoolean()) {
          batch.add(next);
        }
      }
      if (batch.isEmpty()) {
        return;
      }
      if (!loop.call(() -> make(batch), this::made)) {
        batch.reversed().forEach(waiting::addFirst);
        waitForRoom();
        return;
      }
      callsUnderWay++;
      requestsUnderWay += batch.size();
    }
  }

  /** Runs beside the loop. */
  private static List<Runnable> make(List<Work<?>> batch) {
    List<Runnable> followUps = new ArrayList<>(batch.size());
    batch.forEach(work -> followUps.add(work.make()));
    return followUps;
  }

  private void made(List<Runnable> followUps) {
    callsUnderWay--;
    requestsUnderWay -= followUps.size();
    followUps.forEach(Runnable::run);
    send();
  }

  private void waitForRoom() {
    if (!waitsForRoom) {
      waitsForRoom = true;
      loop.after(
          SOON,
          () -> {
            waitsForRoom = false;
            send();
          });
    }
  }
}
