package dev.berth.cli.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.Main;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.options.HollowOptions;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be said about hollow nodes on a command line, and what is answered to what cannot. */
final class HollowCommandTest {
  private final StringWriter err = new StringWriter();

  private int run(String words) {
    return Main.run(
        List.of(words.split(" ", -1)),
        new Console(new PrintWriter(new StringWriter()), new PrintWriter(err)));
  }

  @ParameterizedTest(name = "berth {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "hollow | How many? Give --nodes=N",
        "hollow --nodes none | --nodes must be a number between 0 and 1000000",
        "hollow --zones a,b | --zones needs hollow nodes: add --nodes=N.",
        "up --zones a | --zones needs hollow nodes: add --hollow=N.",
        "up --hollow 3 --zones a,,b | --zones must be names separated by commas, such as a,b,c; \"\" is not one.",
        "up --hollow 3 --hollow-start-latency soon | --hollow-start-latency must be a duration such as"
            + " 500ms, 10s or 1m30s, not \"soon\".",
        "hollow --nodes 1 --node-cpu much | --node-cpu and --node-memory must be quantities",
        "hollow --nodes 1 --crashes-per-hour -1 | --crashes-per-hour must be a number per hour",
        "hollow --nodes 1 --name-prefix Node_ | --name-prefix must be the prefix of a node name",
        "hollow silent a | berth hollow has no verb \"silent\". Did you mean silence? Verbs are",
        "hollow silence | Which nodes? Give the name of a node or of a zone, or --all",
        "hollow silence a --all | Only one target can be given.",
        "hollow silence a b | Only one target can be given.",
        "hollow silence a b c | berth hollow does not take the argument \"c\".",
        "hollow pressure | Which pressure?",
        "hollow pressure air a | berth hollow pressure takes one of [disk, memory, network, pid], not"
            + " \"air\".",
        "hollow resume a --reason x | --reason only applies to berth hollow not-ready.",
      })
  void saysWhatWouldBeRight(String words, String answer) {
    assertThat(run(words)).isEqualTo(ExitCode.USAGE);
    assertThat(err).asString().contains(answer);
  }

  @Test
  void settingsAreWhatTheOptionsSay() {
    HollowCommand command = new HollowCommand();
    Arguments arguments =
        Arguments.parse(
            command,
            List.of(
                "--nodes=7",
                "--zones=a,b",
                "--name-prefix=n",
                "--lease-duration=20s",
                "--stop-latency=0s",
                "--no-final-status",
                "--node-pods=10"));
    HollowSettings settings = HollowOptions.alone().settings(arguments).orElseThrow();
    assertThat(settings.fleet())
        .isEqualTo(new HollowSettings.Fleet("n", 7, List.of("a", "b"), "hollow"));
    assertThat(settings.heartbeats().renewEvery()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.pods())
        .isEqualTo(new HollowSettings.PodTimes(Duration.ofMillis(500), Duration.ZERO, false));
    assertThat(settings.size().pods()).isEqualTo(10);
  }

  private static JsonObject node(String name, String zone, boolean hollow) {
    String text =
        "{'metadata':{'name':'%s','labels':{'topology.kubernetes.io/zone':'%s','hollow.berth.dev/managed':'%s'}}}"
            .formatted(name, zone, hollow);
    return JsonReader.object(
        text.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  @Test
  void targetsAreNodesOrZonesAndNeverRealNodes() {
    List<JsonObject> nodes =
        List.of(
            node("h-0", "a", true),
            node("h-1", "b", true),
            node("h-2", "a", true),
            node("real", "b", false));
    assertThat(HollowTargets.named(nodes, "h-1")).hasSize(1);
    assertThat(HollowTargets.named(nodes, "a"))
        .extracting(n -> Metadata.of(n).name())
        .containsExactly("h-0", "h-2");
    assertThat(HollowTargets.all(nodes)).hasSize(3);
    assertThatThrownBy(() -> HollowTargets.named(nodes, "b"))
        .hasMessageContaining("Node real is not hollow, and cannot be changed");
    assertThatThrownBy(() -> HollowTargets.named(nodes, "h-9"))
        .hasMessageContaining(
            "There is no node h-9, nor a zone of that name; the zones are [a, b].");
    assertThatThrownBy(() -> HollowTargets.all(List.of())).hasMessageContaining("no hollow nodes");
  }

  @Test
  void pressuresAddUp() {
    JsonObject node = node("h", "a", true);
    JsonObject first = HollowVerb.pressure("memory").order().annotations(node);
    assertThat(first.toString()).isEqualTo("{\"hollow.berth.dev/conditions\":\"MemoryPressure\"}");
    JsonObject told = Metadata.update(node, m -> m.with("annotations", first));
    assertThat(HollowVerb.pressure("disk").order().annotations(told).toString())
        .isEqualTo("{\"hollow.berth.dev/conditions\":\"DiskPressure,MemoryPressure\"}");
  }
}
