package dev.berth.clients;

import static dev.berth.clients.Fabric8Objects.deployment;
import static dev.berth.clients.Fabric8Objects.event;
import static dev.berth.clients.Fabric8Objects.lease;
import static dev.berth.clients.Fabric8Objects.node;
import static dev.berth.clients.Fabric8Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.apiserver.fixture.LocalServer;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The program through fabric8's client. */
class Fabric8Test implements Program {
  private static final String DEFAULT = "default";

  @TempDir static Path directory;
  private static LocalServer server;
  private static KubernetesClient client;

  @BeforeAll
  static void start() throws Exception {
    server = LocalServer.open(directory);
    Config config = Config.fromKubeconfig(Files.readString(server.kubeconfig()));
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> program() {
    return steps();
  }

  private static <T extends HasMetadata> void comesBack(T sent) {
    T created = client.resource(sent).inNamespace(DEFAULT).create();
    T read = client.resource(sent).inNamespace(DEFAULT).get();
    assertThat(read).isEqualTo(created);
    Sent.survives(Serialization.asJson(sent), Serialization.asJson(read));
    assertThat(read.getMetadata().getUid()).isNotEmpty();
  }

  @Override
  public void createsAndReadsBack() {
    comesBack(node("typed"));
    comesBack(pod("typed"));
    comesBack(lease("typed"));
    comesBack(deployment("typed"));
    comesBack(event("typed.1", "typed"));
  }

  private static GenericKubernetesResource sheep(String name, int wool) {
    return Serialization.unmarshal(
        SheepDefinition.sheep(name, wool), GenericKubernetesResource.class);
  }

  @Override
  public void usesCustomResources() throws Exception {
    CustomResourceDefinition definition =
        Serialization.unmarshal(SheepDefinition.JSON, CustomResourceDefinition.class);
    var definitions = client.apiextensions().v1().customResourceDefinitions();
    definitions.resource(definition).create();
    definitions
        .withName(SheepDefinition.NAME)
        .waitUntilCondition(
            known ->
                known.getStatus() != null
                    && known.getStatus().getConditions().stream()
                        .anyMatch(each ->
                            each.getType().equals("Established")
                                && each.getStatus().equals("True")),
            120,
            TimeUnit.SECONDS);
    var flock =
        client
            .genericKubernetesResources(
                new ResourceDefinitionContext.Builder()
                    .withGroup(SheepDefinition.GROUP)
                    .withVersion("v1")
                    .withKind("Sheep")
                    .withPlural("sheep")
                    .withNamespaced(true)
                    .build())
            .inNamespace(DEFAULT);
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    try (Watch _ =
        flock.watch(
            new Watcher<GenericKubernetesResource>() {
              @Override
              public void eventReceived(Action action, GenericKubernetesResource resource) {
                seen.add(action + " " + resource.getMetadata().getName());
              }

              @Override
              public void onClose(WatcherException cause) {}
            })) {
      GenericKubernetesResource dolly = flock.resource(sheep("dolly", 3)).create();
      assertThat(dolly.getMetadata().getGeneration()).isEqualTo(1);
      KubernetesClientException wrong = failure(() -> flock.resource(sheep("bald", -1)).create());
      assertThat(wrong.getCode()).isEqualTo(422);
      assertThat(wrong.getStatus().getDetails().getCauses())
          .extracting(StatusCause::getField)
          .containsExactly("spec.wool");
      GenericKubernetesResource patched =
          flock
              .withName("dolly")
              .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"wool\":4}}");
      assertThat(patched.getMetadata().getGeneration()).isEqualTo(2);
      patched.setAdditionalProperty("status", Map.of("phase", "Shorn"));
      patched.setAdditionalProperty("spec", Map.of("wool", 99));
      GenericKubernetesResource told = flock.resource(patched).updateStatus();
      assertThat(told.<String>get("status", "phase")).isEqualTo("Shorn");
      assertThat(told.<Integer>get("spec", "wool")).isEqualTo(4);
      assertThat(flock.withLabel("flock", "one").list().getItems()).containsExactly(told);
      flock.withName("dolly").delete();
      assertThat(flock.withName("dolly").get()).isNull();
      for (String expected : List.of("ADDED", "MODIFIED", "MODIFIED", "DELETED")) {
        assertThat(seen.poll(120, TimeUnit.SECONDS)).isEqualTo(expected + " dolly");
      }
    }
    definitions.withName(SheepDefinition.NAME).delete();
  }

