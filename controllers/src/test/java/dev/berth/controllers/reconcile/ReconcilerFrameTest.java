package dev.berth.controllers.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Target;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Action;
import dev.berth.policy.reconcile.Decision;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A frame with the least controller: a box has as many balls as it says, and counts them. */
class ReconcilerFrameTest {
  private static final GroupVersionResource BOXES = new GroupVersionResource("test", "v1", "boxes");
  private static final GroupVersionResource BALLS = new GroupVersionResource("test", "v1", "balls");
  private static final ObjectKind BOX = new ObjectKind(BOXES, "Box");
  private static final ObjectName NAME = new ObjectName("default", "box");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration PACE = Duration.ofMillis(250);

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final SmallServer server = new SmallServer();
  private final List<Integer> handed = new ArrayList<>();

  /** What is to be done about a box. */
  private sealed interface BoxAction extends Action {
    record Create(JsonObject ball) implements BoxAction {
      @Override
      public String reason() {
        return "create a ball";
      }
    }

    record Delete(JsonObject ball) implements BoxAction {
      @Override
      public String reason() {
        return "delete a ball";
      }
    }
  }

  private record Box(JsonObject tree, List<JsonObject> balls) {
    long wanted() {
      return tree.object("spec").integer("balls").orElse(0);
    }
  }

  private record BoxPlan(List<BoxAction> actions, JsonObject withStatus)
      implements Decision<BoxAction> {
    static BoxPlan decide(Box box) {
      List<BoxAction> actions = new ArrayList<>();
      for (int i = box.balls.size(); i < box.wanted(); i++) {
        actions.add(new BoxAction.Create(ball(Metadata.of(box.tree), "in")));
      }
      box.balls.stream().skip(box.wanted()).map(BoxAction.Delete::new).forEach(actions::add);
      return new BoxPlan(
          actions, box.tree.with("status", JsonObject.of("balls", (long) box.balls.size())));
    }

    @Override
    public Optional<Instant> next() {
      return Optional.empty();
    }
  }

  private final class Boxes implements Reconciler<Box, BoxAction, BoxPlan> {
    @Override
    public Box snapshot(Reconciliation run, List<JsonObject> owned) {
      handed.add(owned.size());
      return new Box(run.object(), owned);
    }

    @Override
    public BoxPlan decide(Box box, Instant now) {
      return BoxPlan.decide(box);
    }

    @Override
    public boolean countsAfterActions() {
      return true;
    }

    @Override
    public void apply(Reconciliation run, BoxAction action) {
      switch (action) {
        case BoxAction.Create(JsonObject ball) ->
            run.create(
                ball,
                result -> {
                  if (result instanceof ApiResult.Failure why) {
                    run.fail("FailedCreate", why);
                  }
                });
        case BoxAction.Delete(JsonObject ball) -> run.delete(ball, _ -> {});
      }
    }
  }

  /** Of balls that are counted exactly. */
  private static final OwnershipRules EXACT =
      new OwnershipRules() {
        @Override
        public boolean asksAfterLostAnswers() {
          return true;
        }
      };

  /** Of balls in an index, which notes what it is told. */
  private record Indexed(List<String> told) implements OwnershipRules, OwnedObjects.Listener {
    @Override
    public Optional<OwnedObjects.Listener> index() {
      return Optional.of(this);
    }

    @Override
    public void came(String controllerUid, JsonObject object) {
      told.add("came " + controllerUid);
    }

    @Override
    public void left(String controllerUid, JsonObject object) {
      told.add("left " + controllerUid);
    }
  }

  private Controller start() {
    return start(OwnershipRules.BY_SELECTOR, Duration.ZERO);
  }

  private Controller start(OwnershipRules rules, Duration betweenStatuses) {
    ControllerParts parts = new ControllerParts(server, time, new Metrics(), _ -> {});
    ReconcilerSettings settings =
        new ReconcilerSettings(BOX, "box-controller", "box", 4, 4, betweenStatuses);
    Controller controller =
        new ReconcilerFrame<>(parts, settings, new Boxes()).owns(BALLS, rules).start();
    time.advance(SECOND);
    return controller;
  }

  private static JsonObject ball(Metadata owner, String place) {
    JsonObject.Builder metadata =
        new JsonObject.Builder()
            .put("namespace", "default")
            .put("generateName", "ball-")
            .put("labels", JsonObject.of("place", place));
    if (!owner.uid().isEmpty()) {
      OwnerReference reference =
          new OwnerReference("test/v1", "Box", owner.name(), owner.uid(), true, true);
      metadata.put("ownerReferences", JsonArray.of(reference.toTree()));
    }
    return JsonObject.of("metadata", metadata.build());
  }

