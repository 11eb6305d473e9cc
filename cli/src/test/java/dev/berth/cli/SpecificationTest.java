package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds docs/specification.md to the sources, and what cites its rows to the page. */
class SpecificationTest {
  private static final String PAGE = "docs/specification.md";

  /** A row of the page: its id, and the cells with the names of classes and of tests. */
  private static final Pattern ROW =
      Pattern.compile("^\\| ([TDNWX]\\d{1,2}) \\|[^|]*\\|[^|]*\\|([^|]*)\\|([^|]*)\\|$");

  private static final Pattern NAME = Pattern.compile("`([\\w.]+)`");

  /** A word like {@code T} with a number: in comments and prose that is a row. */
  private static final Pattern CITATION = Pattern.compile("(?<![\\w.`-])[TDNWX]\\d{1,2}(?![\\w-])");

  private static final Pattern COMMENT =
      Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|@DisplayName\\(\"[^\"]*\"\\)");

  private record Row(int line, String id, List<String> classes, List<String> tests) {}

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    List<String> lines = Repository.read(Repository.ROOT.resolve(PAGE)).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      var row = ROW.matcher(lines.get(i));
      if (row.matches()) {
        rows.add(new Row(i + 1, row.group(1), names(row.group(2)), names(row.group(3))));
      }
    }
    return rows;
  }

  private static List<String> names(String cell) {
    return NAME.matcher(cell).results().map(name -> name.group(1)).toList();
  }

  @Test
  void everyRowStandsOnThePageOnce() {
    List<String> expected =
        Stream.of(ids("T", 14), ids("D", 5), ids("N", 17), ids("W", 5), ids("X", 9))
            .flatMap(List::stream)
            .toList();
    assertThat(rows()).extracting(Row::id).isEqualTo(expected);
  }

  private static List<String> ids(String letter, int last) {
    return Stream.iterate(1, i -> i + 1).limit(last).map(i -> letter + i).toList();
  }

  @Test
  void everyClassAndTestOnThePageExists() {
    List<String> main = names(Repository.sources(name -> name.contains("/src/main/")));
    List<String> test = names(Repository.sources(name -> name.contains("/src/test/")));
    List<String> problems = new ArrayList<>();
    for (Row row : rows()) {
      row.classes().forEach(name -> problems.addAll(unresolved(row, name, "class", main)));
      row.tests().forEach(name -> problems.addAll(unresolved(row, name, "test", test)));
    }
    assertThat(problems).isEmpty();
  }

  private static List<String> names(List<Path> sources) {
    return sources.stream()
        .map(Repository::name)
        .map(name -> name.replaceAll("^.*/java/|\\.java$", "").replace('/', '.'))
        .toList();
  }

  private static List<String> unresolved(Row row, String name, String what, List<String> sources) {
    List<String> found = sources.stream().filter(s -> ("." + s).endsWith("." + name)).toList();
    String problem = "%s:%d, row %s: %s %s".formatted(PAGE, row.line(), row.id(), what, name);
    return switch (found.size()) {
      case 0 -> List.of(problem + " does not exist");
      case 1 -> List.of();
      default -> List.of(problem + " may be each of " + found);
    };
  }

  @Test
  void aNameThatIsGoneOrSharedIsNoticed() {
    Row row = new Row(7, "T1", List.of(), List.of());
    List<String> sources = List.of("dev.a.One", "dev.b.One", "dev.a.Two");
    assertThat(unresolved(row, "Two", "class", sources)).isEmpty();
    assertThat(unresolved(row, "a.One", "class", sources)).isEmpty();
    assertThat(unresolved(row, "One", "class", sources)).hasSize(1);
    assertThat(unresolved(row, "wo", "class", sources))
        .containsExactly("docs/specification.md:7, row T1: class wo does not exist");
  }

  @Test
  void everyCitationIsOfARowOfThePage() {
    Set<String> known = new TreeSet<>(rows().stream().map(Row::id).toList());
    List<String> unknown = new ArrayList<>();
    int cited = 0;
    for (Path file : Repository.sources(_ -> true)) {
      for (MatchResult comment : COMMENT.matcher(Repository.read(file)).results().toList()) {
        for (String id : citations(comment.group())) {
          cited++;
          if (!known.contains(id)) {
            unknown.add(Repository.name(file) + " cites " + id);
          }
        }
      }
    }
    for (Path file : Repository.pages()) {
      for (String id : citations(Repository.read(file))) {
        if (!known.contains(id)) {
          unknown.add(Repository.name(file) + " cites " + id);
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(cited).isGreaterThan(15);
  }

  private static List<String> citations(String text) {
    return CITATION.matcher(text).results().map(MatchResult::group).toList();
  }

  @Test
  void citationsAreTold() {
    assertThat(citations("rows T5 and N10, X12; not node-N1, 2026T00, T123 or N1x"))
        .containsExactly("T5", "N10", "X12");
  }
}
