package dev.berth.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class WriterThreadTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final BlockingQueue<String> written = new LinkedBlockingQueue<>();
  private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final WriterThread<String> thread = new WriterThread<>("test", 2, this::write);

  /** Waits once if it is told to, and throws if it is told to. */
  private void write(List<String> batch) {
    if (batch.contains("wait")) {
      writing.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    if (batch.contains("bug")) {
      throw new AssertionError("a bug");
    }
    written.addAll(batch);
  }

  @Test
  void writesInOrderWhatWaitsBeforeItIsClosed() {
    thread.offer("a");
    thread.offer("b");
    thread.start(failures::add);
    assertThat(thread.close(PATIENCE)).isTrue();
    assertThat(written).containsExactly("a", "b");
    assertThat(failures).isEmpty();
  }

  @Test
  void refusesWhatDoesNotFitAndMakesNobodyWait() throws InterruptedException {
    thread.start(failures::add);
    thread.offer("wait");
    writing.await();
    assertThat(thread.offer("a")).isTrue();
    assertThat(thread.offer("b")).isTrue();
    assertThat(thread.offer("c")).isFalse();
    assertThat(thread.flush(Duration.ofMillis(1))).as("an output that hangs").isFalse();
    goOn.countDown();
    assertThat(thread.close(PATIENCE)).isTrue();
    assertThat(written).containsExactly("wait", "a", "b");
  }

  @Test
  void afterABugItGoesOnWithWhatWaitsWhenItIsStartedAfresh() throws InterruptedException {
    thread.start(failures::add);
    thread.offer("bug");
    assertThat(failures.take()).hasMessage("a bug");
    thread.offer("a");

    thread.start(failures::add);

    assertThat(written.take()).isEqualTo("a");
    assertThat(thread.close(PATIENCE)).isTrue();
    assertThat(failures).isEmpty();
  }
}