  @Override
  public void generatesNames() {
    Lease nameless = lease("unused");
    nameless.getMetadata().setName(null);
    nameless.getMetadata().setGenerateName("made-");
    Lease first = client.leases().inNamespace(DEFAULT).resource(nameless).create();
    Lease second = client.leases().inNamespace(DEFAULT).resource(nameless).create();
    assertThat(first.getMetadata().getName()).startsWith("made-").hasSize(10);
    assertThat(second.getMetadata().getName()).isNotEqualTo(first.getMetadata().getName());
  }

  private static KubernetesClientException failure(Runnable work) {
    return catchThrowableOfType(KubernetesClientException.class, work::run);
  }

  @Override
  public void explainsErrors() {
    assertThat(client.pods().inNamespace(DEFAULT).withName("absent").get()).isNull();
    KubernetesClientException missing =
        failure(() ->
            client
                .pods()
                .inNamespace(DEFAULT)
                .withName("absent")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{}"));
    assertThat(missing.getCode()).isEqualTo(404);
    assertThat(missing.getStatus().getReason()).isEqualTo("NotFound");
    assertThat(missing.getStatus().getDetails().getName()).isEqualTo("absent");

    client.nodes().resource(node("twice")).create();
    KubernetesClientException exists =
        failure(() -> client.nodes().resource(node("twice")).create());
    assertThat(exists.getCode()).isEqualTo(409);
    assertThat(exists.getStatus().getReason()).isEqualTo("AlreadyExists");

    Pod wrong = pod("wrong");
    wrong.getSpec().getTolerations().getFirst().setEffect("NoSchedule");
    wrong.getSpec().getContainers().getFirst().setImage("");
    KubernetesClientException invalid =
        failure(() -> client.pods().inNamespace(DEFAULT).resource(wrong).create());
    assertThat(invalid.getCode()).isEqualTo(422);
    assertThat(invalid.getStatus().getReason()).isEqualTo("Invalid");
    assertThat(invalid.getStatus().getDetails().getCauses())
        .extracting(StatusCause::getField)
        .contains("spec.tolerations[0].effect", "spec.containers[0].image");
  }

  @Override
  public void listsBySelectors() {
    for (String name : List.of("chosen-1", "chosen-2", "chosen-3")) {
      Pod pod = pod(name);
      pod.getMetadata().getLabels().put("set", "chosen");
      client.pods().inNamespace(DEFAULT).resource(pod).create();
    }
    var pods = client.pods().inNamespace(DEFAULT);
    assertThat(pods.withLabel("set", "chosen").list().getItems()).hasSize(3);
    assertThat(pods.withLabelIn("app", "chosen-1", "chosen-3").list().getItems()).hasSize(2);
    assertThat(
            pods.withLabel("set", "chosen")
                .withField("metadata.name", "chosen-2")
                .list()
                .getItems())
        .hasSize(1);
    assertThat(
            pods.withLabel("set", "chosen").withField("status.phase", "Running").list().getItems())
        .isEmpty();
  }

  @Override
  public void listsInPages() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Pod pod = pod("page-" + i);
      pod.getMetadata().getLabels().put("set", "page");
      client.pods().inNamespace(DEFAULT).resource(pod).create();
    }
    String next = "";
    do {
      PodList page =
          client
              .pods()
              .inNamespace(DEFAULT)
              .list(
                  new ListOptionsBuilder()
                      .withLabelSelector("set=page")
                      .withLimit(3L)
                      .withContinue(next)
                      .build());
      assertThat(page.getItems()).hasSizeLessThanOrEqualTo(3);
      page.getItems().forEach(pod -> all.add(pod.getMetadata().getName()));
      next = page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    assertThat(all)
        .containsExactly("page-0", "page-1", "page-2", "page-3", "page-4", "page-5", "page-6");
  }

