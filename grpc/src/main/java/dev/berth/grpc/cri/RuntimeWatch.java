package dev.berth.grpc.cri;

import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.grpc.criapi.Cri;
import dev.berth.grpc.socket.GoErrors;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices what changes in a runtime: by its events where it has them, and by listing everything.
 *
 * <pre>
 * no events: list every second              events: list every minute, in case one was lost
 *      ▲            stream ends                 │
 *      └────────────────────────────────────────┘ asked for again with the next list
 * </pre>
 *
 * <p>Its state is soft; one loop owns it, but for what {@link #lastSeen} tells others.
 */
final class RuntimeWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("container-runtime");
  private static final Duration RELIST = Duration.ofSeconds(1);
  private static final Duration RELIST_WITH_EVENTS = Duration.ofMinutes(1);

  private final CriConnection connection;
  private final CriPods pods;
  private final Time time;
  private final Loop loop;
  private final Consumer<String> changed;
  private final Consumer<Cri.Container> unknown;

  /** What each pod's containers and sandboxes were like, by the pod's uid. */
  private Map<String, Integer> last = Map.of();

  private boolean hasEvents = true;
  private boolean isListing;
  private boolean hasFailed;
  private Loop.@Nullable Timer timer;
  private volatile @Nullable ClientCallStreamObserver<Cri.GetEventsRequest> events;

  /** When everything was last listed, on the monotonic clock; null if it never was. */
  private volatile @Nullable Instant lastSeen;

  /**
   * @param changed told the uid of a pod in which something changed
   * @param unknown told of containers that the runtime has lost track of
   */
  RuntimeWatch(
      CriConnection connection,
      CriPods pods,
      RemoteRuntimes.Settings settings,
      Consumer<String> changed,
      Consumer<Cri.Container> unknown) {
    this.connection = connection;
    this.pods = pods;
    this.time = settings.time();
    this.changed = changed;
    this.unknown = unknown;
    loop = time.start("container-runtime");
    loop.offer(this::relist);
  }

  /** How long ago everything was last listed; empty if it never was. */
  Optional<Duration> sinceLastSeen() {
    return Optional.ofNullable(lastSeen).map(time::since);
  }

  private void relist() {
    if (!isListing) {
      isListing = loop.call(this::list, this::listed);
    }
    schedule();
  }

  private void schedule() {
    if (timer != null) {
      timer.cancel();
    }
    timer = loop.after(events == null ? RELIST : RELIST_WITH_EVENTS, this::relist);
  }

  /** What each pod is like now; empty if the runtime does not say. */
  private Optional<Map<String, Integer>> list() {
    try {
      Map<String, Integer> current = new HashMap<>();
      for (Cri.PodSandbox sandbox : pods.sandboxes(Map.of())) {
        add(current, sandbox.getLabelsMap(), sandbox.getId(), sandbox.getStateValue());
      }
      for (Cri.Container container : pods.containers(Map.of())) {
        add(current, container.getLabelsMap(), container.getId(), container.getStateValue());
        if (container.getState() == Cri.ContainerState.CONTAINER_UNKNOWN) {
          unknown.accept(container);
        }
      }
      return Optional.of(current);
    } catch (RuntimeFailure e) {
      LOG.debug("{}", e.getMessage());
      return Optional.empty();
    }
  }

  /** Order does not matter. */
  private static void add(
      Map<String, Integer> all, Map<String, String> labels, String id, int state) {
    int part = (id.hashCode() + 1) * 31 + state;
    all.merge(labels.getOrDefault(CriNames.POD_UID, ""), part * part, Integer::sum);
  }

  private void listed(Optional<Map<String, Integer>> answer) {
    isListing = false;
    if (answer.isEmpty()) {
      hasFailed = true;
      // Whoever does not answer may have forgotten who listens, too.
      stopEvents("the runtime does not answer");
      return;
    }
    Map<String, Integer> current = answer.get();
    boolean isFirst = lastSeen == null;
    lastSeen = time.monotonicNow();
    Map<String, Integer> before = last;
    last = current;
    if (!isFirst) {
      // After a failure whatever was begun meanwhile may have come to something else.
      boolean all = hasFailed;
      current.forEach((uid, state) -> {
        if (all || !state.equals(before.get(uid))) {
          changed.accept(uid);
        }
      });
      before.keySet().stream().filter(uid -> !current.containsKey(uid)).forEach(changed);
    }
    hasFailed = false;
    if (hasEvents && events == null) {
      connection
          .events()
          .getContainerEvents(Cri.GetEventsRequest.getDefaultInstance(), new Events());
    }
  }

  /** The runtime's events, for as long as they come. */
  private final class Events
      implements ClientResponseObserver<Cri.GetEventsRequest, Cri.ContainerEventResponse> {
    @Override
    public void beforeStart(ClientCallStreamObserver<Cri.GetEventsRequest> stream) {
      events = stream;
    }

    @Override
    public void onNext(Cri.ContainerEventResponse event) {
      String uid = event.getPodSandboxStatus().getMetadata().getUid();
      if (!uid.isEmpty()) {
        changed.accept(uid);
      }
    }

    @Override
    public void onError(Throwable failure) {
      loop.after(Duration.ZERO, () -> ended(failure));
    }

    @Override
    public void onCompleted() {
      onError(Status.UNAVAILABLE.asException());
    }

    private void ended(Throwable failure) {
      events = null;
      if (CriConnection.is(failure, Status.Code.UNIMPLEMENTED)) {
        hasEvents = false;
        LOG.info("the runtime has no events: it is asked every second what it runs");
      } else {
        LOG.info("the runtime's events have ended: {}", GoErrors.text(failure));
      }
      schedule();
    }
  }

  private void stopEvents(String why) {
    ClientCallStreamObserver<Cri.GetEventsRequest> stream = events;
    if (stream != null) {
      stream.cancel(why, null);
    }
  }

  @Override
  public void close() {
    loop.close();
    stopEvents("the agent ends");
  }
}
