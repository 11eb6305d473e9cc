package dev.berth.controllers.selected;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SelectedPodsTest {
  private static final ObjectName WEB = new ObjectName("default", "web");

  private final List<String> told = new ArrayList<>();
  private int read;
  private final SelectedPods<String> pods =
      new SelectedPods<>(
          pod -> {
            read++;
            return Metadata.of(pod).name() + " " + pod.text("state", "");
          },
          owner -> told.add(owner.name()));

  private static JsonObject pod(String name, String app, String state) {
    JsonObject metadata =
        object("namespace", "default", "name", name).with("labels", object("app", app));
    return JsonObject.of("metadata", metadata).with("state", state);
  }

  private List<String> takeTold() {
    List<String> taken = List.copyOf(told);
    told.clear();
    return taken;
  }

  @Test
  void nothingIsComparedOrToldBeforeTheBeginning() {
    pods.select(WEB, LabelSelector.parse("app=web"));
    pods.podChanged(null, pod("a", "web", "up"));
    pods.podChanged(null, pod("b", "db", "up"));
    assertThat(pods.of(WEB)).isEmpty();
    assertThat(told).isEmpty();
    pods.begin();
    assertThat(pods.of(WEB)).containsExactly("a up");
    assertThat(read).as("pods that nobody selects are not read").isEqualTo(1);
  }

  @Test
  void whoeverSelectsAPodIsToldWhenItComesChangesAndGoes() {
    pods.begin();
    pods.select(WEB, LabelSelector.parse("app=web"));
    assertThat(takeTold()).containsExactly("web");
    pods.podChanged(null, pod("a", "web", "up"));
    assertThat(takeTold()).containsExactly("web");
    pods.podChanged(pod("a", "web", "up"), pod("a", "web", "up"));
    assertThat(takeTold()).as("nothing that matters changed").isEmpty();
    pods.podChanged(pod("a", "web", "up"), pod("a", "web", "down"));
    assertThat(takeTold()).containsExactly("web");
    assertThat(pods.of(WEB)).containsExactly("a down");
    pods.podChanged(pod("a", "web", "down"), pod("a", "db", "down"));
    assertThat(takeTold()).containsExactly("web");
    assertThat(pods.of(WEB)).isEmpty();
    pods.podChanged(pod("a", "db", "down"), pod("a", "web", "down"));
    pods.podChanged(pod("a", "web", "down"), null);
    assertThat(takeTold()).containsExactly("web", "web");
    assertThat(pods.of(WEB)).isEmpty();
    assertThat(pods.pod(new ObjectName("default", "a"))).isEmpty();
  }

  @Test
  void aSelectorThatChangesSelectsAnew() {
    pods.begin();
    pods.podChanged(null, pod("a", "web", "up"));
    pods.podChanged(null, pod("b", "db", "up"));
    pods.select(WEB, LabelSelector.parse("app=web"));
    pods.select(WEB, LabelSelector.parse("app=web"));
    assertThat(takeTold()).containsExactly("web");
    pods.select(WEB, LabelSelector.parse("app in (web,db)"));
    assertThat(pods.of(WEB)).containsExactly("a up", "b up");
    pods.forget(WEB);
    pods.podChanged(pod("a", "web", "up"), pod("a", "web", "down"));
    assertThat(pods.of(WEB)).isEmpty();
  }

  /** Whatever happens, the same is selected as by looking through all pods. */
  @SeededTest(fixed = 7, fresh = 3)
  void selectsWhatALookThroughAllPodsWould(long seed) {
    Random random = new Random(seed);
    Map<String, JsonObject> all = new TreeMap<>();
    Map<String, LabelSelector> selectors = new HashMap<>();
    List<String> texts =
        List.of("app=a", "app=b", "app!=a", "app in (a,b)", "", "app", "!app", "app=a,app!=b");
    for (int step = 0; step < 400; step++) {
      String name = "o" + random.nextInt(12);
      switch (random.nextInt(5)) {
        case 0 -> {
          LabelSelector selector = LabelSelector.parse(texts.get(random.nextInt(texts.size())));
          selectors.put(name, selector);
          pods.select(new ObjectName("default", name), selector);
        }
        case 1 -> {
          selectors.remove(name);
          pods.forget(new ObjectName("default", name));
        }
        case 2 -> pods.podChanged(all.remove(name), null);
        default -> {
          JsonObject pod =
              pod(name, List.of("a", "b", "c").get(random.nextInt(3)), "s" + random.nextInt(3));
          pods.podChanged(all.put(name, pod), pod);
        }
      }
      if (step == 50) {
        pods.begin();
      }
      if (step >= 50) {
        selectors.forEach((owner, selector) -> {
          List<String> expected =
              all.values().stream()
                  .filter(pod -> selector.matches(Metadata.of(pod).labels()))
                  .map(pod -> Metadata.of(pod).name() + " " + pod.text("state", ""))
                  .toList();
          assertThat(pods.of(new ObjectName("default", owner)))
              .as("seed %d, %s", seed, selector)
              .containsExactlyInAnyOrderElementsOf(expected);
        });
      }
    }
  }
}
