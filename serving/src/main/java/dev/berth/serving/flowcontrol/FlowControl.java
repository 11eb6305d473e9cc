package dev.berth.serving.flowcontrol;

import dev.berth.access.Action;
import dev.berth.model.user.User;
import dev.berth.serving.request.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Lets requests in, when there is room for them. */
@FunctionalInterface
public interface FlowControl {
  /** Everybody may come in, as where there is no network. */
  FlowControl NONE = _ -> new Admission.Admitted(Seat.FREE, Map.of());

  /**
   * Waits until a request may run, or must not.
   *
   * @throws InterruptedException if the server ends meanwhile
   */
  Admission admit(FlowRequest request) throws InterruptedException;

  /**
   * A watch within this process begins. It takes no seat, but there is more to do for those who
   * write what it watches.
   *
   * @return to be run when it ends
   */
  default Runnable watching(Action action) {
    return () -> {};
  }

  /**
   * A request that asks to be let in.
   *
   * @param user whose rights count
   * @param received when it came, on the monotonic clock
   * @param timeLimit how long it may take in all; a quarter of that it may wait
   */
  record FlowRequest(User user, Action action, Query query, Instant received, Duration timeLimit) {}

  /** What is decided; both kinds of answers carry fields that say where the request belongs. */
  sealed interface Admission {
    Map<String, String> headers();

    record Admitted(Seat seat, Map<String, String> headers) implements Admission {}

    /**
     * There is no room.
     *
     * @param retryAfterSeconds when the client shall try again
     */
    record Rejected(long retryAfterSeconds, Map<String, String> headers) implements Admission {}
  }

  /** What a request has while it runs. */
  interface Seat extends AutoCloseable {
    Seat FREE = () -> {};

    /** A watch has sent what there was, and waits from now on, which is no work. */
    default void initialized() {
      close();
    }

    /** The request has ended. May be called more than once. */
    @Override
    void close();
  }
}
