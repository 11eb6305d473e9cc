package dev.berth.sim.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.Resources;
import dev.berth.controllers.garbagecollector.GarbageCollector;
import dev.berth.controllers.garbagecollector.GarbageCollectorSettings;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of objects when their owners are deleted, in each of the ways. */
class GarbageCollectorTest {
  private static final String HOLD = "example.com/hold";

  private final VirtualCluster cluster = new VirtualCluster(1);
  private final Family family = new Family(cluster.admin());

  @BeforeEach
  void start() {
    cluster.run(
        "gc",
        () ->
            GarbageCollector.start(
                cluster.parts(GarbageCollector.ACCOUNT), GarbageCollectorSettings.DEFAULT));
  }

  @AfterEach
  void close() {
    cluster.close();
    assertThat(cluster.warnings()).isEmpty();
  }

  @Test
  void inTheBackgroundDependentsGoAfterTheirOwner() {
    JsonObject root = family.create("root");
    JsonObject child = family.create("child", root);
    family.create("grandchild", child);
    family.create("stranger");
    cluster.settle();

    family.delete("root", Propagation.BACKGROUND);
    assertThat(family.names()).containsExactlyInAnyOrder("child", "grandchild", "stranger");
    cluster.settle();
    assertThat(family.names()).containsExactly("stranger");
  }

  @Test
  void inTheForegroundAnOwnerWaitsForThoseThatBlockIt() {
    JsonObject root = family.create("root");
    JsonObject child = family.create("child", root);
    family.create("grandchild", child);
    family.create("careless", false, root);
    family.hold("grandchild", HOLD);
    family.hold("careless", HOLD);
    cluster.settle();

    family.delete("root", Propagation.FOREGROUND);
    cluster.settle();
    assertThat(family.names()).containsExactlyInAnyOrder("root", "child", "grandchild", "careless");
    assertThat(family.get("careless").isBeingDeleted()).isTrue();
    assertThat(family.get("child").finalizers()).containsExactly("foregroundDeletion");

    family.hold("grandchild");
    cluster.settle();
    assertThat(family.names()).containsExactly("careless");
  }

  @Test
  void whatNoLongerBlocksIsNotWaitedFor() {
    JsonObject root = family.create("root");
    family.create("child", root);
    family.hold("child", HOLD);
    cluster.settle();
    family.delete("root", Propagation.FOREGROUND);
    cluster.settle();
    assertThat(family.names()).contains("root");

    JsonArray unblocked = JsonArray.of(Family.reference(root, false).toTree());
    family.patch("child", JsonObject.of("ownerReferences", unblocked));
    cluster.settle();
    assertThat(family.names()).containsExactly("child");
  }

  @Test
  void orphansLoseTheirOwnerAndStay() {
    JsonObject root = family.create("root");
    JsonObject other = family.create("other");
    JsonObject child = family.create("child", root);
    family.create("shared", root, other);
    family.create("grandchild", child);
    cluster.settle();

    family.delete("root", Propagation.ORPHAN);
    cluster.settle();
    assertThat(family.names()).containsExactlyInAnyOrder("other", "child", "shared", "grandchild");
    assertThat(family.get("child").ownerReferences()).isEmpty();
    assertThat(family.get("shared").ownerReferences())
        .extracting(OwnerReference::name)
        .containsExactly("other");
    assertThat(family.get("grandchild").ownerReferences()).hasSize(1);
  }

  @Test
  void anObjectStaysWhileOneOfItsOwnersDoes() {
    JsonObject one = family.create("one");
    JsonObject other = family.create("other");
    family.create("child", one, other);
    cluster.settle();

    family.delete("one", Propagation.BACKGROUND);
    cluster.settle();
    assertThat(family.get("child").ownerReferences())
        .extracting(OwnerReference::name)
        .containsExactly("other");

    family.delete("other", Propagation.BACKGROUND);
    cluster.settle();
    assertThat(family.names()).isEmpty();
  }

  @Test
  void anOwnerDoesNotWaitForWhatAnotherOwnerKeeps() {
    JsonObject one = family.create("one");
    JsonObject other = family.create("other");
    family.create("child", one, other);
    cluster.settle();

    family.delete("one", Propagation.FOREGROUND);
    cluster.settle();
    assertThat(family.names()).containsExactlyInAnyOrder("other", "child");
    assertThat(family.get("child").ownerReferences())
        .extracting(OwnerReference::name)
        .containsExactly("other");
  }

