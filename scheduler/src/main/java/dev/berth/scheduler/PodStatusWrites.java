package dev.berth.scheduler;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.PodWrites;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes into the status of pods that wait. Lives on the scheduler's loop.
 *
 * <ol>
 *   <li>For each pod there is one request at a time, and what comes meanwhile is sent after it: a
 *       nomination and its withdrawal never overtake each other.
 *   <li>What fails is sent again, until the pod is {@linkplain #forget forgotten}. A nomination
 *       that nobody takes back would keep others off a node for as long as the pod waits.
 *   <li>A revision of the pod from before the latest write says nothing of its nomination, see
 *       {@link #nominatedNode}.
 * </ol>
 */
final class PodStatusWrites {
  static final String NOMINATED_NODE_NAME = "nominatedNodeName";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private static final long NOT_WRITTEN = Long.MAX_VALUE;

  private final Api api;
  private final Loop loop;
  private final BoundedRequests requests;
  private final Map<String, Writes> byUid = new HashMap<>();

  /** What is written about one pod. */
  private static final class Writes {
    private final PodInfo pod;
    private JsonObject waiting = JsonObject.EMPTY;
    private boolean underWay;

    /** The latest nomination among them; null if there was none. */
    private @Nullable String nominated;

    /** The first revision of the pod that has it. */
    private long revision = NOT_WRITTEN;

    Writes(PodInfo pod) {
      this.pod = pod;
    }
  }

  PodStatusWrites(Api api, Loop loop, BoundedRequests requests) {
    this.api = api;
    this.loop = loop;
    this.requests = requests;
  }

  /** Merges fields into a pod's status. */
  void write(PodInfo pod, JsonObject status) {
    if (status.isEmpty()) {
      return;
    }
    Writes writes = byUid.computeIfAbsent(pod.uid(), _ -> new Writes(pod));
    writes.waiting = merge(writes.waiting, status);
    String nominated = status.text(NOMINATED_NODE_NAME);
    if (nominated != null) {
      writes.nominated = nominated;
      writes.revision = NOT_WRITTEN;
    }
    send(writes);
  }

  /**
   * The node that a pod is nominated to: what is being written, or what its status says if this
   * revision is as new as what was written.
   */
  String nominatedNode(PodInfo pod) {
    Writes writes = byUid.get(pod.uid());
    if (writes == null || writes.nominated == null) {
      return pod.nominatedNode();
    }
    if (writes.revision == NOT_WRITTEN || revision(pod.tree()) < writes.revision) {
      return writes.nominated;
    }
    byUid.remove(pod.uid());
    return pod.nominatedNode();
  }

  /** Writes no more about a pod: it is being bound, or is gone. */
  void forget(String uid) {
    byUid.remove(uid);
  }

  private void send(Writes writes) {
    if (writes.underWay || writes.waiting.isEmpty()) {
      return;
    }
    JsonObject status = writes.waiting;
    writes.waiting = JsonObject.EMPTY;
    writes.underWay = true;
    requests.run(
        () -> isCurrent(writes),
        () -> PodWrites.patch(api, writes.pod.tree(), status),
        result -> sent(writes, status, result));
  }

  private boolean isCurrent(Writes writes) {
    return byUid.get(writes.pod.uid()) == writes;
  }

  private void sent(Writes writes, JsonObject status, ApiResult result) {
    writes.underWay = false;
    if (!isCurrent(writes)) {
      return;
    }
    switch (result) {
      case ApiResult.Done(JsonObject written) -> {
        if (!writes.waiting.isEmpty()) {
          send(writes);
        } else if (writes.nominated == null) {
          byUid.remove(writes.pod.uid());
        } else {
          writes.revision = revision(written);
        }
      }
      case ApiResult.Refused refused when refused.isNotFound() -> byUid.remove(writes.pod.uid());
      case ApiResult.Failure _ -> {
        writes.waiting = merge(status, writes.waiting);
        loop.after(
            RETRY_AFTER,
            () -> {
              if (isCurrent(writes)) {
                send(writes);
              }
            });
      }
    }
  }

  /** Fields of the later one count; of conditions, the scheduler writes one only. */
  private static JsonObject merge(JsonObject earlier, JsonObject later) {
    JsonObject merged = earlier;
    for (int i = 0; i < later.size(); i++) {
      merged = merged.with(later.name(i), later.value(i));
    }
    return merged;
  }

  /** Revisions are numbers that grow; those of a server that says otherwise are all alike. */
  private static long revision(JsonObject pod) {
    try {
      return Long.parseLong(Metadata.of(pod).resourceVersion());
    } catch (NumberFormatException _) {
      return 0;
    }
  }
}
