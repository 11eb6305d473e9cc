package dev.berth.controllers.attachdetach;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.VolumeAttachmentView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.attachment.AttachableVolume;
import dev.berth.policy.attachment.NodeVolumes;
import dev.berth.time.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells nodes which volumes are attached to them, in {@code status.volumesAttached}: one write for
 * a node at a time, which tells all that is known right before it.
 *
 * <p>Before a volume is detached, its node is told that it is not attached any more. A node does
 * the reverse: before it uses a volume, it says so, and looks then whether the volume is attached.
 * So whichever comes first at the server, the other sees it in its answer.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class NodeReports {
  private static final int AT_ONCE = 32;

  private final Api api;
  private final VolumeIndex volumes;
  private final BoundedRequests requests;
  private final WorkQueue queue;
  private final Consumer<JsonObject> answered;

  /** By node: those who wait for the end of a write that has not begun. */
  private final Map<String, List<Consumer<Answer>>> waiting = new HashMap<>();

  /** How a node was told. */
  sealed interface Answer {
    /** It was, and is like this. */
    record Told(NodeVolumes node) implements Answer {}

    /** There is nobody to be told. */
    record Gone() implements Answer {}

    /** It was perhaps not. */
    record Failed() implements Answer {}
  }

  /**
   * @param answered gets nodes as they are after a write
   */
  NodeReports(
      ControllerParts parts, Loop loop, VolumeIndex volumes, Consumer<JsonObject> answered) {
    this.api = parts.api();
    this.volumes = volumes;
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.queue = new WorkQueue(parts, loop, "node_status", AT_ONCE, this::reconcile);
    this.answered = answered;
  }

  /** Has a node told what is attached, if it was told something else. */
  void check(String node) {
    NodeVolumes state = volumes.node(node);
    if (state != null && state.managed() && !attached(node, state).equals(state.attached())) {
      queue.add(ObjectName.of(node));
    }
  }

  /** Tells a node in any case, so that there is an answer that is newer than this call. */
  void tell(String node, Consumer<Answer> then) {
    waiting.computeIfAbsent(node, _ -> new ArrayList<>(1)).add(then);
    queue.add(ObjectName.of(node));
  }

  /** The volumes that a node is to know to be attached to it, as its status names them. */
  private List<String> attached(String node, NodeVolumes state) {
    List<String> names = new ArrayList<>();
    volumes
        .places(node)
        .forEach((key, place) -> {
          TrackedAttachment tracked = place.attachment;
          VolumeAttachmentView seen = tracked == null ? null : tracked.seen;
          if (tracked != null
              && seen != null
              && seen.attached()
              && !seen.terminating()
              && !tracked.isWithdrawn) {
            nameOf(key, tracked, state).ifPresent(names::add);
          }
        });
    names.sort(null);
    return names;
  }

  private static Optional<String> nameOf(
      ObjectName key, TrackedAttachment attachment, NodeVolumes state) {
    if (!key.namespace().isEmpty()) {
      return Optional.of(new AttachableVolume("", key.namespace(), key.name(), false).uniqueName());
    }
    // Its PersistentVolume is gone; what the node was told before stays so.
    return state.attached().stream()
        .filter(
            name -> AttachableVolume.attachmentName(name, attachment.node).equals(attachment.name))
        .findFirst();
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    String node = name.name();
    List<Consumer<Answer>> waiters = waiting.remove(node);
    List<Consumer<Answer>> heard = waiters == null ? List.of() : waiters;
    NodeVolumes state = volumes.node(node);
    if (state == null) {
      item.succeeded();
      heard.forEach(then -> then.accept(new Answer.Gone()));
      return;
    }
    List<String> attached = attached(node, state);
    if (!state.managed() || (heard.isEmpty() && attached.equals(state.attached()))) {
      item.succeeded();
      heard.forEach(then -> then.accept(new Answer.Told(state)));
      return;
    }
    JsonObject patch = patch(state.uid(), attached);
    Target status = Target.of(Resources.NODES, name).subresource("status");
    requests.run(
        () -> api.patch(status, PatchType.MERGE, patch), result -> told(item, heard, result));
  }

  private static JsonObject patch(String uid, List<String> attached) {
    List<JsonObject> volumes =
        attached.stream()
            .map(volume ->
                new JsonObject.Builder().put("name", volume).put("devicePath", "").build())
            .toList();
    Object list = volumes.isEmpty() ? JsonNull.NULL : JsonArray.copyOf(volumes);
    return new JsonObject.Builder()
        .put("metadata", JsonObject.of("uid", uid))
        .put("status", JsonObject.of("volumesAttached", list))
        .build();
  }

  private void told(WorkQueue.Item item, List<Consumer<Answer>> heard, ApiResult result) {
    switch (result) {
      case ApiResult.Done(JsonObject tree) -> {
        answered.accept(tree);
        item.succeeded();
        Answer told = new Answer.Told(NodeVolumes.read(tree));
        heard.forEach(then -> then.accept(told));
        check(Metadata.of(tree).name());
      }
      case ApiResult.Failure failure -> {
        if (failure.isNotFound()) {
          // The watch will say so.
          item.succeeded();
          heard.forEach(then -> then.accept(new Answer.Gone()));
        } else {
          item.failed();
          heard.forEach(then -> then.accept(new Answer.Failed()));
        }
      }
    }
  }
}
