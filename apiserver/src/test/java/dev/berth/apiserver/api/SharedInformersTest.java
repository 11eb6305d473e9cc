package dev.berth.apiserver.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiWatch.Poll;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.Informers;
import dev.berth.client.informer.SharedInformers;
import dev.berth.time.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedInformersTest {
  private static final ListRequest ALL = ListRequest.of(Resources.CONFIG_MAPS).in("default");
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final LocalCluster cluster = new LocalCluster(1);
  private final SharedInformers informers = new SharedInformers(cluster.broken, cluster.time);
  private final Component first = new Component("first");
  private final Component second = new Component("second");

  SharedInformersTest() {
    cluster.broken.clock = cluster.time::now;
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Writes down what it is told, on a loop that can be made to do nothing for a while. */
  private final class Component extends RecordedChanges {
    final HeldLoop loop;
    Informers.Following following = () -> {};

    Component(String name) {
      loop = new HeldLoop(cluster.time.start(name));
    }

    void follow() {
      following = informers.follow(ALL, loop, this);
    }

    List<String> tellings() {
      cluster.time.settle();
      return takeAll();
    }
  }

  @Test
  void tellsAllOfWhatOneListAndOneWatchTell() {
    cluster.create("a", "1");
    first.follow();
    second.follow();
    cluster.time.settle();
    cluster.change("a", "2");
    cluster.create("b", "1");
    cluster.delete("a");

    String[] all = {"+a1", "synced", "a1>a2", "+b1", "-a2"};
    assertThat(first.tellings()).containsExactly(all);
    assertThat(second.tellings()).containsExactly(all);
    assertThat(cluster.broken.lists).hasSize(1);
    assertThat(cluster.broken.openWatches()).isEqualTo(1);
  }

  @Test
  void whoComesLaterIsToldWhatIsThereAndThenWhatChanges() {
    cluster.create("a", "1");
    first.follow();
    cluster.time.settle();
    cluster.change("a", "2");
    cluster.time.settle();

    second.follow();
    cluster.time.settle();
    cluster.create("b", "1");

    assertThat(second.tellings()).containsExactly("+a2", "synced", "+b1");
    assertThat(cluster.broken.lists).hasSize(1);
  }

  /** A thousand is several batches, and changes come between them. */
  @Test
  void whatChangesWhileSomebodyIsToldWhatIsThereIsToldAfterwards() {
    for (int i = 0; i < 1_000; i++) {
      cluster.create("m" + i, "-");
    }
    first.follow();
    cluster.time.settle();
    second.loop.hold();
    second.follow();
    cluster.time.settle();
    cluster.delete("m0");
    cluster.time.settle();
    second.loop.release();

    List<String> told = second.tellings();
    assertThat(told).hasSize(1_002).endsWith("synced", "-m0-");
    assertThat(told.subList(0, 1_000)).allMatch(one -> one.startsWith("+"));
  }

  @Test
  void failuresAreToldToAllAndTriedAgain() {
    cluster.broken.unreachable();
    first.follow();
    second.follow();
    assertThat(first.tellings()).containsExactly("failed: cut off");
    assertThat(second.tellings()).containsExactly("failed: cut off");

    cluster.broken.mended();
    cluster.time.advance(A_MINUTE);
    assertThat(first.tellings()).containsExactly("synced");
    assertThat(second.tellings()).containsExactly("synced");
  }

  @Test
  void aSlowListenerHoldsBackTheWatchAndMissesNothing() {
    first.follow();
    second.follow();
    assertThat(second.tellings()).containsExactly("synced");
    second.loop.hold();
    int many = 12_345;
    for (int i = 0; i < many; i++) {
      cluster.create("m" + i, "-");
    }
    int toldMeanwhile = first.tellings().size();
    assertThat(toldMeanwhile).isBetween(10_000, 11_500);

    second.loop.release();
    assertThat(second.tellings()).hasSize(many).doesNotHaveDuplicates();
    assertThat(first.tellings()).hasSize(many + 1 - toldMeanwhile);
  }

  @Test
  void aListenerWhoseLoopHasEndedIsNotWaitedFor() {
    first.follow();
    second.follow();
    cluster.time.settle();
    second.loop.close();
    int many = 12_345;
    for (int i = 0; i < many; i++) {
      cluster.create("m" + i, "-");
    }
    assertThat(first.tellings()).hasSize(many + 1);
  }

  @Test
  void nobodyIsWatchedForWhoHasLeft() {
    first.follow();
    second.follow();
    cluster.time.settle();
    first.following.close();
    cluster.create("a", "1");
    assertThat(first.tellings()).containsExactly("synced");
    assertThat(second.tellings()).containsExactly("synced", "+a1");

    second.following.close();
    cluster.time.settle();
    assertThat(cluster.broken.openWatches()).isZero();

    first.follow();
    assertThat(first.tellings()).containsExactly("+a1", "synced");
  }

  @Test
  void theDifferenceIsToldToAllWhenTheServerHasForgotten() {
    cluster.create("a", "1");
    cluster.create("b", "1");
    first.follow();
    second.follow();
    cluster.time.settle();
    first.told.clear();
    second.told.clear();

    cluster.broken.endWatches(new Poll.Expired("too old resource version"));
    cluster.change("a", "2");
    cluster.delete("b");
    cluster.time.advance(A_MINUTE);

    assertThat(first.tellings()).containsExactly("a1>a2", "-b1");
    assertThat(second.tellings()).containsExactly("a1>a2", "-b1");
  }

  /** A loop that keeps its events waiting while it is held, as one does that has much to do. */
  private static final class HeldLoop implements Loop {
    private final Loop loop;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean held;

    HeldLoop(Loop loop) {
      this.loop = loop;
    }

    void hold() {
      held = true;
    }

    void release() {
      held = false;
      waiting.forEach(loop::offer);
      waiting.clear();
    }

    @Override
    public String name() {
      return loop.name();
    }

    @Override
    public boolean offer(Runnable event) {
      return held ? waiting.add(event) : loop.offer(event);
    }

    @Override
    public Timer at(Instant due, Runnable task) {
      return loop.at(due, task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      return loop.after(delay, task);
    }

    @Override
    public <T> boolean call(Supplier<T> work, Consumer<T> then) {
      return loop.call(work, then);
    }

    @Override
    public boolean hasEnded() {
      return loop.hasEnded();
    }

    @Override
    public void close() {
      loop.close();
    }
  }
}
