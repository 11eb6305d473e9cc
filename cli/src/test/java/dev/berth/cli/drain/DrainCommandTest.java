package dev.berth.cli.drain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Main;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be said to {@code berth drain}, and what is answered to what cannot. */
class DrainCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String words) {
    return Main.run(
        List.of(words.split(" ", -1)), new Console(new PrintWriter(out), new PrintWriter(err)));
  }

  private static JsonObject tree(String json) {
    return JsonReader.object(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  @ParameterizedTest(name = "berth {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "drain | Which nodes? Use berth drain NODE... or berth drain --selector=LABELS.",
        "drain n1 --selector a=b | Give the names of nodes or --selector, not both.",
        "drain --selector a==b==c | --selector: ",
        "drain --selector a>3 | --selector cannot compare numbers.",
        "drain n1 --deadline soon | --deadline must be a duration such as 40s, 1m30s or 500ms",
        "drain n1 --delete-after-deadline | --delete-after-deadline needs --deadline, such as 30m.",
        "drain n1 --parallel 0 | --parallel must be a number between 1 and 5000, not \"0\".",
        "drain n1 --force=maybe | --force must be true or false, not \"maybe\".",
        "drain n1 --name No_Name | --name: ",
        "drain pause | Use berth drain pause NAME, with the name of one drain.",
        "drain cancel a b | Use berth drain cancel NAME, with the name of one drain.",
      })
  void saysWhatWouldBeRight(String words, String answer) {
    assertThat(run(words)).isEqualTo(ExitCode.USAGE);
    assertThat(err).asString().contains(answer);
  }

  @Test
  void printsTheDefinitionAndTheRole() {
    assertThat(run("drain --print-crd --print-role")).isZero();
    assertThat(out)
        .asString()
        .contains("name: nodedrains.berth.dev", "\n---\n", "kind: ClusterRole");
  }

  @Test
  void flagsMakeTheSpecification() {
    Arguments arguments =
        Arguments.parse(
            new DrainCommand(),
            List.of(
                "--selector=a=b,!c",
                "--parallel=3",
                "--deadline=90m",
                "--delete-after-deadline",
                "--grace-period=7",
                "--ignore-daemonsets"));
    assertThat(DrainOptions.drain(arguments, List.of()).object("spec"))
        .isEqualTo(
            tree(
                "{'nodeSelector':{'matchExpressions':[{'key':'a','operator':'In','values':['b']},{'key':'c','operator':'DoesNotExist'}]},'maxConcurrentNodes':3,'deadline':'1h30m0s','afterDeadline':'Delete','gracePeriodSeconds':7,'ignoreDaemonSets':true,'deleteEmptyDirData':false,'force':false}"));
  }

  @Test
  void aTerminalIsRedrawnAndElsewhereOnlyNewsIsPrinted() {
    JsonObject drain =
        tree(
            "{'status':{'nodes':[{'name':'n1','phase':'Draining','podsTotal':3,'podsEvicted':1,'podsBlocked':1,'blocked':[{'pod':'default/a','message':'no'}]},{'name':'n2','phase':'Pending'}]}}");
    String line = "n1: draining, 1 of 3 pods evicted, 1 held back (default/a: no)";
    DrainLines plain = new DrainLines(new PrintWriter(out), DrainLines.NO_TERMINAL);
    plain.show(drain);
    plain.show(drain);
    assertThat(out).hasToString(line + "\n");

    out.getBuffer().setLength(0);
    DrainLines terminal = new DrainLines(new PrintWriter(out), 80);
    terminal.show(drain);
    terminal.show(drain);
    String both = line + "\033[K\nn2: pending, 0 of 0 pods evicted\033[K\n";
    assertThat(out).hasToString(both + "\033[2A" + both);

    out.getBuffer().setLength(0);
    new DrainLines(new PrintWriter(out), 40).show(drain);
    assertThat(out).asString().startsWith(line.substring(0, 39) + "…\033[K\n");
  }
}
