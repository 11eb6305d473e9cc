package dev.berth.agent.shutdown;

import static dev.berth.model.fixture.Fixtures.tree;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.client.Resources;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.shutdown.ShutdownPeriods;
import dev.berth.policy.shutdown.ShutdownPeriods.Period;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** N13, N14: a node's shutdown, on a clock that the test turns. */
final class ShutdownManagerTest {
  private static final ShutdownPeriods THIRTY_AND_TEN =
      ShutdownPeriods.of(ofSeconds(30), ofSeconds(10));
  private static final String CRITICAL = "system-node-critical";
  private static final String MESSAGE = "Pod was terminated in response to imminent node shutdown.";

  @TempDir private Path root;
  private TestNode node;
  private final FakeLoginManager logind = new FakeLoginManager();
  private final List<String> events = new ArrayList<>();
  private final List<Boolean> reports = new ArrayList<>();
  private Metrics metrics = new Metrics();
  private Optional<ShutdownManager> manager = Optional.empty();

  @BeforeEach
  void begin() {
    node = new TestNode(root);
    node.shuttingDown(() -> manager.map(ShutdownManager::isShuttingDown).orElse(false));
    priority("low", 0);
    priority("middle", 1_000);
    priority("high", 10_000);
  }

  @AfterEach
  void end() {
    manager.ifPresent(ShutdownManager::close);
    node.close();
  }

  private void priority(String name, long value) {
    TestNode.done(
        node.admin()
            .create(
                Resources.PRIORITY_CLASSES,
                tree("{'metadata':{'name':'%s'},'value':%d}".formatted(name, value))));
  }

  private void start(ShutdownPeriods periods) {
    start(periods, "boot-1");
  }

  private void start(ShutdownPeriods periods, String bootId) {
    metrics = new Metrics();
    ShutdownManager opened =
        ShutdownManager.open(
            new ShutdownManager.Parts(node.time(), metrics, periods, root, bootId, logind));
    manager = Optional.of(opened);
    node.start();
    opened.start(
        new ShutdownManager.Node() {
          @Override
          public void report(Runnable then) {
            reports.add(opened.isShuttingDown());
            then.run();
          }

          @Override
          public void event(String reason, String note) {
            events.add(reason + ": " + note);
          }
        },
        node.agent());
    node.settle();
  }

  private void killAgent() {
    manager.ifPresent(ShutdownManager::close);
    manager = Optional.empty();
    logind.agentDied();
    node.stop();
  }

  /** A pod whose container has its name. */
  private void pod(String name, String priorityClass, long grace) {
    node.pod(
        name,
        """
        {'priorityClassName':'%s','terminationGracePeriodSeconds':%d,
         'tolerations':[{'operator':'Exists'}],'containers':[{'name':'%s','image':'i'}]}
        """
            .formatted(priorityClass, grace, name));
  }

  private void shutDown() {
    logind.shutDown(true);
    node.settle();
  }

  private List<String> ended() {
    return node.runtime().journal().stream()
        .filter(line -> line.startsWith("TERM") || line.startsWith("KILL"))
        .toList();
  }

  private void assertTerminated(String pod) {
    JsonObject status = node.status(pod);
    assertThat(status.text("phase", "") + " " + status.text("reason", ""))
        .isEqualTo("Failed Terminated");
    assertThat(status.text("message", "")).isEqualTo(MESSAGE);
    JsonObject target =
        Conditions.find(status.array("conditions"), "DisruptionTarget").orElse(JsonObject.EMPTY);
    assertThat(target.text("status", "")).isEqualTo("True");
    assertThat(target.text("reason", "")).isEqualTo("TerminationByKubelet");
    assertThat(target.text("message", "")).isEqualTo(MESSAGE);
  }

  private String metric(String name) {
    return metrics
        .text(MetricsText.Format.of(List.of()))
        .lines()
        .filter(line -> line.startsWith("kubelet_graceful_shutdown_" + name))
        .findFirst()
        .orElse("");
  }

