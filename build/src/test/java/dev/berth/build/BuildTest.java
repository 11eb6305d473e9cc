package dev.berth.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.build.Shell.Ended;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./berth} builds, and when. The steps themselves are replaced by ones that say so. */
class BuildTest {
  private static final String STEPS =
      """
      find_jdk() { :; }
      find_maven() { :; }
      make_jars() { echo jars; }
      assemble() { echo assemble; }
      link_jdk() { echo jdk; }
      train() { echo train; }
      """;

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void aClone() throws IOException {
    Shell.write(folder.resolve("pom.xml"), "");
    Shell.write(folder.resolve("model/pom.xml"), "");
    Shell.write(folder.resolve("model/src/main/A.java"), "");
    Shell.write(folder.resolve("build/toolchain.sh"), "");
  }

  private String bash(String line) throws Exception {
    Ended ended = Shell.functions(folder, STEPS + "{ " + line + "; } 2>/dev/null", Map.of());
    assertThat(ended.status()).isZero();
    return ended.output().replace('\n', ' ');
  }

  @Test
  void theFirstBuildMakesAllOfIt() throws Exception {
    assertThat(bash("build")).isEqualTo("jars assemble jdk train");
  }

  @Test
  void nothingIsBuiltUntilASourceChanges() throws Exception {
    bash("build");
    assertThat(bash("build")).isEmpty();
  }

  @Test
  void aChangedSourceIsCompiledWithoutTrainingAnew() throws Exception {
    bash("build");
    assertThat(bash("touch -d '1 minute' $root/model/src/main/A.java; build"))
        .isEqualTo("jars assemble");
  }

  @Test
  void aChangedPomForgetsTheJarsThatTheOldOneAskedFor() throws Exception {
    bash("build");
    Shell.write(folder.resolve("build/target/lib/old.jar"), "");
    bash("touch -d '1 minute' $root/model/pom.xml; build");
    assertThat(folder.resolve("build/target/lib/old.jar")).doesNotExist();
  }

  @Test
  void berthBuildMakesAllOfItWhetherSomethingChangedOrNot() throws Exception {
    bash("build");
    assertThat(bash("build anew")).isEqualTo("jars assemble jdk train");
  }

  @Test
  void aBuildThatFailedIsDoneAgain() throws Exception {
    assertThat(bash("(make_jars() { return 1; }; build) || true; build"))
        .isEqualTo("jars assemble jdk train");
  }

  @Test
  void berthBuildTakesNoArguments() throws Exception {
    assertThat(Shell.script("./berth", "build", "--fast", "now"))
        .isEqualTo(new Ended(2, "./berth build takes no arguments, but was given \"--fast now\"."));
  }
}
