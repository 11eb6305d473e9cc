package dev.berth.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;

/** What lines look like, and that nobody's text can make two of one. */
class LogFormatTest {
  private static LogLine line(String message, String key, String value) {
    return new LogLine(
        Instant.parse("2030-01-01T00:05:00Z"),
        Level.INFO,
        "scheduler",
        message,
        List.of(new LogLine.Value(key, value)),
        null);
  }

  private static String text(String value) {
    return LogFormat.TEXT.format(line("bound a pod", "object", value));
  }

  @Test
  void aLineForPeopleHasColumnsThenTheMessageThenItsValues() {
    assertThat(text("default/web"))
        .isEqualTo(
            "2030-01-01T00:05:00.000Z INFO  scheduler                 bound a pod"
                + " object=default/web\n");
  }

  @Test
  void aLineForMachinesIsAnObjectOfJson() {
    assertThat(LogFormat.JSON.format(line("said \"no\"", "reason", "a\nb")))
        .isEqualTo(
            "{\"time\":\"2030-01-01T00:05:00.000Z\",\"level\":\"info\",\"component\":\"scheduler\","
                + "\"message\":\"said \\\"no\\\"\",\"reason\":\"a\\nb\"}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|\"\"",
        "two words|\"two words\"",
        "a=b|\"a=b\"",
        "say \"x\"|\"say \\\"x\\\"\"",
        "C:\\temp|\"C:\\\\temp\"",
        "grüße|grüße",
      })
  void valuesAreQuotedWhereTheirEndWouldNotBeClear(String value, String printed) {
    assertThat(text(value)).endsWith("object=" + printed + "\n");
  }

  @Test
  void whateverAClientSendsStaysOnOneLine() {
    for (char c : new char[] {'\n', '\r', '\u0085', '\u2028', '\u2029', '\0', '\u001b', '\u202e'}) {
      String hostile = "a" + c + "2030-01-01T00:00:00.000Z ERROR store all is lost";
      for (LogFormat format : LogFormat.values()) {
        assertThat(format.format(line(hostile, "object", hostile)))
            .as("%04x in %s", (int) c, format)
            .endsWith("\n")
            .satisfies(
                text -> assertThat(text.substring(0, text.length() - 1)).doesNotContain(c + ""));
      }
    }
    assertThat(text("a\u001b[31m")).contains("\"a\\u001b[31m\"");
  }

  @Test
  void aBrokenPairOfSurrogatesIsEscapedAndAWholeOneIsNot() {
    assertThat(text("\ud83d\ude80")).endsWith("object=\"\ud83d\ude80\"\n");
    assertThat(text("\ud83d")).endsWith("object=\"\\ud83d\"\n");
  }

  @Test
  void aValueThatIsTooLongIsCut() {
    assertThat(text("x".repeat(1 << 20))).hasSizeLessThan(2_200).contains("(1048576 characters)");
  }

  @Test
  void aStackTraceFollowsWithItsCausesAndItsMessagesAreEscaped() {
    Exception cause = new IllegalStateException("one\ntwo");
    LogLine line =
        new LogLine(
            Instant.EPOCH,
            Level.ERROR,
            "store",
            "broke",
            List.of(),
            new RuntimeException("outer", cause));
    List<String> lines = LogFormat.TEXT.format(line).lines().toList();
    assertThat(lines.get(1)).isEqualTo("    java.lang.RuntimeException: outer");
    assertThat(lines.get(2)).startsWith("        at dev.berth.log.LogFormatTest.");
    assertThat(lines).contains("    Caused by: java.lang.IllegalStateException: one\\ntwo");
    assertThat(LogFormat.JSON.format(line)).hasLineCount(1).contains("\"stack\":\"    java.lang");
  }

  @Test
  void aStackTraceThatIsItsOwnCauseEnds() {
    Exception a = new Exception("a");
    Exception b = new Exception("b", a);
    a.initCause(b);
    assertThat(StackTraces.of(a)).contains("Caused by: java.lang.Exception: b");
  }
}
