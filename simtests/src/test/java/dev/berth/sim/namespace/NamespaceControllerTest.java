package dev.berth.sim.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.controllers.namespace.NamespaceController;
import dev.berth.controllers.namespace.NamespaceSettings;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A namespace goes once everything in it has, and says meanwhile what keeps it. */
class NamespaceControllerTest {
  private static final ObjectName TEAM = ObjectName.of("team");

  private final VirtualCluster cluster = new VirtualCluster(1);
  private final List<FaultyApi> servers = new ArrayList<>();

  @BeforeEach
  void start() {
    cluster.run(
        "namespaces",
        () ->
            NamespaceController.start(
                cluster.parts(NamespaceController.ACCOUNT), NamespaceSettings.DEFAULT));
    cluster.create(Resources.NAMESPACES, "{'metadata':{'name':'team'}}");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void configMap(String name, String more) {
    cluster.create(
        Resources.CONFIG_MAPS,
        "{'metadata':{'namespace':'team','name':'%s'%s}}".formatted(name, more));
  }

  private ApiResult pod(String name, String node) {
    return cluster
        .admin()
        .create(
            Resources.PODS,
            VirtualCluster.tree(
                ("{'metadata':{'namespace':'team','name':'%s'},'spec':{'nodeName':'%s',"
                        + "'terminationGracePeriodSeconds':30,"
                        + "'containers':[{'name':'c','image':'i'}]}}")
                    .formatted(name, node)));
  }

  private void delete() {
    assertThat(cluster.admin().delete(Resources.NAMESPACES, TEAM).isDone()).isTrue();
    cluster.settle();
  }

  private boolean exists() {
    return cluster.admin().get(Resources.NAMESPACES, TEAM).isDone();
  }

  private List<JsonObject> list(GroupVersionResource resource) {
    return ((ListResult.Page) cluster.admin().list(ListRequest.of(resource).in("team"))).items();
  }

  private String condition(String type) {
    JsonObject namespace =
        ((ApiResult.Done) cluster.admin().get(Resources.NAMESPACES, TEAM)).object();
    JsonObject condition =
        Conditions.find(namespace.object("status").array("conditions"), type).orElseThrow();
    return "%s %s: %s"
        .formatted(condition.text("status"), condition.text("reason"), condition.text("message"));
  }

  @Test
  void everythingInANamespaceGoesWithIt() {
    configMap("a", "");
    assertThat(pod("web", "").isDone()).isTrue();
    cluster.create(Resources.LEASES, "{'metadata':{'namespace':'team','name':'l'}}");
    cluster.create(Resources.CONFIG_MAPS, "{'metadata':{'namespace':'default','name':'stays'}}");

    delete();
    assertThat(list(Resources.CONFIG_MAPS)).isEmpty();
    assertThat(list(Resources.PODS)).isEmpty();
    assertThat(list(Resources.LEASES)).isEmpty();
    // What was being created when it began would be seen by the last look.
    assertThat(exists()).isTrue();
    assertThat(
            cluster
                .admin()
                .create(
                    Resources.CONFIG_MAPS,
                    VirtualCluster.tree("{'metadata':{'namespace':'team','name':'late'}}")))
        .isInstanceOfSatisfying(
            ApiResult.Refused.class,
            refused ->
                assertThat(refused.message())
                    .isEqualTo(
                        "configmaps \"late\" is forbidden: unable to create new content in"
                            + " namespace team because it is being terminated"));

    cluster.advance(Duration.ofSeconds(1));
    assertThat(exists()).isFalse();
    assertThat(
            cluster.admin().get(Resources.CONFIG_MAPS, new ObjectName("default", "stays")).isDone())
        .isTrue();
  }

  @Test
  void podsHaveTheirTimeAndGoBeforeAllElse() {
    cluster.node("n1", "1");
    configMap("a", "");
    assertThat(pod("web", "n1").isDone()).isTrue();

    delete();
    assertThat(
            list(Resources.PODS)
                .getFirst()
                .object("metadata")
                .integer("deletionGracePeriodSeconds"))
        .hasValue(30);
    assertThat(condition("NamespaceContentRemaining"))
        .isEqualTo(
            "True SomeResourcesRemain: Some resources are remaining: pods. has 1 resource"
                + " instances");
    assertThat(condition("NamespaceDeletionContentFailure"))
        .isEqualTo(
            "False ContentDeleted: All content successfully deleted, may be waiting on"
                + " finalization");
    cluster.advance(Duration.ofSeconds(20));
    assertThat(list(Resources.CONFIG_MAPS)).hasSize(1);

    // The node says that the pod has ended.
    ObjectName web = new ObjectName("team", "web");
    cluster.admin().delete(Resources.PODS, web, DeleteOptions.NONE.grace(0));
    cluster.advance(Duration.ofSeconds(6));
    assertThat(exists()).isFalse();
  }

  @Test
  void aPodThatOutlivesItsTimeIsAFailure() {
    cluster.node("n1", "1");
    assertThat(pod("web", "n1").isDone()).isTrue();
    delete();
    cluster.advance(Duration.ofSeconds(40));
    assertThat(condition("NamespaceDeletionContentFailure"))
        .isEqualTo(
            "True ContentDeletionFailed: Failed to delete all resource types, 1 remaining:"
                + " unexpected items still remain in namespace: team for gvr: /v1,"
                + " Resource=pods");
  }

  @Test
  void finalizersThatRemainAreCounted() {
    configMap("a", ",'finalizers':['example.com/x']");
    configMap("b", ",'finalizers':['example.com/x','example.com/y']");
    delete();
    assertThat(condition("NamespaceFinalizersRemaining"))
        .isEqualTo(
            "True SomeFinalizersRemain: Some finalizers are remaining: example.com/x in 2"
                + " resource instances, example.com/y in 1 resource instances");
    assertThat(condition("NamespaceContentRemaining"))
        .isEqualTo(
            "True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource"
                + " instances");
    assertThat(condition("NamespaceDeletionDiscoveryFailure"))
        .isEqualTo("False ResourcesDiscovered: All resources successfully discovered");
    assertThat(condition("NamespaceDeletionGroupVersionParsingFailure"))
        .isEqualTo("False ParsedGroupVersions: All legacy kube types successfully parsed");

    for (String name : List.of("a", "b")) {
      cluster.patch(
          Resources.CONFIG_MAPS, new ObjectName("team", name), "{'metadata':{'finalizers':null}}");
    }
    cluster.advance(Duration.ofSeconds(6));
    assertThat(exists()).isFalse();
  }

  @Test
  void whatWasDeletedWhileNobodyLookedIsEmptied() {
    configMap("a", "");
    cluster.crash("namespaces");
    delete();
    cluster.advance(Duration.ofMinutes(1));
    assertThat(exists()).isTrue();

    cluster.restart("namespaces");
    cluster.advance(Duration.ofSeconds(2));
    assertThat(exists()).isFalse();
    cluster.create(Resources.NAMESPACES, "{'metadata':{'name':'team'}}");
    cluster.advance(Duration.ofSeconds(10));
    assertThat(exists()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void aServerThatFailsNowAndThenOnlyMakesItTakeLonger(long seed) {
    cluster.run("namespaces", () -> faulty(seed));
    for (int i = 0; i < 10; i++) {
      configMap("a" + i, "");
      assertThat(pod("p" + i, "").isDone()).isTrue();
    }
    delete();
    for (int i = 0; i < 10; i++) {
      cluster.advance(Duration.ofSeconds(2));
      cluster.restart("namespaces");
    }
    servers.forEach(FaultyApi::heal);
    cluster.advance(Duration.ofMinutes(2));
    assertThat(exists()).isFalse();
    assertThat(list(Resources.CONFIG_MAPS)).isEmpty();
    assertThat(list(Resources.PODS)).isEmpty();
  }

  private NamespaceController faulty(long seed) {
    ControllerParts parts = cluster.parts(NamespaceController.ACCOUNT);
    FaultyApi api = new FaultyApi(parts.api(), new Random(seed + servers.size()));
    servers.add(api);
    return NamespaceController.start(
        new ControllerParts(api, parts.time(), new Metrics(), _ -> {}), NamespaceSettings.DEFAULT);
  }
}