  @Test
  void regularPodsEndAndThenCriticalOnesAndThenTheLockIsReleased() {
    start(THIRTY_AND_TEN);
    assertThat(logind.journal()).containsExactly("connect", "lock", "raise 30");
    pod("web", "low", 60);
    pod("dns", CRITICAL, 60);
    node.runtime().slowToStop("web", ofSeconds(3));
    node.runtime().slowToStop("dns", ofSeconds(2));
    Instant began = node.time().now();

    shutDown();
    assertThat(reports).containsExactly(true);
    assertThat(events).containsExactly("Shutdown: Shutdown manager detected shutdown event");
    assertThat(ended()).containsExactly("TERM web/web");
    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(node.condition("web", "DisruptionTarget")).isEqualTo("True");

    node.advance(ofMillis(2_999));
    assertThat(ended()).containsExactly("TERM web/web");
    node.advance(ofMillis(1));
    assertThat(ended()).containsExactly("TERM web/web", "TERM dns/dns");
    assertTerminated("web");
    assertThat(logind.locks()).isEqualTo(1);
    node.advance(ofMillis(1_999));
    assertThat(logind.locks()).isEqualTo(1);
    node.advance(ofMillis(100));
    assertTerminated("dns");
    assertThat(logind.locks()).isZero();
    assertThat(metric("start")).endsWith(" " + began.getEpochSecond());
    assertThat(metric("end")).endsWith(" " + began.plusSeconds(5).getEpochSecond());
  }

  @Test
  void nobodyGetsMoreThanItsPhaseAndNobodyIsKilledEarly() {
    start(THIRTY_AND_TEN);
    pod("web", "low", 600);
    pod("brief", "low", 7);
    pod("dns", CRITICAL, 600);
    List.of("web", "brief", "dns").forEach(node.runtime()::deafToTerm);

    shutDown();
    node.advance(ofMillis(6_999));
    assertThat(ended()).containsExactlyInAnyOrder("TERM web/web", "TERM brief/brief");
    node.advance(ofMillis(1));
    assertThat(ended()).endsWith("KILL brief/brief");
    node.advance(ofMillis(12_999));
    assertThat(ended()).endsWith("KILL brief/brief");
    node.advance(ofMillis(1));
    assertThat(ended()).endsWith("KILL web/web", "TERM dns/dns");
    node.advance(ofMillis(9_999));
    assertThat(logind.locks()).isEqualTo(1);
    node.advance(ofMillis(100));
    assertThat(ended()).endsWith("KILL dns/dns");
    assertThat(logind.locks()).isZero();
    List.of("web", "brief", "dns").forEach(this::assertTerminated);
  }

  @Test
  void onePodOfMillisecondsDoesNotKeepTheNextRangeAndEmptyOnesAreSkipped() {
    start(
        new ShutdownPeriods(
            List.of(
                new Period(0, ofSeconds(60)),
                new Period(1_000, ofSeconds(120)),
                new Period(10_000, ofSeconds(180)),
                new Period(100_000, ofSeconds(10)))));
    pod("batch", "low", 30);
    pod("store", "high", 30);
    shutDown();
    node.advance(ofMillis(50));
    assertThat(ended()).containsExactly("TERM batch/batch", "TERM store/store");
    assertThat(logind.locks()).isZero();
  }

  @Test
  void newPodsAreRefusedWhateverTheyTolerate() {
    start(THIRTY_AND_TEN);
    pod("web", "low", 60);
    node.runtime().deafToTerm("web");
    shutDown();
    pod("late", CRITICAL, 60);
    assertThat(node.phase("late")).isEqualTo("Failed");
    assertThat(node.status("late").text("reason", "")).isEqualTo("NodeShutdown");
    assertThat(node.status("late").text("message", ""))
        .isEqualTo("Pod was rejected: Pod was rejected as the node is shutting down.");
    assertThat(node.runtime().journal()).doesNotContain("sandbox late");
  }

  @Test
  void aPodThatIsBeingDeletedHasNoMoreTimeThanItsPhase() {
    start(THIRTY_AND_TEN);
    pod("web", "low", 600);
    node.runtime().deafToTerm("web");
    node.delete("web");
    node.advanceSeconds(5);
    shutDown();
    node.advance(ofMillis(19_999));
    assertThat(ended()).containsExactly("TERM web/web");
    node.advance(ofMillis(1));
    assertThat(ended()).endsWith("KILL web/web");
  }

