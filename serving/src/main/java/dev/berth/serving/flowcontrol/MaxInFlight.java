package dev.berth.serving.flowcontrol;

import dev.berth.model.user.User;
import dev.berth.serving.request.RequestKinds;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests while too many run, whoever sends them. Watches do not count, and administrators
 * are always let in, so that they can do something about it.
 */
public final class MaxInFlight implements FlowControl {
  private static final long RETRY_AFTER_SECONDS = 1;

  private final @Nullable Semaphore reading;
  private final @Nullable Semaphore writing;

  public MaxInFlight(FlowControlSettings settings) {
    reading = permits(settings.maxRequestsInFlight());
    writing = permits(settings.maxMutatingRequestsInFlight());
  }

  private static @Nullable Semaphore permits(int limit) {
    return limit == 0 ? null : new Semaphore(limit);
  }

  @Override
  public Admission admit(FlowRequest request) {
    Semaphore limit = RequestKinds.isMutating(request.action()) ? writing : reading;
    if (limit == null
        || RequestKinds.isWatch(request.action())
        || RequestKinds.isLongRunning(request.action())) {
      return new Admission.Admitted(Seat.FREE, Map.of());
    }
    if (limit.tryAcquire()) {
      AtomicBoolean held = new AtomicBoolean(true);
      Seat seat =
          () -> {
            if (held.getAndSet(false)) {
              limit.release();
            }
          };
      return new Admission.Admitted(seat, Map.of());
    }
    return request.user().groups().contains(User.MASTERS)
        ? new Admission.Admitted(Seat.FREE, Map.of())
        : new Admission.Rejected(RETRY_AFTER_SECONDS, Map.of());
  }
}