  @Override
  public void watchesInOrder() throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    var pods = client.pods().inNamespace(DEFAULT);
    try (Watch _ =
        pods.withLabel("app", "watched")
            .watch(
                new Watcher<>() {
                  @Override
                  public void eventReceived(Action action, Pod pod) {
                    events.add(action + " " + pod.getMetadata().getName());
                  }

                  @Override
                  public void onClose(WatcherException cause) {
                    events.add("failed: " + cause);
                  }
                })) {
      pods.resource(pod("watched")).create();
      pods.withName("watched")
          .patch(
              PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
      pods.withName("watched").withGracePeriod(0).delete();
      for (String expected : List.of("ADDED", "MODIFIED", "DELETED")) {
        assertThat(events.poll(120, TimeUnit.SECONDS)).isEqualTo(expected + " watched");
      }
    }
  }

  @Override
  public void refusesStaleUpdates() {
    Lease stale = client.leases().inNamespace(DEFAULT).resource(lease("stale")).create();
    stale.getSpec().setHolderIdentity("first");
    Lease fresh = client.leases().inNamespace(DEFAULT).resource(stale).update();
    assertThat(fresh.getSpec().getHolderIdentity()).isEqualTo("first");
    stale.getSpec().setHolderIdentity("second");
    KubernetesClientException conflict =
        failure(() -> client.leases().inNamespace(DEFAULT).resource(stale).update());
    assertThat(conflict.getCode()).isEqualTo(409);
    assertThat(conflict.getStatus().getReason()).isEqualTo("Conflict");
    assertThat(conflict.getStatus().getMessage()).contains("the object has been modified");
  }

  @Override
  public void patchesWithJson() {
    client.nodes().resource(node("json")).create();
    Node patched =
        client
            .nodes()
            .withName("json")
            .patch(
                PatchContext.of(PatchType.JSON),
                """
                [{"op":"test","path":"/spec/taints/0/key","value":"gpu"},
                 {"op":"add","path":"/spec/taints/-","value":{"key":"more","effect":"NoExecute"}}]
                """);
    assertThat(patched.getSpec().getTaints()).extracting(Taint::getKey).contains("gpu", "more");
  }

