package dev.berth.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** How a waiting writer goes on. */
class BlockingWriterTest {

  /** Keeps every write waiting until the test completes it. */
  private static final class StuckSink implements Content.Sink {
    final BlockingQueue<Callback> pending = new LinkedBlockingQueue<>();

    @Override
    public void write(boolean last, ByteBuffer bytes, Callback callback) {
      pending.add(callback);
    }
  }

  private final StuckSink sink = new StuckSink();
  private final BlockingWriter writer = new BlockingWriter(sink, _ -> () -> false);

  private CompletableFuture<Boolean> writing() {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> result.complete(writer.write(false, ByteBuffer.allocate(1))));
    return result;
  }

  @Test
  void waitsUntilTheBytesAreTaken() throws Exception {
    CompletableFuture<Boolean> writing = writing();
    Callback taken = sink.pending.take();
    assertThat(writing).isNotDone();
    taken.succeeded();
    assertThat(writing.get()).isTrue();
  }

  @Test
  void aFailedWriteIsTheLast() throws Exception {
    CompletableFuture<Boolean> writing = writing();
    sink.pending.take().failed(new IllegalStateException("gone"));
    assertThat(writing.get()).isFalse();
    assertThat(writing().get()).isFalse();
    assertThat(sink.pending).isEmpty();
  }

  @Test
  void isReleasedThoughTheWriteNeverEnds() throws Exception {
    CompletableFuture<Boolean> writing = writing();
    Callback never = sink.pending.take();
    writer.release();
    assertThat(writing.get()).isFalse();
    assertThat(writing().get()).isFalse();
    never.succeeded();
    assertThat(writing().get()).isFalse();
  }

  @Test
  void cannotBeInterrupted() throws Exception {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .start(() -> result.complete(writer.write(false, ByteBuffer.allocate(1))));
    Callback taken = sink.pending.take();
    thread.interrupt();
    assertThat(result).isNotDone();
    taken.succeeded();
    assertThat(result.get()).isTrue();
  }
}
