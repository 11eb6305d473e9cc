package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell that ./berth and ./test share, run by a real bash. */
class LauncherTest {
  @TempDir private Path folder = Path.of("");

  private record Ended(int status, String output) {}

  /** Runs a line after the toolchain was sourced. */
  private Ended bash(String line, Map<String, String> environment) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/bash", "-uc", ". build/toolchain.sh; " + line)
            .directory(Repository.ROOT.toFile())
            .redirectErrorStream(true);
    builder.environment().put("root", folder.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    return new Ended(process.waitFor(), output);
  }

  private Path jdk(String version) throws IOException {
    Path home = folder.resolve("jdk-" + version);
    Path javac = home.resolve("bin/javac");
    Files.createDirectories(javac.getParent());
    Files.writeString(javac, "");
    assertThat(javac.toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  @Test
  void takesTheJdkOfJavaHome() throws Exception {
    Path home = jdk("26.0.1");
    assertThat(bash("find_jdk; echo $JAVA_HOME", Map.of("JAVA_HOME", home.toString())))
        .isEqualTo(new Ended(0, home.toString()));
  }

  @Test
  void passesOverAJavaHomeThatIsTooOldAndTakesTheOneOnThePath() throws Exception {
    Path old = jdk("17.0.15");
    Path home = jdk("25");
    String path = home.resolve("bin") + ":" + System.getenv("PATH");
    assertThat(bash("find_jdk; echo $JAVA_HOME", Map.of("JAVA_HOME", old.toString(), "PATH", path)))
        .isEqualTo(new Ended(0, home.toString()));
  }

  @Test
  void saysInOneLineWhatToInstallWhenThereIsNoJdk() throws Exception {
    Ended ended = bash("need_java=99; find_jdk", Map.of());
    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.output())
        .startsWith("Berth needs a JDK 99 or later")
        .contains("apt-get install openjdk-99-jdk")
        .hasLineCount(1);
  }

  @Test
  void saysInOneLineWhatToInstallWhenThereIsNoMaven() throws Exception {
    Ended ended = bash("find_maven", Map.of("PATH", folder.toString()));
    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.output()).contains("apt-get install maven").hasLineCount(1);
  }

  @Test
  void saysWhichPackageHoldsAProgramThatIsMissing() throws Exception {
    // A user who is not root, and so cannot install it.
    Ended ended = bash("id() { echo 1000; }; need no-such-program some-package", Map.of());
    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.output())
        .isEqualTo(
            "The tests need the program no-such-program: install it (Debian: apt-get install"
                + " some-package).");
  }

  @Test
  void whatIsBuiltIsUpToDateUntilASourceChanges() throws Exception {
    Path source = folder.resolve("model/src/main/A.java");
    Files.createDirectories(source.getParent());
    Files.createDirectories(folder.resolve("cli/target/dist"));
    Files.createDirectories(folder.resolve("build"));
    for (String file : new String[] {"pom.xml", "model/pom.xml", "model/src/main/A.java"}) {
      Files.writeString(folder.resolve(file), "");
    }
    assertThat(bash("up_to_date", Map.of()).status()).isEqualTo(1);
    assertThat(bash("touch $root/cli/target/dist/built; up_to_date", Map.of()).status()).isZero();
    assertThat(
            bash("touch -d '1 minute' $root/model/src/main/A.java; up_to_date", Map.of()).status())
        .isEqualTo(1);
  }
}
