package dev.berth.component;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.time.Loop;
import dev.berth.time.LoopFailure;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class SupervisorTest {
  private static final Duration A_SECOND_AND_A_HALF = Duration.ofMillis(1_500);

  private final List<LoopFailure> unsupervised = new ArrayList<>();
  private final VirtualTime time = new VirtualTime(1, unsupervised::add);
  private final Metrics metrics = new Metrics();
  private final Supervisor supervisor = new Supervisor(time, metrics);

  /** What happened to components, in order. */
  private final List<String> history = new ArrayList<>();

  @BeforeEach
  void forgetWhatWasLogged() {
    RecordedLog.take();
  }

  /** A component with two loops, which says when it starts and ends. */
  private final class Part implements Components.Factory {
    final String name;
    final List<Loop> loops = new ArrayList<>();
    final List<Instant> starts = new ArrayList<>();
    boolean cannotStart;
    boolean cannotEnd;

    Part(String name) {
      this.name = name;
    }

    @Override
    public AutoCloseable start(ComponentScope scope) {
      starts.add(time.now());
      loops.clear();
      loops.add(scope.time().start(name + " 1"));
      loops.add(scope.time().start(name + " 2"));
      if (cannotStart) {
        throw new IllegalStateException("cannot start");
      }
      history.add("+" + name);
      return () -> {
        history.add("-" + name);
        if (cannotEnd) {
          throw new IllegalStateException("cannot end");
        }
      };
    }

    void fail() {
      loops
          .getLast()
          .offer(() -> {
            throw new IllegalStateException("a bug in " + name);
          });
      time.settle();
    }

    boolean runs() {
      return loops.stream().noneMatch(Loop::hasEnded);
    }
  }

  private Part run(String name) {
    Part part = new Part(name);
    supervisor.run(name, part);
    time.settle();
    return part;
  }

  private String ready(boolean verbose) {
    return answer("/readyz", verbose);
  }

  private String answer(String path, boolean verbose, String... excluded) {
    HealthEndpoints.Answer answer =
        HealthEndpoints.of(supervisor.health())
            .answer(path, verbose, Set.of(excluded))
            .orElseThrow();
    return answer.status() + " " + answer.text();
  }

  private long restarts(String component) {
    String line = "berth_component_restarts_total{component=\"" + component + "\"} ";
    return metrics
        .text(MetricsText.Format.PROMETHEUS)
        .lines()
        .filter(text -> text.startsWith(line))
        .mapToLong(text -> Long.parseLong(text.substring(line.length())))
        .sum();
  }

  @Test
  void aComponentThatFailsIsLoggedCountedShownEndedAndStartedAfresh() {
    Part part = run("scheduler");
    Loop other = part.loops.getFirst();
    assertThat(ready(true))
        .isEqualTo("200 [+]ping ok\n[+]component/scheduler ok\nreadyz check passed\n");

    part.fail();

    assertThat(history).containsExactly("+scheduler", "-scheduler");
    assertThat(other.hasEnded()).as("all of it ends").isTrue();
    assertThat(restarts("scheduler")).isEqualTo(1);
    assertThat(RecordedLog.take())
        .anySatisfy(line -> {
          assertThat(line.level()).isEqualTo(Level.ERROR);
          assertThat(line.logger()).isEqualTo("scheduler");
          assertThat(line.message())
              .isEqualTo("scheduler failed: java.lang.IllegalStateException: a bug in scheduler");
          assertThat(line.thrown()).isInstanceOf(IllegalStateException.class);
        });
    assertThat(ready(false))
        .isEqualTo(
            "500 [+]ping ok\n[-]component/scheduler failed: reason withheld\nreadyz check failed\n");
    assertThat(answer("/readyz/component/scheduler", false))
        .startsWith(
            "500 internal server error: down since 2030-01-01T00:00:00Z:"
                + " java.lang.IllegalStateException: a bug in scheduler; next start at"
                + " 2030-01-01T00:00:01.")
        .endsWith(" (failures in a row: 1)\n");
    assertThat(answer("/readyz", false, "component/scheduler")).isEqualTo("200 ok");
    assertThat(answer("/livez", false)).as("it may come back").isEqualTo("200 ok");

    time.advance(A_SECOND_AND_A_HALF);

    assertThat(history).containsExactly("+scheduler", "-scheduler", "+scheduler");
    assertThat(part.runs()).isTrue();
    assertThat(ready(false)).isEqualTo("200 ok");
    assertThat(unsupervised).isEmpty();
  }

  /** The factory asks, since nothing else happens while a component starts. */
  @Test
  void aProcessThatIsReadyStaysSoWhileItStartsMoreUnlessThatFails() {
    List<String> answers = new ArrayList<>();
    Components.Factory asking =
        scope -> {
          answers.add(ready(false));
          return () -> {};
        };
    supervisor.run("first", asking);
    var _ = supervisor.caughtUp();
    supervisor.run("late", asking);
    time.settle();
    assertThat(answers.getFirst()).startsWith("500");
    assertThat(answers.getLast()).isEqualTo("200 ok");
    assertThat(answers).hasSize(2);

    supervisor.run(
        "later",
        scope -> {
          throw new UncheckedIOException("the port is taken", new IOException());
        });
    time.settle();
    assertThat(ready(false)).startsWith("500");
  }

  @Test
  void aCallThatThrowsIsAFailureToo() {
    Part part = run("a");
    part.loops
        .getFirst()
        .call(
            () -> {
              throw new IllegalStateException("a bug");
            },
            _ -> {});
    time.advance(A_SECOND_AND_A_HALF);
    assertThat(history).containsExactly("+a", "-a", "+a");
  }

  /** Threads that are no loops say themselves that they failed. */
  @Test
  void aComponentMayFailByItsOwnWord() {
    List<ComponentScope> scopes = new ArrayList<>();
    supervisor.run(
        "writer",
        scope -> {
          scopes.add(scope);
          return () -> {};
        });
    time.settle();
    RecordedLog.take();

    scopes.getFirst().fail(new AssertionError("a bug"));
    time.settle();

    assertThat(restarts("writer")).isEqualTo(1);
    assertThat(RecordedLog.take())
        .anySatisfy(line -> assertThat(line.thrown()).hasMessage("a bug"));
    assertThat(ready(false)).startsWith("500");
    time.advance(A_SECOND_AND_A_HALF);
    assertThat(scopes).hasSize(2);
    assertThat(ready(false)).startsWith("200");

    scopes.getFirst().fail(new AssertionError("late"));
    time.settle();
    assertThat(ready(false)).as("what an earlier start says changes nothing").startsWith("200");
  }

  @Test
  void whatIsTheMachinesFaultIsSaidWithoutATrace() {
    supervisor.run(
        "server",
        scope -> {
          throw new UncheckedIOException("the port is taken", new IOException());
        });
    time.settle();

    assertThat(RecordedLog.take())
        .anySatisfy(line -> {
          assertThat(line.message()).isEqualTo("server failed: the port is taken");
          assertThat(line.thrown()).isNull();
        });
    assertThat(answer("/readyz/component/server", false)).contains("the port is taken");
  }

  @Test
  void whoeverFailsAgainAndAgainWaitsLongerUpToAMinuteAndIsDeadInTheEnd() {
    Part part = run("a");
    List<Duration> waits = new ArrayList<>();
    List<Boolean> alive = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Instant failed = time.now();
      part.fail();
      alive.add(answer("/livez", false).startsWith("200"));
      int before = part.starts.size();
      while (part.starts.size() == before) {
        time.advance(Duration.ofMillis(100));
      }
      waits.add(Duration.between(failed, part.starts.getLast()));
      assertThat(answer("/livez", false)).as("it runs").isEqualTo("200 ok");
    }

    int[] least = {1, 2, 4, 8, 16, 32, 60, 60, 60};
    for (int i = 0; i < least.length; i++) {
      assertThat(waits.get(i))
          .isBetween(Duration.ofSeconds(least[i]), Duration.ofMillis(1_500L * least[i]));
    }
    assertThat(waits).as("by chance").doesNotHaveDuplicates();
    assertThat(alive).containsExactly(true, true, true, true, true, false, false, false, false);
  }

  @Test
  void afterAGoodRunAFailureIsAFirstOneAgain() {
    Part part = run("a");
    for (int i = 0; i < 4; i++) {
      part.fail();
      time.advance(Duration.ofSeconds(15));
    }
    assertThat(part.starts).hasSize(5);

    time.advance(RestartBackoff.GOOD_RUN);
    part.fail();
    assertThat(answer("/readyz/component/a", false)).endsWith("(failures in a row: 1)\n");
    time.advance(A_SECOND_AND_A_HALF);
    assertThat(part.starts).hasSize(6);
  }

  @Test
  void whoCannotBeStartedIsTriedAgainAndLeavesNoLoopsBehind() {
    Part part = new Part("a");
    part.cannotStart = true;
    supervisor.run("a", part);
    time.settle();

    assertThat(part.loops).allMatch(Loop::hasEnded);
    assertThat(ready(false)).startsWith("500");
    assertThat(restarts("a")).isEqualTo(1);

    part.cannotStart = false;
    time.advance(A_SECOND_AND_A_HALF);
    assertThat(part.runs()).isTrue();
    assertThat(ready(false)).isEqualTo("200 ok");
  }

  @Test
  void whoDoesNotEndInOrderIsStartedAfreshAllTheSame() {
    Part part = run("a");
    part.cannotEnd = true;
    part.fail();
    assertThat(RecordedLog.take())
        .anyMatch(line -> line.message().startsWith("a did not end in order"));
    assertThat(part.loops).allMatch(Loop::hasEnded);
    time.advance(A_SECOND_AND_A_HALF);
    assertThat(part.runs()).isTrue();
  }

  @Test
  void aSecondFailureOfOneStartDoesNotStartItTwice() {
    Part part = run("a");
    part.loops.forEach(loop ->
        loop.offer(() -> {
          throw new IllegalStateException("both");
        }));
    time.advance(Duration.ofMinutes(1));
    assertThat(history).containsExactly("+a", "-a", "+a");
  }

  @Test
  void othersGoOn() {
    Part failing = run("a");
    Part other = run("b");
    failing.fail();
    time.advance(Duration.ofMinutes(1));
    assertThat(other.starts).hasSize(1);
    assertThat(other.runs()).isTrue();
  }

  @Test
  void whatIsClosedWhileItIsDownStaysDown() {
    Part part = new Part("a");
    Components.Handle handle = supervisor.run("a", part);
    time.settle();
    part.fail();

    handle.close();
    time.advance(Duration.ofMinutes(10));

    assertThat(part.starts).hasSize(1);
    assertThat(supervisor.health().status("a")).isEmpty();
  }

  @Test
  void closingEndsTheLoopsAtOnceAndTheRestSoon() {
    Part part = new Part("a");
    Components.Handle handle = supervisor.run("a", part);
    time.settle();

    handle.close();
    assertThat(part.loops).allMatch(Loop::hasEnded);
    time.settle();
    assertThat(history).containsExactly("+a", "-a");

    Part never = new Part("b");
    supervisor.run("b", never).close();
    time.settle();
    assertThat(never.starts).isEmpty();
  }

  @Test
  void stoppingClosesItWhileItsLoopsStillRun() {
    Components.Handle handle =
        supervisor.run(
            "a",
            scope -> {
              Loop loop = scope.time().start("a");
              return () -> history.add(loop.hasEnded() ? "too late" : "in time");
            });
    time.settle();

    handle.stop();
    time.settle();
    assertThat(history).containsExactly("in time");
    assertThat(supervisor.health().status("a")).isEmpty();
  }

  /** A component that runs others. */
  private final class Parent implements Components.Factory {
    final Part own;
    final Part first;
    final Part second;

    Parent(String name) {
      own = new Part(name);
      first = new Part(name + "/1");
      second = new Part(name + "/2");
    }

    @Override
    public AutoCloseable start(ComponentScope scope) {
      scope.run(first.name, first);
      scope.run(second.name, second);
      return own.start(scope);
    }
  }

  @Test
  void thoseThatDependOnAnotherEndAndStartWithIt() {
    Parent parent = new Parent("informers");
    supervisor.run("informers", parent);
    time.settle();
    assertThat(history).containsExactly("+informers", "+informers/1", "+informers/2");

    history.clear();
    parent.own.fail();
    assertThat(history).containsExactly("-informers/2", "-informers/1", "-informers");
    assertThat(parent.first.loops).allMatch(Loop::hasEnded);
    assertThat(supervisor.health().status("informers/1")).isEmpty();

    time.advance(A_SECOND_AND_A_HALF);
    assertThat(parent.own.runs() && parent.first.runs() && parent.second.runs()).isTrue();

    history.clear();
    parent.first.fail();
    time.advance(A_SECOND_AND_A_HALF);
    assertThat(history).as("it alone").containsExactly("-informers/1", "+informers/1");
  }

  @Test
  void thoseThatAreOneEndTogetherWhicheverOfThemFails() {
    Parent parent = new Parent("term");
    supervisor.runAsOne("term", parent);
    time.settle();
    history.clear();

    parent.first.fail();

    assertThat(history).containsExactly("-term/2", "-term/1", "-term");
    assertThat(restarts("term/1")).isEqualTo(1);
    assertThat(restarts("term")).isZero();
    assertThat(ready(false))
        .contains("[-]component/term failed")
        .contains("[-]component/term/1 failed")
        .doesNotContain("term/2");
    assertThat(answer("/readyz/component/term", false)).contains("term/1 failed: ");

    time.advance(A_SECOND_AND_A_HALF);
    assertThat(ready(true)).startsWith("200").contains("term ok", "term/1 ok", "term/2 ok");
    assertThat(parent.own.runs() && parent.first.runs() && parent.second.runs()).isTrue();
  }

  @Test
  void whatAnEndedComponentAsksForIsNotRun() {
    List<ComponentScope> scopes = new ArrayList<>();
    Components.Handle handle =
        supervisor.run(
            "a",
            scope -> {
              scopes.add(scope);
              return () -> {};
            });
    time.settle();
    handle.close();
    time.settle();

    Part late = new Part("late");
    scopes.getFirst().run("late", late);
    time.settle();
    assertThat(late.starts).isEmpty();
    assertThat(scopes.getFirst().time().start("late").hasEnded()).isTrue();
  }

  @Test
  void stoppingEndsEverythingTheLastFirst() {
    run("a");
    run("b").fail();
    supervisor.run("c", new Parent("c"));
    time.settle();
    history.clear();

    var stopped = supervisor.stop();
    time.settle();

    assertThat(stopped).isDone();
    assertThat(history).containsExactly("-c/2", "-c/1", "-c", "-a");
    time.advance(Duration.ofMinutes(1));
    assertThat(history).hasSize(4);
    assertThat(ready(true)).isEqualTo("200 [+]ping ok\nreadyz check passed\n");
  }
}
