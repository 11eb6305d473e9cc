package dev.berth.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.build.Shell.Ended;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code ./test --changed} runs, and what {@code ./test} says to what it does not know. */
class ChangedTest {
  @TempDir private Path folder = Path.of("");

  /** Modules a, b that needs a, c that needs b for its tests and has tests of documents, and d. */
  @BeforeEach
  void aClone() throws IOException {
    StringBuilder modules = new StringBuilder();
    for (String module : List.of("a", "b", "c", "d")) {
      modules.append("    <module>").append(module).append("</module>\n");
    }
    Shell.write(folder.resolve("pom.xml"), modules.toString());
    Shell.write(folder.resolve("a/pom.xml"), "");
    Shell.write(folder.resolve("b/pom.xml"), dependency("a"));
    Shell.write(folder.resolve("c/pom.xml"), dependency("b"));
    Shell.write(folder.resolve("c/src/test/CTest.java"), "@Tag(\"documents\")");
    Shell.write(folder.resolve("d/pom.xml"), "");
  }

  private static String dependency(String module) {
    return """
        <groupId>dev.berth</groupId>
        <artifactId>%s</artifactId>
    """
        .formatted(module);
  }

  private String bash(String line) throws Exception {
    Ended ended = Shell.functions(folder, "{ " + line + "; } 2>/dev/null", Map.of());
    assertThat(ended.status()).isZero();
    return ended.output().replace('\n', ' ');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a/src/main/java/A.java             | -Dchanged -am -pl a,b,c        | d
          b/src/main/java/B.java             | -Dchanged -am -pl b,c          | a d
          d/src/test/java/D.java             | -Dchanged -am -pl d            | a b c
          d/run                              | -Dchanged -am -pl d            | a b c
          README.md                          | -Dgroups=documents -Dchanged -am -pl c | a b d
          docs/scale.svg                     | -Dgroups=documents -Dchanged -am -pl c | a b d
          README.md d/src/main/java/D.java   | -Dchanged -am -pl d,c          | a b
          d/src/main/resources/d/README.md   | -Dchanged -am -pl d            | a b c
          pom.xml                            | ''                             | ''
          d/pom.xml d/src/main/java/D.java   | ''                             | ''
          build/toolchain.sh                 | ''                             | ''
          test                               | ''                             | ''
          """)
  void runsWhatAChangeCanAffect(String files, String selection, String unaffected)
      throws Exception {
    assertThat(
            bash("choose_changed < <(printf '%%s\\n' %s); echo ${selection[*]}".formatted(files)))
        .isEqualTo(selection);
    assertThat(bash("ls */target/unaffected | cut -d/ -f1")).isEqualTo(unaffected);
  }

  @Test
  void saysThatNothingChanged() throws Exception {
    assertThat(Shell.functions(folder, "choose_changed <<<''; echo more", Map.of()))
        .isEqualTo(new Ended(0, "Nothing changed, so there is nothing to test."));
  }

  @Test
  void whatIsCommittedStagedChangedAndNewCounts() throws Exception {
    String asSomebody = "git -c user.name=me -c user.email=me@example.com";
    bash("git init -qb main; git add .; " + asSomebody + " commit -qm one; git branch one");
    bash("git checkout -qb mine; echo >a/committed; git add .; " + asSomebody + " commit -qm two");
    bash("echo >b/staged; git add b; echo ' ' >>c/pom.xml; echo >d/new; rm d/pom.xml");
    assertThat(bash("changed_files")).isEqualTo("b/staged c/pom.xml d/pom.xml d/new");
    // A branch whose upstream is another one of the same clone stands for one with a remote.
    bash("git branch -q --set-upstream-to=one main");
    assertThat(bash("changed_files")).isEqualTo("a/committed b/staged c/pom.xml d/pom.xml d/new");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --seed           |         | --seed needs a whole number.
          --seed           | many    | --seed needs a whole number, not "many".
          --crash-rounds   | 1.5     | --crash-rounds needs a whole number, not "1.5".
          --only           |         | --only needs a test, such as StoreTest or StoreTest#aSentence.
          """)
  void badArgumentsAreAnsweredInASentence(String option, String value, String sentence)
      throws Exception {
    Ended ended =
        value == null ? Shell.script("./test", option) : Shell.script("./test", option, value);
    assertThat(ended).isEqualTo(new Ended(2, sentence));
  }
}
