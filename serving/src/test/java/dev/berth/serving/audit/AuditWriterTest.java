package dev.berth.serving.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AuditWriterTest {
  @TempDir private Path folder = Path.of("");
  private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();

  @Test
  void appendsLinesToAFileThatOthersCannotRead() throws IOException {
    Path file = folder.resolve("audit.log");
    try (AuditWriter writer = AuditWriter.toFile(file, warnings::add)) {
      writer.add("one".getBytes(UTF_8));
    }
    try (AuditWriter writer = AuditWriter.toFile(file, warnings::add)) {
      writer.add("two".getBytes(UTF_8));
    }
    assertThat(file).hasContent("one\ntwo\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(warnings).isEmpty();
  }

  @Test
  void saysAtOnceWhenTheFileCannotBeWritten() {
    assertThatThrownBy(() -> AuditWriter.toFile(folder.resolve("no/such"), warnings::add))
        .hasMessageContaining("The audit log " + folder.resolve("no/such") + " cannot be written")
        .hasMessageContaining("No such file or directory");
    assertThatThrownBy(() -> AuditWriter.toFile(folder, warnings::add))
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
  void whoIsTooSlowLosesLinesAndIsToldSoButHoldsNobodyUp() throws Exception {
    Slow slow = new Slow();
    AuditWriter writer = new AuditWriter(slow, "slow", warnings::add, 2);
    writer.add("first".getBytes(UTF_8));
    slow.writing.await();
    for (int i = 0; i < 5; i++) {
      writer.add(("later" + i).getBytes(UTF_8));
    }
    slow.go.countDown();
    assertThat(warnings.take()).startsWith("3 audit events were lost, since slow takes them");
    writer.close();
    assertThat(slow.taken.toString(UTF_8)).isEqualTo("first\nlater0\nlater1\n");
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
    try (AuditWriter writer = new AuditWriter(out, "disk", warnings::add)) {
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
}
