package dev.berth.serving.audit;

import static dev.berth.serving.audit.AuditWriter.Mode.BATCH;
import static dev.berth.serving.audit.AuditWriter.Mode.BLOCKING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.berth.component.ComponentScope;
import dev.berth.component.Supervisor;
import dev.berth.log.CapturedLog;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.serving.health.Health;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

class AuditWriterTest {
  @TempDir private Path folder = Path.of("");
  private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
  private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

  @Test
  void appendsLinesToAFileThatOthersCannotRead() throws IOException {
    Path file = folder.resolve("audit.log");
    try (AuditWriter writer = AuditWriter.toFile(file, BLOCKING, warnings::add)) {
      writer.add("one".getBytes(UTF_8));
    }
    try (AuditWriter writer = AuditWriter.toFile(file, BLOCKING, warnings::add)) {
      writer.add("two".getBytes(UTF_8));
    }
    assertThat(file).hasContent("one\ntwo\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(warnings).isEmpty();
  }

  @Test
  void saysAtOnceWhenTheFileCannotBeWritten() {
    assertThatThrownBy(() -> AuditWriter.toFile(folder.resolve("no/such"), BLOCKING, warnings::add))
        .hasMessageContaining("The audit log " + folder.resolve("no/such") + " cannot be written")
        .hasMessageContaining("No such file or directory");
    assertThatThrownBy(() -> AuditWriter.toFile(folder, BLOCKING, warnings::add))
        .hasMessageContaining("Is a directory");
  }

  /** Takes nothing until it is told to. */
  private static final class Slow extends OutputStream {
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

    @Override
    public void write(int b) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      writing.countDown();
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      taken.write(bytes, offset, length);
    }
  }

  @Test
  void aSlowDiskSlowsRequestsDownAndLosesNothing() throws Exception {
    Slow slow = new Slow();
    AuditWriter writer = new AuditWriter(slow, "slow", BLOCKING, warnings::add, 2);
    writer.start(failures::add);
    writer.add("first".getBytes(UTF_8));
    slow.writing.await();
    Thread requests =
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 0; i < 5; i++) {
                writer.add(("later" + i).getBytes(UTF_8));
              }
            });
    while (requests.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    slow.go.countDown();
    requests.join();
    writer.close();
    assertThat(slow.taken.toString(UTF_8))
        .isEqualTo("first\nlater0\nlater1\nlater2\nlater3\nlater4\n");
    assertThat(writer.lost()).isZero();
    assertThat(warnings).isEmpty();
  }

  @Test
  void nobodyWaitsForALogThatIsClosed() {
    AuditWriter writer =
        new AuditWriter(new ByteArrayOutputStream(), "closed", BLOCKING, warnings::add, 1);
    writer.close();
    writer.add("fits".getBytes(UTF_8));
    writer.add("too late".getBytes(UTF_8));
    assertThat(writer.lost()).isEqualTo(1);
  }

  @Test
  void whoAsksForBatchesLosesLinesAndIsToldSoButHoldsNobodyUp() throws Exception {
    Slow slow = new Slow();
    AuditWriter writer = new AuditWriter(slow, "slow", BATCH, warnings::add, 2);
    writer.start(failures::add);
    writer.add("first".getBytes(UTF_8));
    slow.writing.await();
    for (int i = 0; i < 5; i++) {
      writer.add(("later" + i).getBytes(UTF_8));
    }
    slow.go.countDown();
    assertThat(warnings.take()).startsWith("3 audit events were lost, since slow takes them");
    writer.close();
    assertThat(slow.taken.toString(UTF_8)).isEqualTo("first\nlater0\nlater1\n");
    assertThat(writer.lost()).isEqualTo(3);
  }

  @Test
  void aDiskThatFailsIsSaidOnceAndAgainWhenItFailsAnew() throws Exception {
    AtomicBoolean full = new AtomicBoolean(true);
    BlockingQueue<String> written = new LinkedBlockingQueue<>();
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            written.add(new String(bytes, offset, length, UTF_8));
            if (full.get()) {
              throw new IOException("No space left on device");
            }
          }
        };
    try (AuditWriter writer = new AuditWriter(out, "disk", BLOCKING, warnings::add)) {
      writer.start(failures::add);
      writer.add("a".getBytes(UTF_8));
      assertThat(warnings.take()).contains("disk cannot be written (No space left on device)");
      writer.add("b".getBytes(UTF_8));
      assertThat(written.take()).isEqualTo("a\n");
      assertThat(written.take()).isEqualTo("b\n");
      full.set(false);
      writer.add("c".getBytes(UTF_8));
      assertThat(written.take()).isEqualTo("c\n");
    }
    assertThat(warnings).isEmpty();
  }

  /** Throws something that no disk throws when it is first written to. */
  private static final class Buggy extends ByteArrayOutputStream {
    private boolean thrown;

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      if (!thrown) {
        thrown = true;
        throw new AssertionError("a bug");
      }
      super.write(bytes, offset, length);
    }
  }

  @Test
  void aThreadThatDiesIsLoggedCountedShownAndStartedAfresh() throws Exception {
    VirtualTime time = new VirtualTime(1, failure -> fail(failure.toString()));
    Metrics metrics = new Metrics();
    Supervisor supervisor = new Supervisor(time, metrics);
    List<ComponentScope> starts = new ArrayList<>();
    Buggy out = new Buggy();
    AuditWriter writer = new AuditWriter(out, "memory", BLOCKING, warnings::add);
    supervisor.run(
        "audit-log",
        scope -> {
          starts.add(scope);
          writer.start(failures::add);
          return () -> {};
        });
    time.settle();

    try (CapturedLog log = CapturedLog.from(Level.ERROR)) {
      writer.add("lost".getBytes(UTF_8));
      // Told by this thread, since virtual time is for one thread alone.
      starts.getLast().fail(failures.take());
      time.settle();
      assertThat(log.lines())
          .singleElement()
          .satisfies(line -> {
            assertThat(line.component()).isEqualTo("audit-log");
            assertThat(line.cause()).isInstanceOf(AssertionError.class);
          });
    }
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains("berth_component_restarts_total{component=\"audit-log\"} 1");
    Health health = new Health(new MemoryStore(), supervisor.health(), List.of());
    assertThat(health.answer("/readyz/component/audit-log", false, Set.of()))
        .hasValueSatisfying(answer -> assertThat(answer.status()).isEqualTo(500));

    writer.add("waits".getBytes(UTF_8));
    time.advance(Duration.ofMillis(1_500));

    assertThat(starts).hasSize(2);
    writer.close();
    assertThat(out.toString(UTF_8)).isEqualTo("waits\n");
    assertThat(health.answer("/readyz", false, Set.of()))
        .hasValueSatisfying(answer -> assertThat(answer.status()).isEqualTo(200));
  }
}
