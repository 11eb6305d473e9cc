package dev.berth.agent.runtime.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.PipePeek;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent was killed while it moved two lines from a pipe to the log: the next one goes on. */
class OutputJournalTest {
  private static final String BEFORE = "2026-01-01T00:00:00.000000000Z stdout F before\n";
  private static final String ONE = "2026-01-01T00:00:00.000000000Z stdout F one\n";
  private static final String TWO = "2026-01-01T00:00:00.000000000Z stdout F two\n";

  @TempDir private Path folder = Path.of("");

  private String log(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      text.append(line.split(" ", 4)[3]).append(' ');
    }
    return text.toString().strip();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "before it wrote anything,           '',       yes",
    "when it had written a part,         one,      yes",
    "when a record was torn,             torn,     yes",
    "before it took them from the pipe,  one two,  yes",
    "after it took them from the pipe,   one two,  no",
  })
  void noLineIsLostOrRepeated(String moment, String written, String inPipe) throws IOException {
    ContainerFiles files = new ContainerFiles(folder, folder.resolve("logs/0.log"));
    Descriptors.makeFifo(files.stdout());
    Descriptors.makeFifo(files.stderr());
    Files.createDirectories(folder.resolve("logs"));
    Files.writeString(files.log(), BEFORE);
    try (OutputJournal journal = new OutputJournal(files.journal())) {
      journal.begin(new OutputJournal.Entry("stdout", BEFORE.length(), "one\ntwo\n".length()));
    }
    String records =
        switch (written) {
          case "one" -> ONE;
          case "torn" -> ONE + TWO.substring(0, 20);
          case "one two" -> ONE + TWO;
          default -> "";
        };
    Files.writeString(files.log(), records, StandardOpenOption.APPEND);
    int pipe = Descriptors.open(files.stdout(), Descriptors.O_RDWR);
    byte[] waiting = ((inPipe.equals("yes") ? "one\ntwo\n" : "") + "three\n").getBytes(UTF_8);
    Descriptors.write(pipe, waiting, 0, waiting.length);

    try (WallTime time = new WallTime(_ -> {});
        PipePeek pipes = new PipePeek();
        Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(1024);
      ContainerOutput output =
          new ContainerOutput(files, new ContainerLog(files.log(), LogRotation.DEFAULT, time));
      output.drain(pipes, buffer, new byte[1024]);
      output.close();
    } finally {
      Descriptors.close(pipe);
    }
    assertThat(log(files.log())).as(moment).isEqualTo("before one two three");
    assertThat(OutputJournal.read(files.journal())).isEmpty();
  }
}
