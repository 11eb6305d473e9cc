package dev.berth.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Large answers take turns. */
class BulkTurnsTest {
  private final BulkTurns turns = new BulkTurns(1);
  private final List<String> sent = new CopyOnWriteArrayList<>();

  /** A body that hands over each write at once, as a chunk, which ends the turn. */
  private BulkTurns.InTurns body(String name, BulkTurns.Turn turn) {
    return new BulkTurns.InTurns(
        turn,
        new BodySink() {
          @Override
          public boolean write(byte[] bytes, int offset, int length) {
            sent.add(name);
            return true;
          }

          @Override
          public boolean flush() {
            return true;
          }

          @Override
          public boolean finish() {
            sent.add(name + " ends");
            return true;
          }

          @Override
          public void release() {}
        });
  }

  private static Thread waiting(Runnable task) {
    Thread thread = Thread.ofVirtual().start(task);
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return thread;
  }

  @Test
  void oneWaitsUntilTheOthersChunkIsHandedOver() throws InterruptedException {
    BulkTurns.Turn first = turns.forAnswer();
    body("first", first).write(new byte[1], 0, 1);
    Thread second = waiting(() -> body("second", turns.forAnswer()).write(new byte[1], 0, 1));
    body("first", first).write(new byte[1], 0, 1);
    assertThat(sent).containsExactly("first", "first");
    first.end();
    second.join();
    assertThat(sent).containsExactly("first", "first", "second");
  }

  @Test
  void whoIsDoneOrGivesUpHoldsNobodyUp() throws InterruptedException {
    BulkTurns.InTurns first = body("first", turns.forAnswer());
    first.write(new byte[1], 0, 1);
    List<Thread> others = new ArrayList<>();
    others.add(waiting(() -> body("second", turns.forAnswer()).finish()));
    first.release();
    for (Thread other : others) {
      other.join();
    }
    assertThat(sent).containsExactly("first", "second ends");
    assertThat(body("third", turns.forAnswer()).finish()).isTrue();
  }

  @Test
  void smallAnswersNeedNoTurn() {
    body("large", turns.forAnswer()).write(new byte[1], 0, 1);
    body("small", BulkTurns.Turn.FREE).write(new byte[1], 0, 1);
    assertThat(sent).containsExactly("large", "small");
  }
}
