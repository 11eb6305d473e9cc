package dev.berth.admission;

import static dev.berth.registry.fixture.TestCluster.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.quota.QuotaController;
import dev.berth.admission.quota.QuotaStatus;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.time.Loop;
import dev.berth.time.LoopFailure;
import dev.berth.time.LoopLimits;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a quota counts has shrunk, and the loop that is to count anew takes nothing at the time. */
class QuotaNoticeTest {
  private final AdmissionPlugins policies = AdmissionPlugins.standard();
  private final TestCluster cluster = new TestCluster(policies::chain);
  private final AtomicBoolean full = new AtomicBoolean();

  @Test
  void aNoticeIsNotLostWhenTheLoopIsFull() {
    QuotaController controller =
        new QuotaController(
            cluster.registry,
            new QuotaStatus(cluster.registry, policies.pending()),
            new TimeOfFullLoops(cluster.time, full));
    controller.start();
    cluster.create(
        "resourcequotas", "{'metadata':{'name':'q'},'spec':{'hard':{'configmaps':'9'}}}");
    cluster.time.advance(Duration.ofSeconds(1));
    cluster.configMap("a");
    cluster.configMap("b");
    cluster.time.advance(Duration.ofSeconds(1));
    assertThat(used()).isEqualTo("2");

    full.set(true);
    cluster.registry.delete(cluster.core("configmaps"), named("a"), DeletionOptions.DEFAULT);
    full.set(false);
    cluster.time.advance(Duration.ofSeconds(1));
    assertThat(used()).isEqualTo("1");
    controller.close();
  }

  private String used() {
    return cluster
        .registry
        .get(cluster.core("resourcequotas"), named("q"))
        .tree()
        .object("status")
        .object("used")
        .text("configmaps", "");
  }

  /** Time whose loops refuse events while they are full. */
  private record TimeOfFullLoops(Time real, AtomicBoolean full) implements Time {
    @Override
    public Instant now() {
      return real.now();
    }

    @Override
    public Instant monotonicNow() {
      return real.monotonicNow();
    }

    @Override
    public Loop start(String name, LoopLimits limits, LoopFailure.Listener onFailure) {
      return new FullLoop(real.start(name, limits, onFailure), full);
    }

    @Override
    public Loop start(String name, LoopLimits limits) {
      return new FullLoop(real.start(name, limits), full);
    }

    @Override
    public RandomGenerator random(String name) {
      return real.random(name);
    }
  }

  private record FullLoop(Loop real, AtomicBoolean full) implements Loop {
    @Override
    public String name() {
      return real.name();
    }

    @Override
    public boolean offer(Runnable event) {
      return !full.get() && real.offer(event);
    }

    @Override
    public Timer at(Instant due, Runnable task) {
      return real.at(due, task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      return real.after(delay, task);
    }

    @Override
    public <T> boolean call(Supplier<T> work, Consumer<T> then) {
      return real.call(work, then);
    }

    @Override
    public boolean hasEnded() {
      return real.hasEnded();
    }

    @Override
    public void close() {
      real.close();
    }
  }
}
