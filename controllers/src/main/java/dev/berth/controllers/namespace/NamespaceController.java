package dev.berth.controllers.namespace;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Discovery;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.namespace.NamespaceTermination;
import dev.berth.policy.namespace.NamespaceTermination.Attempt;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes everything in a namespace that is being deleted, says in its conditions what remains, and
 * lets it go when nothing does.
 *
 * <p>Nothing new can be made in such a namespace, but for what was under way when it began; so it
 * is emptied a last time some time later. Which resources there are is asked after that beginning,
 * too: whatever is in the namespace is of one that was served then.
 *
 * <p>While something remains that needs time, it is emptied again after a fifth of a second, and
 * then each time after twice as long, up to five seconds.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class NamespaceController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "namespace-controller";

  private static final Duration FIRST_WAIT = Duration.ofMillis(200);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);

  private final Api api;
  private final Time time;
  private final Consumer<String> warnings;
  private final Loop loop;
  private final NamespaceSettings settings;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final WorkQueue queue;

  /** By name: those that are being deleted and wait to be emptied. */
  private final Map<String, Ending> endings = new HashMap<>();

  private @Nullable Resourceful known;
  private Instant nextComplaint = Instant.MIN;

  /** A namespace that comes to its end. */
  private static final class Ending {
    final Instant began;
    JsonObject namespace;
    Duration wait = FIRST_WAIT;

    Ending(Instant began, JsonObject namespace) {
      this.began = began;
      this.namespace = namespace;
    }
  }

  /** Which resources there are, and when that was asked. */
  private record Resourceful(Discovery discovery, Instant asked) {}

  /**
   * How a reconciliation ended: what was found out and what remains, and how the writes about it
   * ended.
   */
  private record Outcome(Resourceful known, Attempt attempt, Optional<ApiResult.Failure> failure) {}

  private NamespaceController(ControllerParts parts, NamespaceSettings settings) {
    this.api = parts.api();
    this.time = parts.time();
    this.warnings = parts.warnings();
    this.loop = time.start("namespace-controller");
    this.settings = settings;
    this.requests = new BoundedRequests(loop, settings.atOnce());
    this.queue =
        new WorkQueue(
            parts, loop, "namespace", settings.atOnce(), (name, item) -> reconcile(name, item));
    this.informers = new InformerSet(parts.informers(), loop, () -> {}, parts.warnings());
    informers.on(Resources.NAMESPACES, this::changed);
  }

  public static NamespaceController start(ControllerParts parts, NamespaceSettings settings) {
    NamespaceController controller = new NamespaceController(parts, settings);
    controller.informers.start();
    return controller;
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null || !NamespaceTermination.isDue(after)) {
      if (before != null) {
        endings.remove(Metadata.of(before).name());
      }
      return;
    }
    String name = Metadata.of(after).name();
    Ending ending = endings.get(name);
    if (ending == null) {
      endings.put(name, new Ending(time.monotonicNow(), after));
      queue.add(ObjectName.of(name));
    } else {
      // Mostly this is what was written here.
      ending.namespace = after;
    }
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    Ending ending = endings.get(name.name());
    if (ending == null) {
      item.succeeded();
      return;
    }
    Instant now = time.now();
    Instant monotonicNow = time.monotonicNow();
    boolean last = !monotonicNow.isBefore(ending.began.plus(settings.settling()));
    JsonObject namespace = ending.namespace;
    Resourceful fresh = known == null || known.asked().isBefore(ending.began) ? null : known;
    requests.run(
        () -> {
          Resourceful resources =
              fresh == null ? new Resourceful(Discovery.read(api), monotonicNow) : fresh;
          return attempt(namespace, resources, now, last);
        },
        outcome -> ended(name, ending, outcome, last, item));
  }

  /** Runs beside the loop. */
  private Outcome attempt(JsonObject namespace, Resourceful resources, Instant now, boolean last) {
    String name = Metadata.of(namespace).name();
    Attempt attempt = new Emptying(api, resources.discovery(), name, now).run();
    JsonObject reported = NamespaceTermination.reported(namespace, name, attempt, now);
    if (!reported.equals(namespace)) {
      switch (api.updateStatus(Resources.NAMESPACES, reported)) {
        case ApiResult.Done(JsonObject written) -> reported = written;
        case ApiResult.Failure failure -> {
          return new Outcome(resources, attempt, Optional.of(failure));
        }
      }
    }
    Optional<ApiResult.Failure> failure = Optional.empty();
    if (last && attempt.isClean()) {
      Target finalize =
          Target.of(Resources.NAMESPACES, ObjectName.of(name)).subresource("finalize");
      JsonObject emptied = NamespaceTermination.emptied(reported);
      if (api.send(new ApiRequest.Update(finalize, emptied)) instanceof ApiResult.Failure why) {
        failure = Optional.of(why);
      }
    }
    return new Outcome(resources, attempt, failure);
  }

  private void ended(
      ObjectName name, Ending ending, Outcome outcome, boolean last, WorkQueue.Item item) {
    if (outcome.known().discovery().failures().isEmpty()) {
      known = outcome.known();
    }
    Attempt attempt = outcome.attempt();
    if (outcome.failure().isPresent()) {
      complain(name, outcome.failure().get());
      item.failed();
    } else if (!attempt.failures().isEmpty() || attempt.discovery().isPresent()) {
      item.failed();
    } else {
      item.succeeded();
      if (!attempt.isClean()) {
        queue.addAfter(name, ending.wait);
        Duration doubled = ending.wait.multipliedBy(2);
        ending.wait = doubled.compareTo(LONGEST_WAIT) < 0 ? doubled : LONGEST_WAIT;
      } else if (!last) {
        queue.addAfter(
            name, Duration.between(time.monotonicNow(), ending.began.plus(settings.settling())));
      }
    }
  }

  private void complain(ObjectName name, ApiResult.Failure why) {
    Instant now = time.monotonicNow();
    if (why.isConflict() || why.isNotFound() || now.isBefore(nextComplaint)) {
      return;
    }
    nextComplaint = now.plus(BETWEEN_COMPLAINTS);
    warnings.accept(
        "cannot write the namespace %s, and tries again: %s".formatted(name, why.message()));
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