  /** A owns B owns C owns A, and nobody waits for ever. */
  @Test
  void circlesAreDeletedInBothWays() {
    for (Propagation propagation : List.of(Propagation.BACKGROUND, Propagation.FOREGROUND)) {
      JsonObject a = family.create("a");
      JsonObject b = family.create("b", a);
      JsonObject c = family.create("c", b);
      JsonArray closing = JsonArray.of(Family.reference(c, true).toTree());
      family.patch("a", JsonObject.of("ownerReferences", closing));
      cluster.settle();
      assertThat(family.names()).hasSize(3);

      family.delete("a", propagation);
      cluster.advance(Duration.ofSeconds(1));
      assertThat(family.names()).as(propagation.name()).isEmpty();
    }
  }

  @Test
  void anOwnerOfAnotherUidIsNoOwner() {
    JsonObject root = family.create("root");
    OwnerReference right = Family.reference(root, true);
    OwnerReference wrong =
        new OwnerReference(
            right.apiVersion(), right.kind(), right.name(), "of-an-older-one", false, true);
    family.createReferring("child", List.of(wrong.toTree()));
    cluster.settle();

    assertThat(family.names()).containsExactly("root");
  }

  @Test
  void whoRefersToAnUnknownKindStays() {
    OwnerReference strange =
        new OwnerReference("example.com/v1", "Thing", "a", "some-uid", false, true);
    family.createReferring("child", List.of(strange.toTree()));
    cluster.advance(Duration.ofMinutes(5));

    assertThat(family.names()).containsExactly("child");
  }

  @Test
  void anOwnerInAnotherNamespaceCountsForNothingAndAnEventSaysSo() {
    cluster.create(Resources.NAMESPACES, "{'metadata':{'name':'far'}}");
    JsonObject far =
        cluster.create(Resources.CONFIG_MAPS, "{'metadata':{'namespace':'far','name':'root'}}");
    family.create("child", far);
    cluster.advance(Duration.ofSeconds(1));

    assertThat(family.names()).isEmpty();
    assertThat(cluster.events("child", "OwnerRefInvalidNamespace"))
        .containsExactly(
            "ownerRef [v1/ConfigMap, namespace: default, name: root, uid: "
                + far.object("metadata").text("uid")
                + "] does not exist in namespace \"default\"");
    assertThat(cluster.admin().get(Resources.CONFIG_MAPS, new ObjectName("far", "root")).isDone())
        .isTrue();
  }

  @Test
  void whatIsInNoNamespaceIsNotOwnedByWhatIsInOne() {
    JsonObject root = family.create("root");
    cluster.create(
        Resources.PRIORITY_CLASSES,
        "{'metadata':{'name':'child','ownerReferences':[%s]},'value':1}"
            .formatted(Family.reference(root, true).toTree().toString()));
    cluster.advance(Duration.ofSeconds(1));

    assertThat(cluster.admin().get(Resources.PRIORITY_CLASSES, ObjectName.of("child")).isDone())
        .isTrue();
    assertThat(cluster.events("child", "OwnerRefInvalidNamespace")).hasSize(1);
  }

  @Test
  void aNodesLeaseGoesWithIt() {
    cluster.node("n1", "1");
    JsonObject node = Family.done(cluster.admin().get(Resources.NODES, ObjectName.of("n1")));
    cluster.create(
        Resources.LEASES,
        "{'metadata':{'namespace':'kube-node-lease','name':'n1','ownerReferences':[%s]}}"
            .formatted(Family.reference(node, false).toTree().toString()));
    cluster.settle();
    cluster.delete(Resources.NODES, ObjectName.of("n1"));
    cluster.settle();

    assertThat(
            cluster
                .admin()
                .get(Resources.LEASES, new ObjectName("kube-node-lease", "n1"))
                .isNotFound())
        .isTrue();
  }

  @Test
  void whatHappenedWhileNobodyCollectedIsMadeUpFor() {
    JsonObject background = family.create("background");
    family.create("child1", background);
    JsonObject foreground = family.create("foreground");
    family.create("child2", foreground);
    JsonObject orphaning = family.create("orphaning");
    family.create("child3", orphaning);
    cluster.settle();

    cluster.crash("gc");
    family.delete("background", Propagation.BACKGROUND);
    family.delete("foreground", Propagation.FOREGROUND);
    family.delete("orphaning", Propagation.ORPHAN);
    cluster.advance(Duration.ofSeconds(10));
    assertThat(family.names()).hasSize(5);

    cluster.restart("gc");
    cluster.settle();
    assertThat(family.names()).containsExactly("child3");
  }
}
