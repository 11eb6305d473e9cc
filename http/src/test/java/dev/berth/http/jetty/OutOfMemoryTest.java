package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.FatalError;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request that takes all memory ends the process: nobody knows what it left half-made. */
class OutOfMemoryTest {

  /** A server with little memory, and its client. */
  static final class Child {
    private static final List<long[]> KEPT = new ArrayList<>();

    private Child() {}

    public static void main(String[] args) throws IOException, InterruptedException {
      try (Loopback server = Loopback.serve(_ -> takeAll())) {
        server.get(HttpClient.Version.valueOf(args[0]), "/");
      }
    }

    private static void takeAll() {
      while (true) {
        KEPT.add(new long[100_000]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatTakesAllMemoryEndsTheProcess(HttpClient.Version version) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                version.name())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(err).isEqualTo(FatalError.OUT_OF_MEMORY);
    assertThat(err).contains("berth: Out of memory");
  }
}
