package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds the sources to CONTRIBUTING.md's rules that no compiler checks. */
class TidyTest {
  /** What no source holds, and why not. The patterns avoid matching themselves. */
  private static final Map<Pattern, String> BANNED =
      Map.of(
          Pattern.compile("TO" + "DO|FIX" + "ME|XX" + "X"), "unfinished work is not committed",
          Pattern.compile("@Dis" + "abled|Assum" + "ptions|assume" + "(That|True|False)\\("),
              "a test that may not run proves nothing",
          Pattern.compile("Thread\\.sl" + "eep|Await" + "ility|@Repeated" + "Test"),
              "a test turns the clock; it does not wait for it or try again",
          Pattern.compile(
                  "new Ran" + "dom\\(\\)|new SplittableRan" + "dom\\(\\)|Math\\.ran" + "dom"),
              "randomness comes from a seed",
          Pattern.compile(
                  "Instant\\.n" + "ow\\(|System\\.(currentTime" + "Millis|nano" + "Time)\\("),
              "only time and bench read the clock");

  private static List<String> problems(String name, String text) {
    List<String> problems = new ArrayList<>();
    boolean mayUseTheClock = name.startsWith("time/src/main/") || name.startsWith("bench/");
    BANNED.forEach((pattern, why) -> {
      if (!mayUseTheClock && pattern.matcher(text).find()) {
        problems.add(name + ": " + why + " (" + pattern + ")");
      }
    });
    return problems;
  }

  @Test
  void sourcesHoldNothingThatIsBanned() {
    List<Path> sources = Repository.sources(_ -> true);
    assertThat(sources).hasSizeGreaterThan(50);
    assertThat(sources)
        .flatMap(file -> problems(Repository.name(file), Repository.read(file)))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "store/src/main/java/A.java, Instant.@now()",
    "store/src/test/java/A.java, Thread.@sleep(1)",
    "store/src/test/java/A.java, @Dis@abled",
    "model/src/main/java/A.java, // TO@DO",
    "time/src/test/java/A.java, System.@nanoTime()",
  })
  void eachBanIsNoticed(String name, String text) {
    assertThat(problems(name, text.replaceFirst("(?<=.)@", ""))).hasSize(1);
  }

  @Test
  void everyPackageSaysWhatItIsAndIsNullMarked() {
    Map<Path, List<Path>> packages =
        Repository.sources(name -> name.contains("/src/main/")).stream()
            .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.toList()));
    assertThat(packages).isNotEmpty();
    packages
        .keySet()
        .forEach(folder ->
            assertThat(folder.resolve("package-info.java"))
                .exists()
                .content()
                .startsWith("/**")
                .contains("@NullMarked"));
  }

  @Test
  void packagesAreNamedForWhatTheyAreAbout() {
    assertThat(Repository.sources(_ -> true))
        .map(Repository::name)
        .noneMatch(name -> name.matches(".*/(impl|util|utils|common|helpers)/.*"));
  }

  @Test
  @Tag("documents")
  void theContinuousIntegrationRunsTheReadmesTestCommandAndNothingElse() {
    String script = Repository.read(Repository.ROOT.resolve(".ci/run"));
    assertThat(script).endsWith("exec ./test\n");
    assertThat(Repository.read(Repository.ROOT.resolve("README.md"))).contains("./test");
    assertThat(Files.isExecutable(Repository.ROOT.resolve("test"))).isTrue();
    assertThat(Files.isExecutable(Repository.ROOT.resolve("berth"))).isTrue();
  }
}
