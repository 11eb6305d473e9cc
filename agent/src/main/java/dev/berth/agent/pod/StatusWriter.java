package dev.berth.agent.pod;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Backoff;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Tells the server what its pods do, and deletes those that have ended and are to go. One request
 * about a pod is under way at a time, and of what happens meanwhile the last counts. What fails is
 * tried again for as long as the server shows the pod: a server that is away for hours is told when
 * it is back (T13).
 *
 * <p>Lives on the loop of the pods.
 */
final class StatusWriter {
  /** How long a pod's status waits for a container that is being started, to be told with it. */
  private static final Duration START = Duration.ofMillis(500);

  private final Api api;
  private final Loop loop;
  private final Time time;
  private final BoundedRequests requests;
  private final RandomGenerator random;

  /** The pod as the server shows it: itself, or the mirror of a static one. */
  private final Function<PodWorker, Optional<JsonObject>> onServer;

  private final Map<String, Entry> entries = new HashMap<>();

  /** What was written about a pod. */
  private static final class Entry {
    private final Backoff backoff;
    private boolean isUnderWay;
    private boolean isDeleted;
    private Loop.@Nullable Timer retry;
    private Loop.@Nullable Timer start;
    private JsonObject posted = JsonObject.EMPTY;
    private JsonObject answer = JsonObject.EMPTY;

    Entry(Backoff backoff) {
      this.backoff = backoff;
    }
  }

  StatusWriter(
      Api api,
      Loop loop,
      Time time,
      BoundedRequests requests,
      Function<PodWorker, Optional<JsonObject>> onServer) {
    this.api = api;
    this.loop = loop;
    this.time = time;
    this.requests = requests;
    this.random = time.random("pod statuses");
    this.onServer = onServer;
  }

  /** Writes what the server does not know yet of a pod. */
  void sync(PodWorker worker) {
    Entry entry = entries.computeIfAbsent(worker.id().uid(), _ -> new Entry(new Backoff(random)));
    if (worker.isStarting() && entry.start == null) {
      entry.start =
          loop.after(
              START,
              () -> {
                entry.start = null;
                sync(worker, entry);
              });
    } else if (!worker.isStarting()) {
      sync(worker, entry);
    }
  }

  private void sync(PodWorker worker, Entry entry) {
    Optional<JsonObject> shown = onServer.apply(worker);
    if (entry.isUnderWay || entry.isDeleted || entry.retry != null || shown.isEmpty()) {
      return;
    }
    JsonObject newest = newest(entry, shown.get());
    JsonObject status = worker.status();
    JsonObject patch =
        isAnswered(entry, newest, status)
            ? JsonObject.EMPTY
            : PodStatusPatch.between(newest.object("status"), status);
    boolean deletes =
        !worker.rules().isStatic() && worker.rules().isBeingDeleted() && worker.hasEnded();
    if (patch.isEmpty() && !deletes) {
      return;
    }
    entry.isUnderWay = true;
    requests.run(
        () -> isStillThere(worker, entry),
        () -> write(newest, patch, deletes),
        result -> written(worker, entry, status, deletes, result));
  }

  /** A patch's answer is often known before the watch shows it. */
  private static JsonObject newest(Entry entry, JsonObject shown) {
    boolean isSame = Metadata.of(entry.answer).uid().equals(Metadata.of(shown).uid());
    return isSame && Metadata.of(shown).isBefore(Metadata.of(entry.answer)) ? entry.answer : shown;
  }

  /** Whether the server was told exactly that, and this is what it made of it. */
  private static boolean isAnswered(Entry entry, JsonObject newest, JsonObject status) {
    return status.equals(entry.posted)
        && Metadata.of(newest)
            .resourceVersion()
            .equals(Metadata.of(entry.answer).resourceVersion());
  }

  private boolean isStillThere(PodWorker worker, Entry entry) {
    boolean isThere = onServer.apply(worker).isPresent();
    entry.isUnderWay = isThere;
    return isThere;
  }

  /** Beside the loop. */
  private ApiResult write(JsonObject pod, JsonObject patch, boolean deletes) {
    ApiResult result = new ApiResult.Done(pod);
    boolean hasEnded = PodPhase.of(pod.object("status").text("phase", "")).finished() && deletes;
    if (!patch.isEmpty() && !(hasEnded && Metadata.of(pod).finalizers().isEmpty())) {
      result = PodWrites.patch(api, pod, patch);
    }
    return deletes && result.isDone()
        ? api.delete(
            Resources.PODS,
            ObjectName.of(pod),
            DeleteOptions.NONE.grace(0).onlyUid(Metadata.of(pod).uid()))
        : result;
  }

  private void written(
      PodWorker worker, Entry entry, JsonObject status, boolean deletes, ApiResult result) {
    entry.isUnderWay = false;
    switch (result) {
      case ApiResult.Done(JsonObject answer) -> {
        entry.backoff.succeeded();
        entry.isDeleted = deletes;
        entry.posted = status;
        entry.answer = answer;
        sync(worker);
      }
      case ApiResult.Failure failure -> {
        if (failure.isNotFound()) {
          return; // The watch will show that it is gone.
        }
        Instant now = time.monotonicNow();
        entry.retry =
            loop.after(
                entry.backoff.failed(now, failure),
                () -> {
                  entry.retry = null;
                  sync(worker);
                });
      }
    }
  }

  /** The pod is gone. */
  void forget(PodWorker worker) {
    Entry entry = entries.remove(worker.id().uid());
    if (entry != null && entry.retry != null) {
      entry.retry.cancel();
    }
    if (entry != null && entry.start != null) {
      entry.start.cancel();
    }
  }
}
