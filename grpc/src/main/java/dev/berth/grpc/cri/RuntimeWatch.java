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
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices what changes in a runtime: by its events where it has them, and by listing everything.
 *
 * <pre>
 * list every second ◀─── stream ends ─── list every minute, in case an event was lost
 *      │  ▲                                 ▲        │
 *      │  └── a list shows what no event ───┼────────┘
 *      │      has told: they are not asked  │
 *      │      for any more                  │
 *      └──────────── an event comes ────────┘
 * </pre>
 *
 * <p>Events are relied on once the first has come, and while they tell everything: containerd 1.7
 * gives each to only one of those who asked. Where they end before the first has come (CRI-O,
 * unless {@code enable_pod_events} is set), they are asked for again every minute. A runtime that
 * was away is asked anew: it may be another.
 *
 * <p>Its state is soft; one loop owns it, but for what {@link #sinceLastSeen} tells others.
 */
final class RuntimeWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("container-runtime");
  private static final Duration RELIST = Duration.ofSeconds(1);
  private static final Duration RELIST_WITH_EVENTS = Duration.ofMinutes(1);

  private final CriConnection connection;
  private final CriPods pods;
  private final RepeatedList list;
  private final Time time;
  private final Loop loop;
  private final Consumer<String> changed;
  private final Consumer<Cri.Container> unknown;

  /** What each pod's containers and sandboxes were like, by the pod's uid. */
  private Map<String, Integer> last = Map.of();

  /** Whether to ask for events. */
  private boolean hasEvents = true;

  /** Whether the stream has brought one, so that it is relied on. */
  private boolean hasBrought;

  /** Whether it had when the last list began, and when the one before it did. */
  private boolean hadBrought;

  private boolean hadBroughtBefore;

  /** The pods that events were about since the last list began, and since the one before it. */
  private Set<String> announced = new HashSet<>();

  private Set<String> announcedBefore = Set.of();

  /** When to ask for events again that have ended before there was one; on the monotonic clock. */
  private Instant askAgain = Instant.MIN;

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
    this.list = new RepeatedList(connection);
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
      announcedBefore = announced;
      announced = new HashSet<>();
      hadBroughtBefore = hadBrought;
      hadBrought = hasBrought;
      isListing = loop.call(this::list, this::listed);
    }
    schedule();
  }

  private void schedule() {
    relistAfter(hasBrought ? RELIST_WITH_EVENTS : RELIST);
  }

  private void relistSoon() {
    if (timer == null || timer.remaining().compareTo(RELIST) > 0) {
      relistAfter(RELIST);
    }
  }

  private void relistAfter(Duration delay) {
    if (timer != null) {
      timer.cancel();
    }
    timer = loop.after(delay, this::relist);
  }

  /** What came of listing everything. */
  private sealed interface Listed {
    record Failed() implements Listed {}

    /** It is as it was the last time. */
    record Same() implements Listed {}

    /** What each pod is like now. */
    record Read(Map<String, Integer> pods) implements Listed {}
  }

  private Listed list() {
    try {
      Optional<RepeatedList.Contents> contents = list.next();
      return contents.isEmpty() ? new Listed.Same() : new Listed.Read(read(contents.get()));
    } catch (RuntimeFailure e) {
      LOG.debug("{}", e.getMessage());
      return new Listed.Failed();
    }
  }

  private Map<String, Integer> read(RepeatedList.Contents contents) {
    Map<String, Integer> current = new HashMap<>();
    for (Cri.PodSandbox sandbox : contents.sandboxes()) {
      if (sandbox.getLabelsMap().containsKey(CriNames.POD_UID)) {
        add(current, sandbox.getLabelsMap(), sandbox.getId(), sandbox.getStateValue());
      }
    }
    for (Cri.Container container : contents.containers()) {
      add(current, container.getLabelsMap(), container.getId(), container.getStateValue());
      if (container.getState() == Cri.ContainerState.CONTAINER_UNKNOWN) {
        unknown.accept(container);
        // It is ended again and again until it has ended.
        list.forget();
      }
    }
    pods.retain(contents.sandboxes(), contents.containers());
    return current;
  }

  /** Order does not matter. */
  private static void add(
      Map<String, Integer> all, Map<String, String> labels, String id, int state) {
    int part = (id.hashCode() + 1) * 31 + state;
    all.merge(labels.getOrDefault(CriNames.POD_UID, ""), part * part, Integer::sum);
  }

  private void listed(Listed answer) {
    isListing = false;
    switch (answer) {
      case Listed.Failed _ -> {
        hasFailed = true;
        // Whoever does not answer may have forgotten who listens, too.
        stopEvents("the runtime does not answer");
        schedule();
        return;
      }
      case Listed.Same _ -> seen(last);
      case Listed.Read(Map<String, Integer> current) -> seen(current);
    }
    boolean asks = hasEvents && events == null && !time.monotonicNow().isBefore(askAgain);
    if (asks) {
      connection
          .events()
          .getContainerEvents(Cri.GetEventsRequest.getDefaultInstance(), new Events());
    }
  }

  private void seen(Map<String, Integer> current) {
    boolean isFirst = lastSeen == null;
    lastSeen = time.monotonicNow();
    Map<String, Integer> before = last;
    last = current;
    if (hasFailed) {
      // It may be another one, that has what the last one had not.
      hasEvents = true;
      askAgain = Instant.MIN;
    }
    if (!isFirst) {
      Set<String> unannounced = new HashSet<>();
      // After a failure whatever was begun meanwhile may have come to something else.
      boolean all = hasFailed;
      current.forEach((uid, state) -> {
        boolean differs = !state.equals(before.get(uid));
        if (all || differs) {
          changed.accept(uid);
        }
        if (differs && !announced.contains(uid) && !announcedBefore.contains(uid)) {
          unannounced.add(uid);
        }
      });
      before.keySet().stream().filter(uid -> !current.containsKey(uid)).forEach(changed);
      if (hadBroughtBefore && !all && !unannounced.isEmpty()) {
        // Their events may be on their way.
        loop.after(RELIST, () -> expectAnnounced(unannounced));
      }
    }
    hasFailed = false;
  }

  private void expectAnnounced(Set<String> pods) {
    pods.removeAll(announced);
    pods.removeAll(announcedBefore);
    if (hasBrought && !pods.isEmpty()) {
      LOG.warn(
          "the runtime's events have not told of a change in pod {}: it is asked every second what"
              + " it runs",
          pods.iterator().next());
      hasEvents = false;
      stopEvents("they do not tell everything");
      schedule();
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
      loop.offer(() -> brought(uid));
      if (!uid.isEmpty()) {
        changed.accept(uid);
      }
    }

    private void brought(String uid) {
      announced.add(uid);
      if (uid.isEmpty()) {
        // Whose it was is not always known of what is gone.
        relistSoon();
      } else if (!hasBrought && hasEvents && events != null) {
        hasBrought = true;
        // What happened before the stream began is in no event.
        relistSoon();
      }
    }

    @Override
    public void onError(Throwable failure) {
      loop.after(Duration.ZERO, () -> ended(failure));
    }

    @Override
    public void onCompleted() {
      onError(Status.UNAVAILABLE.withDescription("the runtime has ended them").asException());
    }

    private void ended(Throwable failure) {
      events = null;
      boolean hadSome = hasBrought;
      hasBrought = false;
      if (CriConnection.is(failure, Status.Code.UNIMPLEMENTED)) {
        hasEvents = false;
        LOG.info("the runtime has no events: it is asked every second what it runs");
      } else if (hadSome) {
        LOG.info("the runtime's events have ended: {}", GoErrors.text(failure));
      } else {
        LOG.debug("the runtime's events have ended before one came: {}", GoErrors.text(failure));
        askAgain = time.monotonicNow().plus(RELIST_WITH_EVENTS);
      }
      schedule();
    }
  }

  private void stopEvents(String why) {
    hasBrought = false;
    cancelEvents(why);
  }

  private void cancelEvents(String why) {
    ClientCallStreamObserver<Cri.GetEventsRequest> stream = events;
    if (stream != null) {
      stream.cancel(why, null);
    }
  }

  @Override
  public void close() {
    loop.close();
    cancelEvents("the agent ends");
  }
}
