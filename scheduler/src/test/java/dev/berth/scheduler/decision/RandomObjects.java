package dev.berth.scheduler.decision;

import static dev.berth.model.fixture.Fixtures.expressions;
import static dev.berth.model.fixture.Fixtures.fields;
import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.requirement;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Nodes and pods drawn at random from few enough words that they often meet. */
final class RandomObjects {
  private static final long MEBIBYTE = 1024 * 1024;

  private final SplittableRandom random;
  private final List<PodFixture> templates = new ArrayList<>();
  private int pods;

  RandomObjects(SplittableRandom random) {
    this.random = random;
    for (int i = 0; i < 5; i++) {
      templates.add(template());
    }
  }

  NodeFixture someNode() {
    NodeFixture node =
        node("n" + random.nextInt(10))
            .allocatable(
                "cpu", one("1", "2", "4"),
                "memory", one("1Gi", "2Gi", "4Gi"),
                "pods", one("2", "4", "110"),
                "a.com/x", one("0", "2"));
    if (random.nextInt(4) > 0) {
      node = node.labelled("zone", one("a", "b", "c"));
    }
    if (random.nextInt(3) == 0) {
      node = node.labelled("disk", one("ssd", "hdd"));
    }
    if (random.nextInt(3) == 0) {
      node =
          node.tainted(
              one("k=1:NoSchedule", "k=2:NoSchedule", "k=1:PreferNoSchedule", "l:NoExecute"));
    }
    if (random.nextInt(4) == 0) {
      node = node.tainted("p:PreferNoSchedule");
    }
    if (random.nextInt(3) == 0) {
      JsonObject image =
          JsonObject.of("names", JsonArray.of("web:1")).with("sizeBytes", 900 * MEBIBYTE);
      node = node.with("status.images", JsonArray.of(image));
    }
    if (random.nextInt(2) == 0) {
      node =
          node.with(
              "status.declaredFeatures", JsonArray.of("RestartAllContainersOnContainerExits"));
    }
    return random.nextInt(10) == 0 ? node.cordoned() : node;
  }

  private PodFixture template() {
    JsonObject requests = object();
    if (random.nextInt(4) > 0) {
      requests = requests.with("cpu", one("100m", "300m", "1", "0"));
    }
    if (random.nextInt(4) > 0) {
      requests = requests.with("memory", one("100Mi", "500Mi", "1Gi"));
    }
    if (random.nextInt(5) == 0) {
      requests = requests.with("a.com/x", one("1", "3"));
    }
    JsonObject container =
        object("name", "c").with("resources", JsonObject.of("requests", requests));
    if (random.nextInt(2) == 0) {
      container = container.with("image", one("web:1", "db:1"));
    }
    if (random.nextInt(5) == 0) {
      JsonObject port = JsonObject.of("containerPort", 80L).with("hostPort", 80L);
      container = container.with("ports", JsonArray.of(port));
    }
    if (random.nextInt(6) == 0) {
      JsonObject rule = object("action", one("Restart", "RestartAllContainers"));
      container = container.with("restartPolicyRules", JsonArray.of(rule));
    }
    PodFixture pod =
        pod("template")
            .with("spec.containers", JsonArray.of(container))
            .with("spec.priority", (long) random.nextInt(3));
    return choosy(pod);
  }

  private PodFixture choosy(PodFixture plain) {
    PodFixture pod = plain;
    if (random.nextInt(3) == 0) {
      pod = pod.tolerating(Toleration.equal("k", one("1", "2"), TaintEffect.NO_SCHEDULE));
    }
    if (random.nextInt(4) == 0) {
      pod = pod.tolerating(Toleration.exists("p", TaintEffect.PREFER_NO_SCHEDULE));
    }
    if (random.nextInt(5) == 0) {
      pod = pod.selectingNodes("zone", one("a", "b"));
    }
    switch (random.nextInt(6)) {
      case 0 -> pod = pod.requiringNodes(expressions(requirement("disk", "Exists")));
      case 1 -> pod = pod.requiringNodes(named(), named());
      default -> {}
    }
    if (random.nextInt(2) == 0) {
      pod =
          pod.with(
              "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
              JsonArray.of(preference("disk", "ssd", 10), preference("zone", "a", 3)));
    }
    return random.nextInt(2) == 0 ? pod.labelled("max-pods-per-zone", one("1", "3", "6")) : pod;
  }

  private JsonObject named() {
    return fields(requirement("metadata.name", "In", "n" + random.nextInt(10)));
  }

  private static JsonObject preference(String key, String value, long weight) {
    return JsonObject.of("weight", weight)
        .with("preference", expressions(requirement(key, "In", value)));
  }

  /** A pod of one of few templates. */
  PodFixture somePod() {
    String name = "p" + pods++;
    return templates
        .get(random.nextInt(templates.size()))
        .with("metadata.name", name)
        .with("metadata.uid", name);
  }

  @SafeVarargs
  private <T> T one(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
