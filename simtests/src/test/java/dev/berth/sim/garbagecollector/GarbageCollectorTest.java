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
  private final OwnedConfigMaps owned = new OwnedConfigMaps(cluster.admin());

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
    JsonObject root = owned.create("root");
    JsonObject child = owned.create("child", root);
    owned.create("grandchild", child);
    owned.create("stranger");
    cluster.settle();

    owned.delete("root", Propagation.BACKGROUND);
    assertThat(owned.names()).containsExactlyInAnyOrder("child", "grandchild", "stranger");
    cluster.settle();
    assertThat(owned.names()).containsExactly("stranger");
  }

  @Test
  void inTheForegroundAnOwnerWaitsForThoseThatBlockIt() {
    JsonObject root = owned.create("root");
    JsonObject child = owned.create("child", root);
    owned.create("grandchild", child);
    owned.create("careless", false, root);
    owned.hold("grandchild", HOLD);
    owned.hold("careless", HOLD);
    cluster.settle();

    owned.delete("root", Propagation.FOREGROUND);
    cluster.settle();
    assertThat(owned.names()).containsExactlyInAnyOrder("root", "child", "grandchild", "careless");
    assertThat(owned.get("careless").isBeingDeleted()).isTrue();
    assertThat(owned.get("child").finalizers()).containsExactly("foregroundDeletion");

    owned.hold("grandchild");
    cluster.settle();
    assertThat(owned.names()).containsExactly("careless");
  }

  @Test
  void whatNoLongerBlocksIsNotWaitedFor() {
    JsonObject root = owned.create("root");
    owned.create("child", root);
    owned.hold("child", HOLD);
    cluster.settle();
    owned.delete("root", Propagation.FOREGROUND);
    cluster.settle();
    assertThat(owned.names()).contains("root");

    JsonArray unblocked = JsonArray.of(OwnedConfigMaps.reference(root, false).toTree());
    owned.patch("child", JsonObject.of("ownerReferences", unblocked));
    cluster.settle();
    assertThat(owned.names()).containsExactly("child");
  }

  @Test
  void orphansLoseTheirOwnerAndStay() {
    JsonObject root = owned.create("root");
    JsonObject other = owned.create("other");
    JsonObject child = owned.create("child", root);
    owned.create("shared", root, other);
    owned.create("grandchild", child);
    cluster.settle();

    owned.delete("root", Propagation.ORPHAN);
    cluster.settle();
    assertThat(owned.names()).containsExactlyInAnyOrder("other", "child", "shared", "grandchild");
    assertThat(owned.get("child").ownerReferences()).isEmpty();
    assertThat(owned.get("shared").ownerReferences())
        .extracting(OwnerReference::name)
        .containsExactly("other");
    assertThat(owned.get("grandchild").ownerReferences()).hasSize(1);
  }

  @Test
  void anObjectStaysWhileOneOfItsOwnersDoes() {
    JsonObject one = owned.create("one");
    JsonObject other = owned.create("other");
    owned.create("child", one, other);
    cluster.settle();

    owned.delete("one", Propagation.BACKGROUND);
    cluster.settle();
    assertThat(owned.get("child").ownerReferences())
        .extracting(OwnerReference::name)
        .containsExactly("other");

    owned.delete("other", Propagation.BACKGROUND);
    cluster.settle();
    assertThat(owned.names()).isEmpty();
  }

  @Test
  void anOwnerDoesNotWaitForWhatAnotherOwnerKeeps() {
    JsonObject one = owned.create("one");
    JsonObject other = owned.create("other");
    owned.create("child", one, other);
    cluster.settle();

    owned.delete("one", Propagation.FOREGROUND);
    cluster.settle();
    assertThat(owned.names()).containsExactlyInAnyOrder("other", "child");
    assertThat(owned.get("child").ownerReferences())
        .extracting(OwnerReference::name)
        .containsExactly("other");
  }

  /** A owns B owns C owns A, and nobody waits for ever. */
  @Test
  void circlesAreDeletedInBothWays() {
    for (Propagation propagation : List.of(Propagation.BACKGROUND, Propagation.FOREGROUND)) {
      JsonObject a = owned.create("a");
      JsonObject b = owned.create("b", a);
      JsonObject c = owned.create("c", b);
      JsonArray closing = JsonArray.of(OwnedConfigMaps.reference(c, true).toTree());
      owned.patch("a", JsonObject.of("ownerReferences", closing));
      cluster.settle();
      assertThat(owned.names()).hasSize(3);

      owned.delete("a", propagation);
      cluster.advance(Duration.ofSeconds(1));
      assertThat(owned.names()).as(propagation.name()).isEmpty();
    }
  }

  @Test
  void anOwnerOfAnotherUidIsNoOwner() {
    JsonObject root = owned.create("root");
    OwnerReference right = OwnedConfigMaps.reference(root, true);
    OwnerReference wrong =
        new OwnerReference(
            right.apiVersion(), right.kind(), right.name(), "of-an-older-one", false, true);
    owned.createReferring("child", List.of(wrong.toTree()));
    cluster.settle();

    assertThat(owned.names()).containsExactly("root");
  }

  @Test
  void whoRefersToAnUnknownKindStays() {
    OwnerReference strange =
        new OwnerReference("example.com/v1", "Thing", "a", "some-uid", false, true);
    owned.createReferring("child", List.of(strange.toTree()));
    cluster.advance(Duration.ofMinutes(5));

    assertThat(owned.names()).containsExactly("child");
  }

  @Test
  void anOwnerInAnotherNamespaceCountsForNothingAndAnEventSaysSo() {
    cluster.create(Resources.NAMESPACES, "{'metadata':{'name':'far'}}");
    JsonObject far =
        cluster.create(Resources.CONFIG_MAPS, "{'metadata':{'namespace':'far','name':'root'}}");
    owned.create("child", far);
    cluster.advance(Duration.ofSeconds(1));

    assertThat(owned.names()).isEmpty();
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
    JsonObject root = owned.create("root");
    cluster.create(
        Resources.PRIORITY_CLASSES,
        "{'metadata':{'name':'child','ownerReferences':[%s]},'value':1}"
            .formatted(OwnedConfigMaps.reference(root, true).toTree().toString()));
    cluster.advance(Duration.ofSeconds(1));

    assertThat(cluster.admin().get(Resources.PRIORITY_CLASSES, ObjectName.of("child")).isDone())
        .isTrue();
    assertThat(cluster.events("child", "OwnerRefInvalidNamespace")).hasSize(1);
  }

  @Test
  void aNodesLeaseGoesWithIt() {
    cluster.node("n1", "1");
    JsonObject node =
        OwnedConfigMaps.done(cluster.admin().get(Resources.NODES, ObjectName.of("n1")));
    cluster.create(
        Resources.LEASES,
        "{'metadata':{'namespace':'kube-node-lease','name':'n1','ownerReferences':[%s]}}"
            .formatted(OwnedConfigMaps.reference(node, false).toTree().toString()));
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
    JsonObject background = owned.create("background");
    owned.create("child1", background);
    JsonObject foreground = owned.create("foreground");
    owned.create("child2", foreground);
    JsonObject orphaning = owned.create("orphaning");
    owned.create("child3", orphaning);
    cluster.settle();

    cluster.crash("gc");
    owned.delete("background", Propagation.BACKGROUND);
    owned.delete("foreground", Propagation.FOREGROUND);
    owned.delete("orphaning", Propagation.ORPHAN);
    cluster.advance(Duration.ofSeconds(10));
    assertThat(owned.names()).hasSize(5);

    cluster.restart("gc");
    cluster.settle();
    assertThat(owned.names()).containsExactly("child3");
  }
}
