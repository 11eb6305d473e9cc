package dev.berth.build;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution runs where it was not built, and without what it was built with. */
class DistributionTest {
  @TempDir private static Path folder = Path.of("");

  /** Where it is used: not where it was built, and in a path that scripts like to trip over. */
  private static Path moved = Path.of("");

  @BeforeAll
  static void buildAndMove() throws Exception {
    Path built = folder.resolve("built");
    assertThat(
            Shell.functions(Shell.ROOT, "find_jdk; make_distribution " + built + " 2>&1", Map.of()))
        .isEqualTo(new Shell.Ended(0, "a JDK for it\n  AOT caches for it"));
    moved = Files.move(built, Files.createDirectory(folder.resolve("a b")).resolve("berth"));
  }

  private static ProcessBuilder berth(String... words) {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.command().addFirst(moved.resolve("bin/berth").toString());
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/bin:/bin");
    // Instead of starting without its AOT cache, the JVM then refuses to start.
    builder.environment().put("BERTH_JAVA_OPTS", "-XX:AOTMode=on");
    return builder.redirectErrorStream(true).directory(folder.toFile());
  }

  @Test
  void isReadyWithItsOwnJdkAndAotCache() throws Exception {
    // The log goes to standard error, and is not looked at.
    Process process =
        berth("up", "--port=0", "--bind-address=127.0.0.1", "--data=" + folder.resolve("data"))
            .redirectErrorStream(false)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said = process.inputReader(UTF_8)) {
      assertThat(said.readLine()).startsWith("Berth serves the Kubernetes API on port ");
      assertThat(process.info().command()).contains(moved.resolve("jdk/bin/java").toString());
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  @Test
  void anAotCacheOfAnotherJvmIsRefused() throws Exception {
    ProcessBuilder serial = berth("version");
    serial
        .environment()
        .merge("BERTH_JAVA_OPTS", "-XX:-UseCompactObjectHeaders", (a, b) -> a + " " + b);
    Process process = serial.start();
    assertThat(process.waitFor()).as("what AOTMode=on is for").isNotZero();
  }

  @Test
  void anAgentIsStartedSmall() throws Exception {
    assertThat(flags("node", "--data=d")).contains("UseSerialGC").doesNotContain("AOTCache");
    assertThat(flags("up")).contains("AOTCache").doesNotContain("UseSerialGC");
  }

  @Test
  void whereProcessorsAreFewTheCollectorStopsTheProgramInsteadOfSharingThem() throws Exception {
    assertThat(flagsWithProcessors(2, "up")).contains("UseParallelGC", "MaxNewSize=100663296");
    assertThat(flagsWithProcessors(16, "up")).doesNotContain("UseParallelGC", "MaxNewSize");
  }

  @Test
  void aSmallHeapIsNothingToWarnOf() throws Exception {
    ProcessBuilder version = berth("version");
    version.environment().put("BERTH_JAVA_OPTS", "-Xmx128m");
    assertThat(new String(version.start().getInputStream().readAllBytes(), UTF_8))
        .startsWith("berth ");
  }

  @Test
  void commandsThatForeseeHaveAnAotCacheOfTheirOwn() throws Exception {
    assertThat(flags("simulate", "s.yaml"))
        .contains("foresight.aot", "UseParallelGC", "Tier4CompileThreshold");
    assertThat(flags("explain", "pod", "p")).contains("foresight.aot", "TieredStopAtLevel=1");
    assertThat(flags("up")).contains("berth.aot").doesNotContain("TieredStopAtLevel");
    Process simulate = berth("simulate", "nowhere.yaml").start();
    assertThat(new String(simulate.getInputStream().readAllBytes(), UTF_8))
        .startsWith("berth: There is no file");
  }

  private static String flagsWithProcessors(int processors, String... words) throws Exception {
    Path nproc = Files.createTempDirectory(folder, "programs").resolve("nproc");
    Shell.write(nproc, "#!/bin/sh\necho " + processors + "\n");
    assertThat(nproc.toFile().setExecutable(true)).isTrue();
    ProcessBuilder builder = berth(words);
    builder.environment().merge("PATH", nproc.getParent() + ":", (path, first) -> first + path);
    return flags(builder);
  }

  private static String flags(String... words) throws Exception {
    return flags(berth(words));
  }

  private static String flags(ProcessBuilder builder) throws Exception {
    builder.environment().put("BERTH_JAVA_OPTS", "-XX:+PrintCommandLineFlags -version");
    return new String(builder.start().getInputStream().readAllBytes(), UTF_8);
  }

  @Test
  void worksThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), moved.resolve("bin/berth"));
    Process process = berth("version").command(link.toString(), "version").start();
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).startsWith("berth ");
  }

  @Test
  void holdsWhatItsUsersNeed() {
    assertThat(moved.resolve("LICENSE")).isNotEmptyFile();
    assertThat(moved.resolve("README.md")).content().contains("bin/berth up");
    assertThat(moved.resolve("jdk/bin/jcmd")).isExecutable();
    assertThat(moved.resolve("lib/native")).isNotEmptyDirectory();
    assertThat(moved.resolve("lib/grpc")).isDirectoryContaining("glob:**/grpc-netty-*.jar");
    assertThat(moved.resolve("manifests/nodedrain-crd.yaml")).isNotEmptyFile();
  }

  @Test
  void newJarsTakeTheAotCacheOfTheOldOnesAway() throws Exception {
    Path copy = folder.resolve("copy");
    Shell.write(copy.resolve("lib/berth.aot"), "");
    assertThat(Shell.functions(Shell.ROOT, "assemble " + copy, Map.of()).status()).isZero();
    assertThat(copy.resolve("lib/berth.aot")).doesNotExist();
  }
}