  @Override
  public void patchesWithMerge() {
    client.nodes().resource(node("merge")).create();
    Node patched =
        client
            .nodes()
            .withName("merge")
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                """
                {"metadata":{"labels":{"zone":null,"rack":"7"}},
                 "spec":{"taints":[{"key":"only","effect":"NoSchedule"}]}}
                """);
    assertThat(patched.getMetadata().getLabels()).isEqualTo(Map.of("rack", "7"));
    assertThat(patched.getSpec().getTaints()).extracting(Taint::getKey).containsExactly("only");
  }

  @Override
  public void patchesStrategically() {
    client.pods().inNamespace(DEFAULT).resource(pod("strategic")).create();
    Pod patched =
        client
            .pods()
            .inNamespace(DEFAULT)
            .withName("strategic")
            .patch(
                PatchContext.of(PatchType.STRATEGIC_MERGE),
                "{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"image:2\"}]}}");
    assertThat(patched.getSpec().getContainers()).hasSize(1);
    assertThat(patched.getSpec().getContainers().getFirst().getImage()).isEqualTo("image:2");
    assertThat(patched.getSpec().getContainers().getFirst().getResources().getRequests())
        .containsKey("cpu");
  }

  @Override
  public void appliesServerSide() {
    Lease mine = lease("applied");
    client.leases().inNamespace(DEFAULT).resource(mine).fieldManager("one").serverSideApply();
    Lease theirs = lease("applied");
    theirs.getSpec().setHolderIdentity("they");
    KubernetesClientException conflict =
        failure(() ->
            client
                .leases()
                .inNamespace(DEFAULT)
                .resource(theirs)
                .fieldManager("two")
                .serverSideApply());
    assertThat(conflict.getCode()).isEqualTo(409);
    assertThat(conflict.getStatus().getDetails().getCauses())
        .extracting(StatusCause::getReason, StatusCause::getField)
        .containsExactly(Tuple.tuple("FieldManagerConflict", ".spec.holderIdentity"));
    Lease forced =
        client
            .leases()
            .inNamespace(DEFAULT)
            .resource(theirs)
            .fieldManager("two")
            .forceConflicts()
            .serverSideApply();
    assertThat(forced.getSpec().getHolderIdentity()).isEqualTo("they");
    assertThat(forced.getMetadata().getManagedFields())
        .extracting(entry -> entry.getManager() + " " + entry.getOperation())
        .containsExactlyInAnyOrder("one Apply", "two Apply");
  }

  @Override
  public void writesStatusApart() {
    Node node = client.nodes().resource(node("status")).create();
    node.getMetadata().getLabels().put("zone", "ignored");
    node.getSpec().setUnschedulable(true);
    node.getStatus().setCapacity(Map.of("example.com/gpu", new Quantity("4")));
    Node updated = client.nodes().resource(node).updateStatus();
    assertThat(updated.getStatus().getCapacity())
        .isEqualTo(Map.of("example.com/gpu", new Quantity("4")));
    assertThat(updated.getSpec().getUnschedulable()).isNull();
    updated.getStatus().setCapacity(Map.of());
    updated.getSpec().setUnschedulable(true);
    Node whole = client.nodes().resource(updated).update();
    assertThat(whole.getSpec().getUnschedulable()).isTrue();
    assertThat(whole.getStatus().getCapacity()).containsKey("example.com/gpu");
  }

  @Override
  public void rehearses() {
    Lease rehearsed =
        client.leases().inNamespace(DEFAULT).resource(lease("rehearsed")).dryRun().create();
    assertThat(rehearsed.getMetadata().getUid()).isNotEmpty();
    assertThat(client.leases().inNamespace(DEFAULT).withName("rehearsed").get()).isNull();
  }

  @Override
  public void deletesAsAsked() {
    var deployments = client.apps().deployments().inNamespace(DEFAULT);
    Deployment old = deployments.resource(deployment("deleted")).create();
    deployments
        .withName("deleted")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":5}}");
    KubernetesClientException conflict =
        failure(() ->
            deployments
                .resource(old)
                .lockResourceVersion(old.getMetadata().getResourceVersion())
                .delete());
    assertThat(conflict.getCode()).isEqualTo(409);
    assertThat(conflict.getStatus().getReason()).isEqualTo("Conflict");

    deployments.withName("deleted").withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();
    Deployment going = deployments.withName("deleted").get();
    assertThat(going.getMetadata().getFinalizers()).containsExactly("foregroundDeletion");
    assertThat(going.getMetadata().getDeletionTimestamp()).isNotEmpty();
    deployments
        .withName("deleted")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
    assertThat(deployments.withName("deleted").get()).isNull();
  }

  @Override
  public void deletesCollections() {
    for (int i = 0; i < 3; i++) {
      Lease lease = lease("many-" + i);
      lease.getMetadata().setLabels(Map.of("set", i < 2 ? "goes" : "stays"));
      client.leases().inNamespace(DEFAULT).resource(lease).create();
    }
    String leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    client.raw(leases + "?labelSelector=set%3Dgoes", "DELETE", null);
    assertThat(client.leases().inNamespace(DEFAULT).withLabel("set").list().getItems())
        .extracting(lease -> lease.getMetadata().getName())
        .containsExactly("many-2");
  }

  @Override
  public void informsOfEverything() throws Exception {
    try (Fabric8Informer informer = Fabric8Informer.start(client, "informed")) {
      Writers writers = informer.writers();
      writers.writeAll();
      informer.seen().await(informer.listed());
      assertThat(informer.seen().history()).isEqualTo(writers.acknowledged());
    }
  }

  @Override
  public void survivesRestart() throws Exception {
    try (Fabric8Informer informer = Fabric8Informer.start(client, "restarted")) {
      Writers writers = informer.writers();
      writers.writeAcross(server::restart);
      Map<String, String> stored = informer.listed();
      writers.assertNothingIsLost(stored);
      informer.seen().await(stored);
    }
  }
}
