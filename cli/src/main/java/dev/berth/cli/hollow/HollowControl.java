package dev.berth.cli.hollow;

import dev.berth.cli.arguments.UsageException;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Changes how hollow nodes behave, by annotations: many at a time, so that a whole zone changes at
 * once.
 */
final class HollowControl {
  private static final int AT_ONCE = 32;

  private final Api api;
  private final Time time;

  /** Which nodes a command is for. */
  sealed interface Target {
    record All() implements Target {}

    record Selected(String labels) implements Target {}

    /** A node or a zone. */
    record Named(String name) implements Target {}
  }

  HollowControl(Api api, Time time) {
    this.api = api;
    this.time = time;
  }

  /** Tells them; returns how many were told. */
  int tell(Target target, HollowVerb verb) throws InterruptedException {
    List<JsonObject> nodes = find(target);
    CountDownLatch left = new CountDownLatch(nodes.size());
    AtomicReference<String> failure = new AtomicReference<>("");
    Loop loop = time.start("tell");
    loop.after(
        Duration.ZERO,
        () -> {
          BoundedRequests pipeline = new BoundedRequests(loop, AT_ONCE);
          for (JsonObject node : nodes) {
            pipeline.run(
                () -> tell(node, verb),
                result -> {
                  if (result instanceof ApiResult.Failure why) {
                    failure.set(ObjectName.of(node) + " could not be changed: " + why.message());
                  }
                  left.countDown();
                });
          }
        });
    left.await();
    loop.close();
    if (!failure.get().isEmpty()) {
      throw new ConnectionException(failure.get());
    }
    return nodes.size();
  }

  private ApiResult tell(JsonObject node, HollowVerb verb) {
    JsonObject annotations = JsonObject.of("annotations", verb.order().annotations(node));
    return api.patch(
        dev.berth.client.Target.of(Resources.NODES, ObjectName.of(node)),
        PatchType.MERGE,
        JsonObject.of("metadata", annotations));
  }

  private List<JsonObject> find(Target target) {
    List<JsonObject> nodes =
        switch (Pages.all(api, ListRequest.of(Resources.NODES))) {
          case ListResult.Page page -> page.items();
          case ApiResult.Failure why ->
              throw new ConnectionException("Cannot list nodes: " + why.message());
        };
    return switch (target) {
      case Target.All() -> HollowTargets.all(nodes);
      case Target.Named(String name) -> HollowTargets.named(nodes, name);
      case Target.Selected(String labels) ->
          HollowTargets.selected(nodes, selector(labels), labels);
    };
  }

  private static LabelSelector selector(String labels) {
    try {
      return LabelSelector.parse(labels);
    } catch (SelectorException e) {
      throw new UsageException(
          "--selector is a label selector such as a=b,c!=d: " + e.getMessage() + ".");
    }
  }
}
