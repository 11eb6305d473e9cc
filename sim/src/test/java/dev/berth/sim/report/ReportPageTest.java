package dev.berth.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.sim.ControlPlaneSettings;
import dev.berth.sim.record.PodHistory;
import dev.berth.sim.record.Recording;
import dev.berth.sim.run.Simulation;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that a simulation writes, looked at in a real browser. */
class ReportPageTest {
  private static final String YAML =
      """
      name: a <test> & more </script>
      duration: 20m
      cluster:
        nodes: [{name: node, count: 6, zones: [a, b]}]
        workloads:
          - {name: web, replicas: 9, spread: node, budget: {minAvailable: 8}}
          - {name: waits, replicas: 2, requests: {cpu: 100}}
      timeline: [{at: 2m, kill: {node: node-0}}]
      expect: [{workload: web, available: 100%}]
      """;

  @TempDir private static Path folder;

  private static Browser browser;
  private static Recording recording;
  private static JsonObject data;

  @BeforeAll
  static void openThePage() throws IOException, InterruptedException {
    Scenario scenario =
        ScenarioFile.read(Files.writeString(folder.resolve("s.yaml"), YAML), Map.of());
    recording = Simulation.run(scenario, ControlPlaneSettings.standard(), (elapsed, whole) -> {});
    data = ReportData.of(scenario, recording);
    browser = Browser.start(folder.resolve("profile"));
    browser.open(page("page.html", List.of(data), List.of()));
  }

  private static Path page(String name, List<JsonObject> simulations, List<JsonObject> runs)
      throws IOException {
    return Files.writeString(folder.resolve(name), HtmlReport.of(simulations, runs));
  }

  @AfterAll
  static void closeIt() {
    browser.close();
  }

  private static long count(String selector) throws IOException, InterruptedException {
    return (Long) browser.evaluate("document.querySelectorAll('" + selector + "').length");
  }

  private static String text(String selector) throws IOException, InterruptedException {
    return (String) browser.evaluate("document.querySelector('" + selector + "').textContent");
  }

  @Test
  void itsPicturesAreDrawnFromTheData() throws Exception {
    assertThat(count("path.area")).as("pods by state").isGreaterThanOrEqualTo(3);
    assertThat(count("rect.cell[data-state=unreachable]")).as("the lost node").isEqualTo(1);
    assertThat(count("svg[aria-label=\"zones over time\"] rect.zone[data-unwell=\"1\"]"))
        .as("its zone, of which it is a third")
        .isEqualTo(1);
    assertThat(count("rect.zone[data-unwell=\"0\"]")).as("the zones before it").isEqualTo(2);
    assertThat(count("path.available")).as("a picture for each workload").isEqualTo(2);
    assertThat(count("path.budget")).as("the budget of web").isEqualTo(1);
    long evicted = recording.pods().stream().filter(PodHistory::wasEvicted).count();
    assertThat(evicted).isPositive();
    assertThat(
            browser.evaluate(
                "[...document.querySelectorAll(\"svg[aria-label='pods evicted per minute'] rect.bar title\")].reduce((sum, bar) => sum + +bar.textContent.split(' ')[1], 0)"))
        .isEqualTo(evicted);
    assertThat(count("rect.way")).as("the ways of evicted pods").isGreaterThanOrEqualTo(evicted);
  }

  @Test
  void itSaysWhatWasExpectedWhatWaitsAndWhy() throws Exception {
    assertThat(text("main")).contains("does not hold").contains("at worst");
    assertThat(text("main")).contains("Insufficient cpu");
    assertThat(text("ol.story"))
        .contains("node node-0 lost")
        .contains("1 node of zone a unreachable");
    assertThat(text("h1")).isEqualTo("a <test> & more </script>");
  }

  @Test
  void itNeedsNothingFromElsewhere() throws Exception {
    assertThat(browser.evaluate("performance.getEntriesByType('resource').length")).isEqualTo(0L);
    assertThat(HtmlReport.of(List.of(data), List.of())).doesNotContain("https:");
  }

  @Test
  void itFitsASmallScreen() throws Exception {
    browser.resize(360, 700);
    assertThat(
            browser.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        .isEqualTo(true);
    browser.resize(1200, 900);
  }

  @Test
  void itIsDarkWhereThatIsPreferred() throws Exception {
    browser.dark();
    assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(20, 24, 31)");
  }

  @Test
  void itCanBePrinted() throws Exception {
    assertThat(browser.print()).isGreaterThan(10_000);
  }

  @Test
  void podsAreFoundByTheirNames() throws Exception {
    String search =
        "(() => { const box = document.querySelector('input[type=search]'); const which = document.querySelector('select'); which.value = 'all'; which.dispatchEvent(new Event('input')); box.value = 'waits'; box.dispatchEvent(new Event('input')); return document.querySelector('.scroll p.soft').textContent; })()";
    assertThat(browser.evaluate(search)).isEqualTo("2 of " + recording.pods().size() + " pods");
  }

  /** Where zones are named as clouds name them. */
  @Test
  void longNamesOfZonesAreWithinThePicture() throws Exception {
    String json = JsonWriter.toText(data).replace("\"zone\":\"", "\"zone\":\"europe-west1-");
    JsonObject clouds =
        JsonReader.object(json.getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
    browser.open(page("zones.html", List.of(clouds), List.of()));
    assertThat(count("text.zone-name")).isPositive();
    assertThat(
            browser.evaluate(
                "[...document.querySelectorAll('text.zone-name')].every(text => text.getBBox().x >= 0)"))
        .isEqualTo(true);
    browser.open(folder.resolve("page.html"));
  }

  /** Those that lost most; none is left out without a word. */
  @Test
  void whereThereAreManyWorkloadsThoseThatLostMostAreDrawn() throws Exception {
    List<JsonObject> many = new ArrayList<>();
    List<JsonObject> few = data.array("workloads").objects();
    for (int i = 0; i < 70; i++) {
      many.add(
          few.getLast().with("worstAvailable", 9L).with("completeAt", 0L).with("name", "w" + i));
    }
    many.add(few.getLast().with("worstAvailable", 0L).with("completeAt", 0L).with("name", "lost"));
    browser.open(
        page("many.html", List.of(data.with("workloads", JsonArray.copyOf(many))), List.of()));
    assertThat(count("path.available")).isEqualTo(60);
    assertThat(text(".small h3")).startsWith("lost");
    assertThat(text("p.others")).contains("11 more are in the table below");
    browser.open(folder.resolve("page.html"));
  }

  @Test
  void twoSimulationsStandSideBySide() throws Exception {
    browser.open(page("two.html", List.of(data, data), List.of()));
    assertThat(text("h1")).startsWith("A: ").contains(" and B: ");
    assertThat(count("svg[aria-label=\"pods by state over time\"]")).isEqualTo(2);
    browser.open(folder.resolve("page.html"));
  }
}
