package dev.berth.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.build.Shell.Ended;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts share to find a JDK, Maven and other programs. */
class ToolchainTest {
  @TempDir private Path folder = Path.of("");

  private Ended bash(String line, Map<String, String> environment) throws Exception {
    return Shell.functions(folder, line, environment);
  }

  private Path jdk(String version) throws IOException {
    Path home = folder.resolve("jdk-" + version);
    Path javac = home.resolve("bin/javac");
    Shell.write(javac, "");
    assertThat(javac.toFile().setExecutable(true)).isTrue();
    Shell.write(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
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
  void tellsWhatAFailedTestSaidWithoutItsTrace() throws Exception {
    Shell.write(
        folder.resolve("model/target/surefire-reports/dev.berth.ATest.txt"),
        """
        -------------------------------------------------------------------------------
        Test set: dev.berth.ATest
        -------------------------------------------------------------------------------
        Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in dev.berth.ATest
        dev.berth.ATest.aSentence -- Time elapsed: 0.1 s <<< FAILURE!
        java.lang.AssertionError:
        Expecting actual: "no"
        \tat dev.berth.ATest.aSentence(ATest.java:90)
        """);
    assertThat(bash("failures", Map.of()).output())
        .isEqualTo(
            """
            dev.berth.ATest.aSentence -- Time elapsed: 0.1 s <<< FAILURE!
                java.lang.AssertionError:
                Expecting actual: "no\"\
            """);
  }
}