  private void createBox(long balls) {
    JsonObject selector = JsonObject.of("matchLabels", JsonObject.of("place", "in"));
    server.create(
        BOXES,
        JsonObject.of("metadata", JsonObject.of("namespace", "default").with("name", "box"))
            .with("spec", JsonObject.of("balls", balls).with("selector", selector)));
    time.advance(SECOND);
  }

  private JsonObject box() {
    return server.all(BOXES).getFirst();
  }

  private void scale(long balls) {
    server.perform(
        new ApiRequest.Update(
            Target.of(BOXES, NAME), box().update("spec", spec -> spec.with("balls", balls))));
  }

  private long counted() {
    return box().object("status").integer("balls").orElse(-1);
  }

  private int balls() {
    return server.all(BALLS).size();
  }

  private static boolean isCreation(ApiRequest request) {
    return request instanceof ApiRequest.Create && request.target().resource().equals(BALLS);
  }

  private static boolean isStatus(ApiRequest request) {
    return request.target().subresource().equals("status");
  }

  @Test
  void actionsAreCarriedOutUntilThereAreNoneAndTheStatusTellsOfThem() {
    start();
    createBox(3);
    assertThat(balls()).isEqualTo(3);
    assertThat(counted()).isEqualTo(3);
    scale(1);
    time.advance(SECOND);
    assertThat(balls()).isEqualTo(1);
    assertThat(counted()).isEqualTo(1);
  }

  @Test
  void nothingIsDoneTwiceBecauseTheWatchIsBehind() {
    start();
    createBox(0);
    scale(2);
    time.settle();
    server.holdWatches(true);
    scale(3);
    time.advance(SECOND);
    assertThat(counted()).as("as long as nobody told").isEqualTo(2);
    server.holdWatches(false);
    AtomicInteger creations = new AtomicInteger();
    server.intercept(request -> {
      server.holdWatches(true);
      creations.addAndGet(isCreation(request) ? 1 : 0);
      return server.perform(request);
    });
    time.advance(SECOND);
    assertThat(creations).hasValue(1);
    server.holdWatches(false);
    time.advance(SECOND);
    assertThat(balls()).isEqualTo(3);
  }

  @Test
  void aRequestThatFailsIsTriedAgainLaterAndLater() {
    start();
    createBox(0);
    List<Long> millis = new ArrayList<>();
    Instant begin = time.now();
    server.intercept(request -> {
      if (!isCreation(request)) {
        return server.perform(request);
      }
      millis.add(Duration.between(begin, time.now()).toMillis());
      return millis.size() < 5
          ? new ApiResult.Refused(ApiError.of(500, "not now"))
          : server.perform(request);
    });
    scale(1);
    time.advance(SECOND);
    assertThat(millis).containsExactly(0L, 5L, 15L, 35L, 75L);
    assertThat(balls()).isEqualTo(1);
    assertThat(counted()).isEqualTo(1);

    // A success begins anew.
    millis.clear();
    scale(2);
    time.advance(SECOND);
    assertThat(millis.get(1) - millis.get(0)).isEqualTo(5);
    assertThat(balls()).isEqualTo(2);
  }

  @Test
  void orphansThatAreSelectedAreAdoptedAndWhatIsNotSelectedIsReleased() {
    JsonObject nobody = JsonObject.of("metadata", JsonObject.EMPTY);
    server.create(BALLS, ball(Metadata.of(nobody), "in"));
    server.create(BALLS, ball(Metadata.of(nobody), "elsewhere"));
    start();
    createBox(1);
    assertThat(balls()).as("the orphan is the one that is wanted").isEqualTo(2);
    String uid = Metadata.of(box()).uid();
    JsonObject adopted = server.all(BALLS).getFirst();
    assertThat(Metadata.of(adopted).isControlledBy(uid)).isTrue();
    assertThat(Metadata.of(server.all(BALLS).getLast()).controller()).isEmpty();

    server.perform(
        new ApiRequest.Update(
            Target.of(BALLS, ObjectName.of(adopted)),
            Metadata.update(
                adopted, metadata -> metadata.with("labels", JsonObject.of("place", "out")))));
    time.advance(SECOND);
    assertThat(Metadata.of(server.all(BALLS).getFirst()).controller()).isEmpty();
    assertThat(server.all(BALLS).stream().filter(b -> Metadata.of(b).isControlledBy(uid)))
        .as("another one takes its place")
        .hasSize(1);
  }

