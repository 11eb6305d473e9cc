package dev.berth.hollow.volume;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The attacher of a CSI driver that has no storage: it marks VolumeAttachments of the driver
 * {@value #DRIVER} as attached, and releases those that are deleted, a moment after either is asked
 * for. Like any driver it puts a finalizer on an attachment before it attaches, so that none is
 * gone before the volume is detached.
 *
 * <p>Belongs to the loop of the hollow nodes.
 */
public final class HollowAttacher {
  /** The driver that a volume names to be attached here. */
  public static final String DRIVER = "hollow.berth.dev";

  private static final String FINALIZER = "external-attacher/hollow-berth-dev";
  private static final Duration LATENCY = Duration.ofMillis(500);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Api api;
  private final Loop loop;
  private final BoundedRequests requests;

  /** By name. */
  private final Map<String, Task> tasks = new HashMap<>();

  /** An attachment, and what is being done about it. */
  private static final class Task {
    JsonObject tree;
    boolean isUnderWay;

    Task(JsonObject tree) {
      this.tree = tree;
    }
  }

  public HollowAttacher(Api api, Loop loop, BoundedRequests requests) {
    this.api = api;
    this.loop = loop;
    this.requests = requests;
  }

  public void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      if (before != null) {
        tasks.remove(Metadata.of(before).name());
      }
      return;
    }
    if (!after.object("spec").text("attacher", "").equals(DRIVER)) {
      return;
    }
    Task task = tasks.computeIfAbsent(Metadata.of(after).name(), _ -> new Task(after));
    if (!Metadata.of(after).isBefore(Metadata.of(task.tree))) {
      task.tree = after;
    }
    sync(task);
  }

  private void sync(Task task) {
    if (!task.isUnderWay && next(task.tree).isPresent()) {
      boolean isFirst = !isHeld(task.tree);
      task.isUnderWay = true;
      loop.after(isFirst ? Duration.ZERO : LATENCY, () -> send(task));
    }
  }

  private void send(Task task) {
    Optional<Supplier<ApiResult>> request = next(task.tree);
    if (request.isEmpty()) {
      task.isUnderWay = false;
      return;
    }
    requests.run(request.get(), result -> answered(task, result));
  }

  private void answered(Task task, ApiResult result) {
    switch (result) {
      case ApiResult.Done(JsonObject tree) -> {
        task.isUnderWay = false;
        if (!Metadata.of(tree).isBefore(Metadata.of(task.tree))) {
          task.tree = tree;
        }
        sync(task);
      }
      case ApiResult.Failure failure -> {
        if (failure.isNotFound()) {
          task.isUnderWay = false;
        } else {
          loop.after(RETRY, () -> send(task));
        }
      }
    }
  }

  private static boolean isHeld(JsonObject tree) {
    return Metadata.of(tree).finalizers().contains(FINALIZER);
  }

  /** What is to be done next; empty if all is as it should be. */
  private Optional<Supplier<ApiResult>> next(JsonObject tree) {
    List<String> finalizers = new ArrayList<>(Metadata.of(tree).finalizers());
    if (Metadata.of(tree).isBeingDeleted()) {
      return finalizers.remove(FINALIZER)
          ? Optional.of(() -> hold(tree, finalizers))
          : Optional.empty();
    }
    if (!isHeld(tree)) {
      finalizers.add(FINALIZER);
      return Optional.of(() -> hold(tree, finalizers));
    }
    return tree.object("status").flag("attached", false)
        ? Optional.empty()
        : Optional.of(() -> attach(tree));
  }

  private ApiResult hold(JsonObject tree, List<String> finalizers) {
    Metadata metadata = Metadata.of(tree);
    JsonObject change =
        new JsonObject.Builder()
            .put("uid", metadata.uid())
            .put("resourceVersion", metadata.resourceVersion())
            .put("finalizers", JsonArray.copyOf(finalizers))
            .build();
    return api.patch(target(tree), PatchType.MERGE, JsonObject.of("metadata", change));
  }

  private ApiResult attach(JsonObject tree) {
    JsonObject change =
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("uid", Metadata.of(tree).uid()))
            .put("status", JsonObject.of("attached", true))
            .build();
    return api.patch(target(tree).subresource("status"), PatchType.MERGE, change);
  }

  private static Target target(JsonObject tree) {
    return Target.of(Resources.VOLUME_ATTACHMENTS, ObjectName.of(tree));
  }
}