  @Test
  void aCancelledShutdownEndsWhatItBeganAndLeavesTheRest() {
    start(THIRTY_AND_TEN);
    pod("web", "low", 60);
    pod("dns", CRITICAL, 60);
    node.runtime().slowToStop("web", ofSeconds(5));
    shutDown();
    node.advanceSeconds(1);
    logind.shutDown(false);
    node.settle();
    assertThat(reports).containsExactly(true, false);
    assertThat(events).endsWith("Shutdown: Shutdown manager detected shutdown cancellation");
    assertThat(logind.locks()).isEqualTo(1);

    node.advanceSeconds(60);
    assertTerminated("web");
    assertThat(node.runtime().running()).containsExactly("dns/dns");
    pod("next", "low", 60);
    assertThat(node.phase("next")).isEqualTo("Running");

    // And the next one is as good as the first.
    shutDown();
    node.advanceSeconds(1);
    assertThat(node.runtime().running()).isEmpty();
    assertThat(logind.locks()).isZero();
  }

  @Test
  void aShutdownThatIsCancelledAfterAllPodsHaveEndedTakesAnotherLock() {
    start(THIRTY_AND_TEN);
    pod("web", "low", 60);
    shutDown();
    node.advanceSeconds(3);
    assertThat(logind.locks()).isZero();
    logind.shutDown(false);
    node.settle();
    assertThat(logind.locks()).isEqualTo(1);
    pod("next", "low", 60);
    assertThat(node.phase("next")).isEqualTo("Running");
  }

  @Test
  void anAgentThatIsRestartedInTheMiddleStartsNothingAndEndsTheRestInTheTimeThatIsLeft() {
    start(THIRTY_AND_TEN);
    pod("web", "low", 600);
    pod("dns", CRITICAL, 600);
    pod("falters", CRITICAL, 600);
    List.of("web", "dns").forEach(node.runtime()::deafToTerm);
    shutDown();
    node.advanceSeconds(4);
    killAgent();
    node.runtime().exit("falters", "falters", 1);
    pod("late", "low", 60);
    node.advanceSeconds(6);
    int before = node.runtime().journal().size();

    start(THIRTY_AND_TEN);
    assertThat(logind.locks()).isZero();
    node.advance(ofMillis(9_999));
    List<String> since = node.runtime().journal().subList(before, node.runtime().journal().size());
    assertThat(since).containsExactly("TERM web/web");
    assertThat(node.status("late").text("reason", "")).isEqualTo("NodeShutdown");
    node.advance(ofMillis(1));
    assertThat(ended()).endsWith("KILL web/web", "TERM dns/dns");
    node.advance(ofSeconds(10));
    assertThat(ended()).endsWith("KILL dns/dns");
    node.advance(ofSeconds(1));
    List.of("web", "dns", "falters").forEach(this::assertTerminated);
  }

  @Test
  void whileNobodyCanBeAskedTheFileOfTheLastShutdownCounts() {
    start(THIRTY_AND_TEN);
    pod("web", "low", 60);
    node.runtime().deafToTerm("web");
    shutDown();
    killAgent();
    logind.reachable(false);
    start(THIRTY_AND_TEN);
    pod("late", "low", 60);
    assertThat(node.status("late").text("reason", "")).isEqualTo("NodeShutdown");

    // It was cancelled meanwhile.
    logind.shutDown(false);
    logind.reachable(true);
    node.advanceSeconds(1);
    pod("next", "low", 60);
    assertThat(node.phase("next")).isEqualTo("Running");
    assertThat(logind.locks()).isEqualTo(1);
  }

  @Test
  void afterTheMachineWasStartedAgainPodsRunAndTheTimesAreStillKnown() {
    start(THIRTY_AND_TEN);
    pod("web", "low", 60);
    shutDown();
    node.advanceSeconds(3);
    String ended = metric("end");
    assertThat(ended).doesNotEndWith(" 0");
    killAgent();
    logind.shutDown(false);
    logind.reachable(false);
    start(THIRTY_AND_TEN, "boot-2");
    pod("next", "low", 60);
    assertThat(node.phase("next")).isEqualTo("Running");
    assertThat(metric("end")).isEqualTo(ended);
  }