  @Test
  void anObjectThatSomebodyChangedMeanwhileIsReconciledAgain() {
    start();
    createBox(1);
    AtomicInteger conflicts = new AtomicInteger();
    server.intercept(request -> {
      if (isStatus(request) && conflicts.get() == 0) {
        scale(4);
      }
      ApiResult result = server.perform(request);
      conflicts.addAndGet(result.isConflict() ? 1 : 0);
      return result;
    });
    scale(2);
    time.advance(SECOND);
    assertThat(conflicts).hasValue(1);
    assertThat(balls()).isEqualTo(4);
    assertThat(counted()).isEqualTo(4);
  }

  @Test
  void whoStartsAfreshGoesOnFromWhatTheServerSays() {
    Controller first = start();
    createBox(2);
    server.intercept(request ->
        isCreation(request) ? new ApiResult.Unreachable("gone") : server.perform(request));
    scale(4);
    time.advance(SECOND);
    first.close();
    server.intercept(server::perform);
    time.advance(SECOND);
    assertThat(balls()).as("nobody is there to do it").isEqualTo(2);
    start();
    assertThat(balls()).isEqualTo(4);
    assertThat(counted()).isEqualTo(4);
  }

  /** The first answer is lost, and the watch is not quick enough to tell. */
  private int creationsWhenAnAnswerIsLost(OwnershipRules rules) {
    start(rules, Duration.ZERO);
    AtomicInteger creations = new AtomicInteger();
    server.intercept(request -> {
      ApiResult result = server.perform(request);
      if (!isCreation(request)) {
        return result;
      }
      server.holdWatches(true);
      return creations.incrementAndGet() == 1 ? new ApiResult.Unreachable("lost") : result;
    });
    createBox(1);
    server.holdWatches(false);
    time.advance(SECOND);
    assertThat(balls()).isEqualTo(1);
    return creations.get();
  }

  @Test
  void afterALostAnswerTheServerIsAskedWhatThereIsIfOneTooManyDoesHarm() {
    assertThat(creationsWhenAnAnswerIsLost(EXACT)).isEqualTo(1);
  }

  @Test
  void otherwiseOneTooManyIsCreatedAndDeleted() {
    assertThat(creationsWhenAnAnswerIsLost(OwnershipRules.BY_SELECTOR)).isEqualTo(2);
  }

  @Test
  void statusesOfAnObjectAreWrittenAtTheirPace() {
    start(OwnershipRules.BY_SELECTOR, PACE);
    createBox(0);
    List<Long> millis = new ArrayList<>();
    Instant begin = time.now();
    server.intercept(request -> {
      if (isStatus(request)) {
        millis.add(Duration.between(begin, time.now()).toMillis());
      }
      return server.perform(request);
    });
    for (int balls = 1; balls <= 10; balls++) {
      scale(balls);
      time.advance(Duration.ofMillis(10));
    }
    time.advance(SECOND);
    assertThat(millis).containsExactly(0L, 250L);
    assertThat(counted()).as("the last one is always written").isEqualTo(10);
  }

  @Test
  void whoKeepsAnIndexIsToldOfEachObjectAndNotHandedAll() {
    Indexed indexed = new Indexed(new ArrayList<>());
    start(indexed, Duration.ZERO);
    createBox(0);
    String uid = Metadata.of(box()).uid();
    handed.clear();
    server.create(BALLS, ball(Metadata.of(box()), "in"));
    time.advance(SECOND);
    assertThat(indexed.told).containsExactly("came " + uid);
    assertThat(handed).containsExactly(0);

    server.delete(BALLS, ObjectName.of(server.all(BALLS).getFirst()));
    time.advance(SECOND);
    assertThat(indexed.told).containsExactly("came " + uid, "left " + uid);
  }

  @Test
  void whoKeepsAnIndexReleasesWhatIsNotSelectedAnyMore() {
    start(new Indexed(new ArrayList<>()), Duration.ZERO);
    createBox(0);
    server.create(BALLS, ball(Metadata.of(box()), "out"));
    time.advance(SECOND);
    assertThat(Metadata.of(server.all(BALLS).getFirst()).controller()).isEmpty();
  }
}
