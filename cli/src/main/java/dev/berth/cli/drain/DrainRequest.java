package dev.berth.cli.drain;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.controllers.nodedrain.NodeDrainDefinition;
import dev.berth.model.drain.DrainStatus;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlReader;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** What {@code berth drain} asks of a server. */
record DrainRequest(Api api, Time time) {
  private static final int FORBIDDEN = 403;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int ATTEMPTS = 10;
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(500);

  /** Says what is wrong if one of these nodes does not exist. */
  void checkNodes(List<String> nodes) {
    for (String node : nodes) {
      switch (api.get(Resources.NODES, ObjectName.of(node))) {
        case ApiResult.Done _ -> {}
        case ApiResult.Failure why when why.isNotFound() ->
            throw new ConnectionException(
                "There is no node \"%s\": \"kubectl get nodes\" shows them.".formatted(node));
        // Whoever may not read nodes may yet have them drained; the drain says what it finds.
        case ApiResult.Failure why when isForbidden(why) -> {}
        case ApiResult.Failure why -> throw failed("The node " + node + " cannot be read", why);
      }
    }
  }

  /** Defines the resource where it is not. */
  void define() throws InterruptedException {
    ApiResult found = api.get(NodeDrainDefinition.DEFINITIONS, NodeDrainDefinition.NAME);
    if (found.isDone() || (found instanceof ApiResult.Failure why && isForbidden(why))) {
      return;
    }
    if (found instanceof ApiResult.Failure why && !why.isNotFound()) {
      throw failed("Whether NodeDrains are defined cannot be read", why);
    }
    JsonObject definition =
        (JsonObject)
            YamlReader.value(
                NodeDrainDefinition.definition().getBytes(UTF_8), JsonLimits.REQUEST, _ -> {});
    switch (api.create(NodeDrainDefinition.DEFINITIONS, definition)) {
      case ApiResult.Done _ -> {}
      case ApiResult.Failure why when why.isAlreadyExists() -> {}
      case ApiResult.Failure why when isForbidden(why) ->
          throw new ConnectionException(
              "NodeDrains are not defined in this cluster, and you may not define them; an"
                  + " administrator does by: berth drain --print-crd | kubectl apply -f -");
      case ApiResult.Failure why -> throw failed("NodeDrains could not be defined", why);
    }
    FollowedObject.Ended ended =
        new FollowedObject(api, time, NodeDrainDefinition.DEFINITIONS, NodeDrainDefinition.NAME)
            .await(
                crd -> Conditions.isTrue(crd.object("status").array("conditions"), "Established"),
                Optional.of(PATIENCE),
                _ -> false);
    if (!(ended instanceof FollowedObject.AsWanted)) {
      throw new ConnectionException(
          "The definition %s was made, and is not served after %d s."
              .formatted(NodeDrainDefinition.NAME.name(), PATIENCE.toSeconds()));
    }
  }

  /** Creates a drain; some servers serve a resource only a moment after they say so. */
  JsonObject create(JsonObject drain) throws InterruptedException {
    ApiResult result = api.create(NodeDrainDefinition.NODE_DRAINS, drain);
    for (int i = 0; i < ATTEMPTS && result.isNotFound(); i++) {
      pause();
      result = api.create(NodeDrainDefinition.NODE_DRAINS, drain);
    }
    return switch (result) {
      case ApiResult.Done(JsonObject made) -> made;
      case ApiResult.Failure why -> throw failed("The drain was not made", why);
    };
  }

  private void pause() throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    Loop loop = time.start("pause");
    loop.after(BETWEEN_ATTEMPTS, over::countDown);
    over.await();
    loop.close();
  }

  /** Has a drain wait, or go on; one that is over does neither. */
  void pause(String name, boolean on) {
    DrainStatus status = DrainStatus.read(change(name, "paused", on));
    if (status.phase().isOver()) {
      throw new ConnectionException(
          "The drain %s is over: %s."
              .formatted(name, status.phase().word().toLowerCase(Locale.ROOT)));
    }
  }

  /** Changes a drain's specification. */
  JsonObject change(String name, String field, boolean value) {
    Target target = Target.of(NodeDrainDefinition.NODE_DRAINS, ObjectName.of(name));
    JsonObject patch = JsonObject.of("spec", JsonObject.of(field, value));
    return switch (api.patch(target, PatchType.MERGE, patch)) {
      case ApiResult.Done(JsonObject after) -> after;
      case ApiResult.Failure why when why.isNotFound() -> throw none(name);
      case ApiResult.Failure why -> throw failed("The drain was not changed", why);
    };
  }

  static ConnectionException none(String name) {
    return new ConnectionException(
        "There is no NodeDrain \"%s\": \"berth drain list\" shows them.".formatted(name));
  }

  /** All drains; none if they are not even defined. */
  List<JsonObject> list() {
    return switch (api.list(ListRequest.of(NodeDrainDefinition.NODE_DRAINS))) {
      case ListResult.Page page -> page.items();
      case ApiResult.Failure why when why.isNotFound() -> List.of();
      case ApiResult.Failure why -> throw failed("Drains cannot be read", why);
    };
  }

  private static boolean isForbidden(ApiResult.Failure why) {
    return why instanceof ApiResult.Refused(ApiError error) && error.code() == FORBIDDEN;
  }

  private static ConnectionException failed(String what, ApiResult.Failure why) {
    return new ConnectionException(what + ": " + why.message());
  }
}