  @Test
  void aLostConnectionAndARestartedLogindAreAskedForAnotherLock() {
    start(THIRTY_AND_TEN);
    logind.restart();
    node.settle();
    assertThat(logind.locks()).isEqualTo(1);
    logind.reachable(false);
    node.advanceSeconds(10);
    assertThat(manager.orElseThrow().status().lockProblem()).contains("no connection to logind");
    logind.reachable(true);
    node.advanceSeconds(1);
    assertThat(logind.locks()).isEqualTo(1);
    assertThat(manager.orElseThrow().status().lockProblem()).isEmpty();
    pod("web", "low", 60);
    shutDown();
    node.advanceSeconds(3);
    assertTerminated("web");
    assertThat(logind.locks()).isZero();
  }

  @Test
  void aDelayThatCannotBeRaisedIsSaidAndTheLockIsHeldAllTheSame() {
    logind.cannotBeRaised();
    start(THIRTY_AND_TEN);
    assertThat(logind.locks()).isEqualTo(1);
    assertThat(manager.orElseThrow().status().lockProblem())
        .isEqualTo(
            "logind waits for 5s and not for the 30s that pods have: read-only file system;"
                + " set InhibitDelayMaxSec=30 in logind.conf");
  }

  @Test
  void withoutPeriodsNobodyIsAskedAndNothingIsDelayed() {
    start(ShutdownPeriods.NONE);
    pod("web", "low", 60);
    shutDown();
    node.advanceSeconds(60);
    assertThat(logind.journal()).isEmpty();
    assertThat(node.runtime().running()).containsExactly("web/web");
  }

  @Test
  void aNodeWithoutALoginManagerIsDrainedOnRequest() {
    start(ShutdownPeriods.NONE);
    pod("web", "low", 60);
    pod("dns", CRITICAL, 60);
    node.runtime().slowToStop("web", ofMillis(1_500));
    List<String> said = new ArrayList<>();
    manager
        .orElseThrow()
        .drain(ShutdownPeriods.of(ofSeconds(20), ofSeconds(5)), said::add, () -> said.add("over"));
    node.settle();
    pod("late", "low", 60);
    assertThat(node.status("late").text("reason", "")).isEqualTo("NodeShutdown");
    node.advanceSeconds(3);
    assertThat(said)
        .containsExactly(
            "Ending 1 pod of priority 0 and above, 15s at most.",
            "1 pod ended in 1.5s.",
            "Ending 1 pod of priority 2000000000 and above, 5s at most.",
            "1 pod ended in 0s.",
            "over");
    List.of("web", "dns").forEach(this::assertTerminated);
    // Whoever starts it again wants it to run.
    killAgent();
    start(ShutdownPeriods.NONE);
    pod("next", "low", 60);
    assertThat(node.phase("next")).isEqualTo("Running");
  }

  /** 50 pods in 3 ranges: each ends when its last pod does, never later than its period. */
  @Test
  void fiftyPodsInThreeRanges() {
    start(
        new ShutdownPeriods(
            List.of(
                new Period(0, ofSeconds(20)),
                new Period(1_000, ofSeconds(10)),
                new Period(10_000, ofSeconds(30)))));
    List<String> classes = List.of("low", "middle", "high");
    // The slowest of each range takes 17, 18 and 19 s; of the middle one that is too long.
    for (int i = 0; i < 50; i++) {
      String name = classes.get(i % 3) + i;
      pod(name, classes.get(i % 3), 60);
      node.runtime()
          .slowToStop(
              name, ofMillis((i % 3 == 0 ? 17 : i % 3 == 1 ? 18 : 19) * 1000L * (i / 3 + 1) / 17));
    }
    Instant began = node.time().now();
    shutDown();
    List<Duration> ranges = new ArrayList<>();
    for (String each : classes) {
      while (node.runtime().running().stream().anyMatch(name -> name.startsWith(each))) {
        node.advance(ofMillis(10));
      }
      ranges.add(Duration.between(began, node.time().now()));
      began = node.time().now();
    }
    assertThat(ranges.get(0)).isBetween(ofMillis(17_000), ofMillis(17_010));
    assertThat(ranges.get(1)).isBetween(ofMillis(10_000), ofMillis(10_010));
    assertThat(ranges.get(2)).isBetween(ofMillis(17_880), ofMillis(17_900));
    // Killed are those alone that their range had no time for.
    assertThat(ended().stream().filter(line -> line.startsWith("KILL")))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("KILL middle"));
    System.out.printf("50 pods in 3 ranges ended in %s, of 20, 10 and 30 s%n", ranges);
  }
}
