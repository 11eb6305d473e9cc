package dev.berth.policy.drain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodTree;
import dev.berth.model.drain.DrainNode;
import dev.berth.model.drain.DrainSpec;
import dev.berth.model.drain.DrainStatus;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.drain.DrainSnapshot.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a drain does next, and what it says of itself. */
class DrainPlanTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final SortedMap<String, DrainNode> nodes = new TreeMap<>();
  private final Map<String, List<PodTree>> pods = new HashMap<>();
  private final Map<String, Attempt> attempts = new HashMap<>();
  private JsonObject drain = tree("{'metadata':{'name':'d','uid':'u','generation':1}}");

  private static JsonObject tree(String json) {
    return JsonReader.object(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private void spec(String json) {
    drain = drain.with("spec", tree(json));
  }

  private void node(String name, boolean unschedulable, String mark) {
    nodes.put(
        name,
        DrainNode.read(
            tree(
                "{'metadata':{'name':'%s','labels':{'of':'%s'},'annotations':{'%s':'%s'}},'spec':{'unschedulable':%s}}"
                    .formatted(name, name, DrainNode.CORDONED_BY, mark, unschedulable))));
  }

  private void pod(String name, String node) {
    pods.computeIfAbsent(node, _ -> new ArrayList<>())
        .add(
            new PodTree(
                Fixtures.pod(name)
                    .on(node)
                    .phase("Running")
                    .with("metadata.uid", name)
                    .ownedBy("ReplicaSet", "r")
                    .tree()));
  }

  /** Decides, and takes the status over as a server would. */
  private DrainPlan decide(Duration later) {
    DrainPlan plan =
        DrainPlan.decide(
            new DrainSnapshot(
                drain, DrainSpec.read(drain), DrainStatus.read(drain), nodes, pods, attempts),
            NOW.plus(later));
    drain = plan.withStatus();
    return plan;
  }

  private DrainPlan decide() {
    return decide(Duration.ZERO);
  }

  private static List<String> reasons(DrainPlan plan) {
    return plan.actions().stream().map(DrainAction::reason).toList();
  }

  private String status(String field) {
    return drain.object("status").text(field, "");
  }

  private String nodePhases() {
    return DrainStatus.read(drain).nodes().stream()
        .map(node -> node.name() + " " + node.phase().word())
        .toList()
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                     | InvalidSpec   | spec names no nodes: set spec.nodes or spec.nodeSelector
          {'nodes':['n1'],'deadline':'soon'}     | InvalidSpec   | spec.deadline is "soon", which is no duration such as 30m
          {'nodes':['n1','n7','n8']}             | NodesNotFound | no such node: n7, n8
          {'nodeSelector':{'matchLabels':{'a':'b'}}} | NodesNotFound | spec.nodeSelector selects no node
          """)
  void whatCannotBeCarriedOutFailsBeforeAnythingIsTouched(
      String spec, String reason, String message) {
    node("n1", false, "");
    spec(spec);
    DrainPlan plan = decide();
    assertThat(plan.actions()).isEmpty();
    assertThat(status("phase")).isEqualTo("Failed");
    assertThat(status("message")).isEqualTo(message);
    assertThat(plan.notes()).singleElement().matches(note -> note.reason().equals(reason));
    assertThat(decide().actions()).isEmpty();
  }

  @Test
  void itsNodesAreThoseOfItsBeginning() {
    node("n1", false, "");
    node("n2", false, "");
    spec("{'nodes':['n2'],'nodeSelector':{'matchExpressions':[{'key':'of','operator':'Exists'}]}}");
    assertThat(decide().goesOn()).isTrue();
    node("n3", false, "");
    decide();
    assertThat(nodePhases()).isEqualTo("[n2 Draining, n1 Pending]");
  }

  @Test
  void aNodeIsCordonedThenItsPodsGoAndThenTheNextOneBegins() {
    node("n1", false, "");
    node("n2", false, "");
    pod("a", "n1");
    pod("b", "n1");
    spec("{'nodes':['n1','n2']}");
    decide();
    assertThat(reasons(decide())).containsExactly("cordon node n1");
    node("n1", true, "u");
    assertThat(reasons(decide())).containsExactly("evict [default/a, default/b]");
    pods.getOrDefault("n1", List.of()).removeLast();
    decide();
    assertThat(status("podProgress")).isEqualTo("1/2");
    pods.clear();
    assertThat(reasons(decide())).containsExactly("cordon node n2");
    assertThat(nodePhases()).isEqualTo("[n1 Drained, n2 Draining]");
    node("n2", true, "u");
    decide();
    assertThat(status("phase")).isEqualTo("Succeeded");
    assertThat(status("nodeProgress")).isEqualTo("2/2");
    assertThat(status("completionTime")).isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void whoWasRefusedIsNamedAndAskedAgainInTime() {
    node("n1", true, "");
    pod("a", "n1");
    spec("{'nodes':['n1'],'deadline':'1h'}");
    decide();
    attempts.put("a", new Attempt(true, "The budget says no", NOW.plusSeconds(5)));
    DrainPlan plan = decide();
    assertThat(plan.actions()).isEmpty();
    assertThat(plan.next()).contains(NOW.plusSeconds(5));
    assertThat(status("message"))
        .isEqualTo("1 pod held back, such as default/a: The budget says no");
    assertThat(reasons(decide(Duration.ofSeconds(5)))).containsExactly("evict [default/a]");
  }

  @Test
  void theDeadlineFailsItOrDeletesWhoWasHeldBack() {
    node("n1", true, "");
    pod("a", "n1");
    attempts.put("a", new Attempt(true, "The budget says no", NOW.plusSeconds(7200)));
    spec("{'nodes':['n1'],'deadline':'1h','afterDeadline':'Delete'}");
    decide();
    assertThat(decide(Duration.ofMinutes(59)).next()).contains(NOW.plusSeconds(3600));
    JsonObject before = drain;
    assertThat(reasons(decide(Duration.ofHours(1))))
        .containsExactly("delete [default/a], since the deadline is over");

    drain = before;
    spec("{'nodes':['n1'],'deadline':'1h'}");
    assertThat(decide(Duration.ofHours(1)).actions()).isEmpty();
    assertThat(status("phase")).isEqualTo("Failed");
    assertThat(status("message")).isEqualTo("the deadline passed before these were drained: n1");
  }

  @Test
  void whileItIsPausedNothingIsDone() {
    node("n1", true, "");
    node("n2", false, "");
    pod("a", "n1");
    spec("{'nodes':['n1','n2'],'maxConcurrentNodes':2,'deadline':'1h','afterDeadline':'Delete'}");
    decide();
    decide();
    spec(
        "{'nodes':['n1','n2'],'maxConcurrentNodes':2,'deadline':'1h','afterDeadline':'Delete','paused':true}");
    assertThat(decide(Duration.ofHours(2)).actions()).isEmpty();
    assertThat(status("phase")).isEqualTo("Paused");
  }

  @Test
  void oneThatIsPausedFromTheBeginningDoesNotBegin() {
    node("n1", false, "");
    spec("{'nodes':['n1'],'paused':true}");
    assertThat(decide().actions()).isEmpty();
    assertThat(status("phase") + status("startTime")).isEqualTo("Paused");
  }

  @Test
  void oneThatIsCancelledUncordonsWhatItHasCordoned() {
    node("n1", true, "u");
    node("n2", true, "");
    pod("a", "n1");
    spec("{'nodes':['n1','n2'],'maxConcurrentNodes':2}");
    decide();
    decide();
    spec("{'nodes':['n1','n2'],'cancelled':true}");
    assertThat(reasons(decide())).containsExactly("uncordon node n1, since the drain is cancelled");
    assertThat(status("phase")).isEqualTo("Running");
    node("n1", false, "");
    decide();
    assertThat(status("phase")).isEqualTo("Cancelled");
    assertThat(decide().actions()).isEmpty();
  }

  @Test
  void aNodeThatMayNotBeEmptiedIsRefusedAndNotCordoned() {
    node("n1", false, "");
    node("n2", true, "");
    pods.put("n1", List.of(new PodTree(Fixtures.pod("bare").on("n1").phase("Running").tree())));
    spec("{'nodes':['n1','n2']}");
    decide();
    assertThat(decide().actions()).isEmpty();
    decide();
    assertThat(nodePhases()).isEqualTo("[n1 Refused, n2 Drained]");
    assertThat(DrainStatus.read(drain).nodes().getFirst().message())
        .isEqualTo(
            "pod default/bare has no controller that makes it again (spec.force evicts it all the"
                + " same)");
    assertThat(status("phase")).isEqualTo("Failed");
  }

  @Test
  void aNodeThatIsGoneIsThrough() {
    node("n1", true, "u");
    pod("a", "n1");
    spec("{'nodes':['n1']}");
    decide();
    decide();
    nodes.clear();
    decide();
    assertThat(nodePhases()).isEqualTo("[n1 Gone]");
    assertThat(status("phase")).isEqualTo("Succeeded");
  }
}
