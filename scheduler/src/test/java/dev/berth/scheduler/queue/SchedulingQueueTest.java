package dev.berth.scheduler.queue;

import static dev.berth.model.fixture.Fixtures.fields;
import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.requirement;
import static dev.berth.scheduler.queue.TestEvents.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.node.NodeAffinityPlugin;
import dev.berth.scheduler.plugin.resources.NodeResourcesFit;
import dev.berth.scheduler.plugin.taint.TaintToleration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose turn it is, and when a pod that failed is tried again. */
class SchedulingQueueTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Set<String> FIT = Set.of("NodeResourcesFit");
  private static final Set<String> TAINTS = Set.of("TaintToleration");

  private static final Profile PROFILE =
      new Profile(
          "default-scheduler",
          List.of(
              new TaintToleration(TolerationRules.STANDARD),
              new NodeAffinityPlugin(),
              new NodeResourcesFit()),
          List.of());

  private static final QueueSettings PATIENT =
      new QueueSettings(
          Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5), false);

  private final Cluster cluster = new Cluster();
  private final QueueingHints hints = new QueueingHints(_ -> PROFILE, cluster);
  private final SchedulingQueue queue = new SchedulingQueue(PATIENT, hints);
  private Instant now = START;

  private PodInfo read(PodFixture fixture) {
    return cluster.read(fixture.tree());
  }

  private PodInfo add(String name) {
    return add(pod(name).requesting("cpu", "1"));
  }

  private PodInfo add(PodFixture fixture) {
    PodInfo info = read(fixture);
    queue.add(info, now);
    return info;
  }

  private void advance(Duration by) {
    now = now.plus(by);
  }

  private @Nullable String pop() {
    QueuedPod next = queue.pop(now);
    return next == null ? null : next.pod().view().name();
  }

  private void fail(PodInfo pod, Set<String> refusing) {
    assertThat(pop()).isEqualTo(pod.view().name());
    queue.putBack(pod, refusing, now);
  }

  private void podGone() {
    queue.handle(
        event(
            cluster,
            ClusterEventKind.POD_GONE,
            pod("gone").on("n1").requesting("cpu", "1").tree(),
            null),
        now);
  }

  @Test
  void triesThePodOfTheHighestPriorityThenWhoCameFirst() {
    add(pod("first").with("spec.priority", 1L));
    add(pod("second").with("spec.priority", 1L));
    advance(Duration.ofSeconds(1));
    add(pod("urgent").with("spec.priority", 7L));
    add(pod("negative").with("spec.priority", -7L));
    List<String> order = new ArrayList<>();
    for (QueuedPod next = queue.pop(now); next != null; next = queue.pop(now)) {
      order.add(next.pod().view().name());
    }
    assertThat(order).containsExactly("urgent", "first", "second", "negative");
  }

  @Test
  void aPodThatComesBackStandsBehindThoseOfItsPriority() {
    PodInfo early = add("early");
    advance(Duration.ofSeconds(1));
    add("late");
    fail(early, Set.of());
    advance(Duration.ofSeconds(1));
    assertThat(pop()).isEqualTo("late");
    assertThat(pop()).isEqualTo("early");
  }

  @Test
  void waitsOutItsBackoffAfterItWasWoken() {
    PodInfo web = add("web");
    fail(web, FIT);
    assertThat(queue.part(web.uid())).isEqualTo(QueuePart.UNSCHEDULABLE);

    podGone();
    assertThat(queue.part(web.uid())).isEqualTo(QueuePart.BACKOFF);
    assertThat(queue.nextDue()).contains(START.plusSeconds(1));

    advance(Duration.ofMillis(999));
    assertThat(pop()).isNull();
    advance(Duration.ofMillis(1));
    assertThat(pop()).isEqualTo("web");
    queue.putBack(web, FIT, now);

    podGone();
    assertThat(queue.nextDue()).contains(now.plusSeconds(2));
  }

  @Test
  void isTriedAtOnceIfItsBackoffIsOverWhenItIsWoken() {
    PodInfo web = add("web");
    fail(web, FIT);
    advance(Duration.ofSeconds(1));
    podGone();
    assertThat(queue.part(web.uid())).isEqualTo(QueuePart.ACTIVE);
  }

  @Test
  void anIdleSchedulerSkipsBackoffButNotThatOfErrors() {
    SchedulingQueue idle = new SchedulingQueue(QueueSettings.DEFAULT, hints);
    PodInfo refused = read(pod("refused").requesting("cpu", "1"));
    PodInfo failed = read(pod("failed"));
    idle.add(refused, now);
    idle.add(failed, now);
    idle.pop(now);
    idle.pop(now);
    idle.putBack(refused, FIT, now);
    idle.putBack(failed, Set.of(), now);
    idle.handle(event(cluster, ClusterEventKind.NODE_ADDED, null, large(node("n2").tree())), now);
    assertThat(idle.sizes()).isEqualTo(new QueueSizes(0, 2, 0, 0, 0));

    QueuedPod next = Objects.requireNonNull(idle.pop(now));
    assertThat(next.pod()).isEqualTo(refused);
    assertThat(idle.pop(now)).isNull();
    assertThat(idle.pop(now.plusSeconds(1))).isNotNull();
  }

  private static JsonObject large(JsonObject node) {
    return node.with(
        "status", JsonObject.of("allocatable", object("cpu", "64", "memory", "64Gi", "pods", "9")));
  }

  @Test
  void anErrorIsTriedAgainAfterABackoffWhateverHappens() {
    PodInfo web = add("web");
    fail(web, Set.of());
    assertThat(queue.part(web.uid())).isEqualTo(QueuePart.BACKOFF);
    advance(Duration.ofSeconds(1));
    assertThat(pop()).isEqualTo("web");
  }

  @Test
  void errorsAndRefusalsAreCountedApart() {
    PodInfo web = add("web");
    fail(web, Set.of());
    advance(Duration.ofSeconds(1));
    fail(web, Set.of());
    assertThat(queue.nextDue()).contains(now.plusSeconds(2));
    advance(Duration.ofSeconds(2));
    fail(web, FIT);
    podGone();
    assertThat(queue.nextDue()).as("the first refusal").contains(now.plusSeconds(1));
  }

  @Test
  void isTriedAgainAfterFiveMinutesOfNothing() {
    PodInfo web = add("web");
    fail(web, FIT);
    assertThat(queue.nextDue()).contains(START.plus(Duration.ofMinutes(5)));
    advance(Duration.ofMinutes(5).minusMillis(1));
    assertThat(pop()).isNull();
    advance(Duration.ofMillis(1));
    assertThat(pop()).isEqualTo("web");
  }

  @Test
  void sleepsThroughWhatCannotHelpIt() {
    PodInfo web = add("web");
    fail(web, TAINTS);
    podGone();
    queue.handle(
        event(cluster, ClusterEventKind.POD_BOUND, null, pod("other").on("n1").tree()), now);
    assertThat(queue.part(web.uid())).isEqualTo(QueuePart.UNSCHEDULABLE);
  }

  @Test
  void wakesOnlyThoseWhomItMayHelp() {
    PodInfo tainted = add("tainted");
    PodInfo small = add("small");
    PodInfo huge = add(pod("huge").requesting("cpu", "100"));
    fail(tainted, TAINTS);
    fail(small, FIT);
    fail(huge, FIT);
    int woken =
        queue.handle(
            event(
                cluster,
                ClusterEventKind.NODE_ADDED,
                null,
                large(node("n2").tainted("k=v:NoSchedule").tree())),
            now);
    assertThat(woken).as("a node that nobody tolerates").isZero();

    woken =
        queue.handle(
            event(
                cluster,
                ClusterEventKind.NODE_TAINTS_CHANGED,
                large(node("n2").tainted("k=v:NoSchedule").tree()),
                large(node("n2").tree())),
            now);
    assertThat(woken).as("the node opened, and is too small for one").isEqualTo(2);
    assertThat(queue.part(huge.uid())).isEqualTo(QueuePart.UNSCHEDULABLE);
  }

  @Test
  void aDaemonsPodIsWokenByItsOwnNodeAlone() {
    PodFixture daemon =
        pod("daemon")
            .requesting("cpu", "1")
            .requiringNodes(fields(requirement("metadata.name", "In", "n2")));
    PodInfo waiting = add(daemon);
    fail(waiting, FIT);
    podGone();
    assertThat(queue.part(waiting.uid())).isEqualTo(QueuePart.UNSCHEDULABLE);
    queue.handle(
        event(
            cluster,
            ClusterEventKind.POD_GONE,
            pod("gone").on("n2").requesting("cpu", "1").tree(),
            null),
        now);
    assertThat(queue.part(waiting.uid())).isEqualTo(QueuePart.BACKOFF);
    assertThat(queue.handle(event(cluster, ClusterEventKind.POD_GONE, null, null), now)).isZero();
  }

  @Test
  void whatHappensWhileAPodIsTriedIsNotLost() {
    PodInfo web = add("web");
    assertThat(pop()).isEqualTo("web");
    podGone();
    assertThat(queue.putBack(web, FIT, now)).isEqualTo(QueuePart.BACKOFF);
  }

  @Test
  void whatHappenedBeforeAPodWasTriedDoesNotWakeIt() {
    PodInfo other = add("other");
    assertThat(pop()).isEqualTo("other");
    podGone();
    PodInfo web = add("web");
    assertThat(pop()).isEqualTo("web");
    assertThat(queue.putBack(web, FIT, now)).isEqualTo(QueuePart.UNSCHEDULABLE);
    assertThat(queue.putBack(other, FIT, now)).isEqualTo(QueuePart.BACKOFF);
  }

  @Test
  void whatCannotHelpAPodThatIsTriedDoesNotWakeItEither() {
    PodInfo web = add("web");
    assertThat(pop()).isEqualTo("web");
    podGone();
    assertThat(queue.putBack(web, TAINTS, now)).isEqualTo(QueuePart.UNSCHEDULABLE);
  }

  @Test
  void aPodThatIsTriedForeverIsTakenToBeHelped() {
    PodInfo web = add("web");
    assertThat(pop()).isEqualTo("web");
    for (int i = 0; i <= InFlightPods.MAX_EVENTS; i++) {
      queue.handle(event(cluster, ClusterEventKind.POD_BOUND, null, null), now);
    }
    assertThat(queue.putBack(web, TAINTS, now)).isEqualTo(QueuePart.BACKOFF);
  }

  @Test
  void aPodThatWasDeletedWhileItWasTriedDoesNotComeBack() {
    PodInfo web = add("web");
    assertThat(pop()).isEqualTo("web");
    queue.delete(web.uid());
    assertThat(queue.putBack(web, FIT, now)).isEqualTo(QueuePart.NONE);
    assertThat(queue.sizes()).isEqualTo(new QueueSizes(0, 0, 0, 0, 0));
  }

  @Test
  void aPodThatIsDoneIsForgotten() {
    PodInfo web = add("web");
    assertThat(pop()).isEqualTo("web");
    queue.done(web.uid());
    assertThat(queue.part(web.uid())).isEqualTo(QueuePart.NONE);
  }

  @Test
  void isHeldUntilTheLastGateIsRemoved() {
    PodFixture gated =
        pod("web")
            .with("spec.schedulingGates", JsonArray.of(object("name", "a"), object("name", "b")));
    PodInfo web = add(gated);
    assertThat(queue.part(web.uid())).isEqualTo(QueuePart.GATED);
    assertThat(pop()).isNull();
    assertThat(queue.nextDue()).isEmpty();

    queue.update(read(gated.with("spec.schedulingGates", JsonArray.of(object("name", "b")))), now);
    assertThat(queue.sizes()).isEqualTo(new QueueSizes(0, 0, 0, 1, 0));

    advance(Duration.ofSeconds(3));
    queue.update(read(gated.with("spec.schedulingGates", JsonArray.EMPTY)), now);
    QueuedPod next = Objects.requireNonNull(queue.pop(now));
    assertThat(next.attempts()).isEqualTo(1);
    assertThat(next.arrived()).as("the time behind its gates does not count").isEqualTo(now);
  }

  @Test
  void aChangeOfThePodItselfWakesItIfItMatters() {
    PodFixture fixture = pod("web").requesting("cpu", "1");
    PodInfo web = add(fixture);
    fail(web, TAINTS);
    queue.update(read(fixture.phase("Pending")), now);
    assertThat(queue.part(web.uid())).as("a status").isEqualTo(QueuePart.UNSCHEDULABLE);
    queue.update(read(fixture.labelled("a", "b")), now);
    assertThat(queue.part(web.uid())).as("a label").isEqualTo(QueuePart.UNSCHEDULABLE);
    queue.update(read(fixture.tolerating(Toleration.exists("k", TaintEffect.NO_SCHEDULE))), now);
    assertThat(queue.part(web.uid())).as("a toleration").isEqualTo(QueuePart.BACKOFF);
  }

  @Test
  void aChangeOfAPodThatIsTriedIsNotLost() {
    PodFixture fixture = pod("web").requesting("cpu", "1");
    PodInfo web = add(fixture);
    assertThat(pop()).isEqualTo("web");
    queue.update(read(fixture.tolerating(Toleration.exists("k", TaintEffect.NO_SCHEDULE))), now);
    assertThat(queue.putBack(web, TAINTS, now)).isEqualTo(QueuePart.BACKOFF);
    advance(Duration.ofSeconds(1));
    QueuedPod next = Objects.requireNonNull(queue.pop(now));
    assertThat(next.pod().view().spec().tolerations()).as("the newest revision").hasSize(1);
  }

  @Test
  void aChangedPriorityChangesTheOrder() {
    add("first");
    PodFixture fixture = pod("second").requesting("cpu", "1");
    add(fixture);
    queue.update(read(fixture.with("spec.priority", 5L)), now);
    assertThat(pop()).isEqualTo("second");
  }

  @Test
  void canBeToldToTryAPodNow() {
    PodInfo web = add("web");
    fail(web, FIT);
    queue.activate(web.uid(), now);
    assertThat(pop()).isEqualTo("web");
  }

  @Test
  void alsoAPodThatIsBeingScheduled() {
    PodInfo web = add("web");
    assertThat(pop()).isEqualTo("web");
    queue.activate(web.uid(), now);
    assertThat(queue.putBack(web, FIT, now)).isEqualTo(QueuePart.ACTIVE);
    fail(web, FIT);
    assertThat(queue.part(web.uid())).as("once").isEqualTo(QueuePart.UNSCHEDULABLE);
  }

  @Test
  void aNodeThatIsNoLongerKeptForAPodHelpsThoseOfNoHigherPriority() {
    PodInfo high = add(pod("high").requesting("cpu", "1").with("spec.priority", 9L));
    fail(high, FIT);
    PodInfo low = add(pod("low").requesting("cpu", "1").with("spec.priority", 5L));
    fail(low, FIT);
    advance(Duration.ofSeconds(10));
    queue.handle(
        event(
            cluster,
            ClusterEventKind.NOMINATION_GONE,
            pod("other").requesting("cpu", "1").with("spec.priority", 5L).tree(),
            null),
        now);
    assertThat(queue.part(low.uid())).isEqualTo(QueuePart.ACTIVE);
    assertThat(queue.part(high.uid())).isEqualTo(QueuePart.UNSCHEDULABLE);
  }

  @Test
  void updatesDoNotPutOffTheRetryOfAForgottenPod() {
    PodFixture fixture = pod("web").requesting("cpu", "1");
    fail(add(fixture), FIT);
    for (int minute = 1; minute <= 4; minute++) {
      advance(Duration.ofMinutes(1));
      fail(add("other" + minute), FIT);
      queue.update(read(fixture.labelled("minute", "m" + minute)), now);
      queue.delete("other" + minute + "-uid");
    }
    advance(Duration.ofMinutes(1));
    assertThat(pop()).isEqualTo("web");
  }

  @Test
  void countsItsParts() {
    PodInfo refused = add("refused");
    fail(refused, FIT);
    PodInfo failed = add("failed");
    fail(failed, Set.of());
    add("flying");
    assertThat(pop()).isEqualTo("flying");
    add(pod("gated").with("spec.schedulingGates", JsonArray.of(object("name", "a"))));
    add("ready");
    assertThat(queue.sizes()).isEqualTo(new QueueSizes(1, 1, 1, 1, 1));
  }
}
