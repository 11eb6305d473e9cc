package dev.berth.clients;

import static dev.berth.clients.OfficialObjects.deployment;
import static dev.berth.clients.OfficialObjects.event;
import static dev.berth.clients.OfficialObjects.lease;
import static dev.berth.clients.OfficialObjects.node;
import static dev.berth.clients.OfficialObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.berth.apiserver.fixture.LocalServer;
import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.CoreV1EventList;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionList;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentList;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseList;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeList;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.openapi.models.V1Preconditions;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.openapi.models.V1StatusCause;
import io.kubernetes.client.openapi.models.V1Taint;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.Watchable;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.KubernetesApiResponse;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.CreateOptions;
import io.kubernetes.client.util.generic.options.DeleteOptions;
import io.kubernetes.client.util.generic.options.ListOptions;
import io.kubernetes.client.util.generic.options.PatchOptions;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The program through the official Java client. */
class OfficialJavaTest implements Program {
  private static final String DEFAULT = "default";

  @TempDir static Path directory;
  private static LocalServer server;
  private static ApiClient client;
  private static GenericKubernetesApi<V1Node, V1NodeList> nodes;
  private static GenericKubernetesApi<V1Pod, V1PodList> pods;
  private static GenericKubernetesApi<V1Lease, V1LeaseList> leases;
  private static GenericKubernetesApi<V1Deployment, V1DeploymentList> deployments;
  private static GenericKubernetesApi<CoreV1Event, CoreV1EventList> events;

  @BeforeAll
  static void start() throws Exception {
    server = LocalServer.open(directory);
    try (Reader kubeconfig = Files.newBufferedReader(server.kubeconfig())) {
      client = Config.fromConfig(KubeConfig.loadKubeConfig(kubeconfig));
    }
    nodes = api(V1Node.class, V1NodeList.class, "", "nodes");
    pods = api(V1Pod.class, V1PodList.class, "", "pods");
    leases = api(V1Lease.class, V1LeaseList.class, "coordination.k8s.io", "leases");
    deployments = api(V1Deployment.class, V1DeploymentList.class, "apps", "deployments");
    events = api(CoreV1Event.class, CoreV1EventList.class, "", "events");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static <T extends KubernetesObject, L extends KubernetesListObject>
      GenericKubernetesApi<T, L> api(Class<T> type, Class<L> list, String group, String plural) {
    return new GenericKubernetesApi<>(type, list, group, "v1", plural, client);
  }

  @TestFactory
  Stream<DynamicTest> program() {
    return steps();
  }

  private static <T extends KubernetesObject> T done(KubernetesApiResponse<T> response)
      throws Exception {
    return response.throwsApiException().getObject();
  }

  private static V1Status failure(KubernetesApiResponse<?> response, int code, String reason) {
    assertThat(response.isSuccess()).isFalse();
    assertThat(response.getHttpStatusCode()).isEqualTo(code);
    assertThat(response.getStatus().getReason()).isEqualTo(reason);
    return response.getStatus();
  }

  private static <T extends KubernetesObject> void comesBack(GenericKubernetesApi<T, ?> api, T sent)
      throws Exception {
    T created = done(api.create(sent));
    String name = sent.getMetadata().getName();
    T read =
        done(sent.getMetadata().getNamespace() == null ? api.get(name) : api.get(DEFAULT, name));
    assertThat(read).isEqualTo(created);
    Sent.survives(JSON.serialize(sent), JSON.serialize(read));
    assertThat(read.getMetadata().getUid()).isNotEmpty();
  }

  @Override
  public void createsAndReadsBack() throws Exception {
    comesBack(nodes, node("typed"));
    comesBack(pods, pod("typed"));
    comesBack(leases, lease("typed"));
    comesBack(deployments, deployment("typed"));
    comesBack(events, event("typed.1", "typed"));
  }

  private static DynamicKubernetesObject sheep(String name, int wool) {
    return JSON.deserialize(SheepDefinition.sheep(name, wool), DynamicKubernetesObject.class);
  }

  private static boolean isEstablished(V1CustomResourceDefinition definition) {
    return definition.getStatus() != null
        && definition.getStatus().getConditions().stream()
            .anyMatch(
                each -> each.getType().equals("Established") && each.getStatus().equals("True"));
  }

  @Override
  public void usesCustomResources() throws Exception {
    var definitions =
        api(
            V1CustomResourceDefinition.class,
            V1CustomResourceDefinitionList.class,
            "apiextensions.k8s.io",
            "customresourcedefinitions");
    done(
        definitions.create(
            JSON.deserialize(SheepDefinition.JSON, V1CustomResourceDefinition.class)));
    try (Watchable<V1CustomResourceDefinition> watch =
        definitions.watch(selecting("", "metadata.name=" + SheepDefinition.NAME))) {
      while (!isEstablished(watch.next().object)) {
        // It will be.
      }
    }
    DynamicKubernetesApi flock =
        new DynamicKubernetesApi(SheepDefinition.GROUP, "v1", "sheep", client);
    try (Watchable<DynamicKubernetesObject> watch = flock.watch(DEFAULT, new ListOptions())) {
      DynamicKubernetesObject dolly = done(flock.create(sheep("dolly", 3)));
      assertThat(dolly.getMetadata().getGeneration()).isEqualTo(1);
      assertThat(failure(flock.create(sheep("bald", -1)), 422, "Invalid").getDetails().getCauses())
          .extracting(V1StatusCause::getField)
          .containsExactly("spec.wool");
      DynamicKubernetesObject patched =
          done(
              flock.patch(
                  DEFAULT,
                  "dolly",
                  V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
                  patch("{\"spec\":{\"wool\":4}}")));
      assertThat(patched.getMetadata().getGeneration()).isEqualTo(2);
      JsonObject status = new JsonObject();
      status.addProperty("phase", "Shorn");
      patched.getRaw().add("status", status);
      patched.getRaw().getAsJsonObject("spec").addProperty("wool", 99);
      Object answer =
          new CustomObjectsApi(client)
              .replaceNamespacedCustomObjectStatus(
                  SheepDefinition.GROUP, "v1", DEFAULT, "sheep", "dolly", patched.getRaw())
              .execute();
      assertThat(answer).isNotNull();
      DynamicKubernetesObject told = done(flock.get(DEFAULT, "dolly"));
      assertThat(told.getRaw().getAsJsonObject("status")).isEqualTo(status);
      assertThat(told.getRaw().getAsJsonObject("spec").get("wool").getAsInt()).isEqualTo(4);
      assertThat(
              flock
                  .list(DEFAULT, selecting("flock=one", ""))
                  .throwsApiException()
                  .getObject()
                  .getItems())
          .extracting(each -> each.getMetadata().getName())
          .containsExactly("dolly");
      flock.delete(DEFAULT, "dolly").throwsApiException();
      failure(flock.get(DEFAULT, "dolly"), 404, "NotFound");
      for (String expected : List.of("ADDED", "MODIFIED", "MODIFIED", "DELETED")) {
        assertThat(watch.next().type).isEqualTo(expected);
      }
    }
    definitions.delete(SheepDefinition.NAME).throwsApiException();
  }

  @Override
  public void generatesNames() throws Exception {
    V1Lease nameless = lease("unused");
    nameless.getMetadata().name(null).generateName("made-");
    String first = done(leases.create(nameless)).getMetadata().getName();
    assertThat(first).startsWith("made-").hasSize(10);
    assertThat(done(leases.create(nameless)).getMetadata().getName()).isNotEqualTo(first);
  }

  @Override
  public void explainsErrors() throws Exception {
    assertThat(failure(pods.get(DEFAULT, "absent"), 404, "NotFound").getDetails().getName())
        .isEqualTo("absent");

    done(nodes.create(node("twice")));
    failure(nodes.create(node("twice")), 409, "AlreadyExists");

    V1Pod wrong = pod("wrong");
    wrong.getSpec().getTolerations().getFirst().setEffect("NoSchedule");
    wrong.getSpec().getContainers().getFirst().setImage("");
    V1Status invalid = failure(pods.create(wrong), 422, "Invalid");
    assertThat(invalid.getDetails().getCauses())
        .extracting(V1StatusCause::getField)
        .contains("spec.tolerations[0].effect", "spec.containers[0].image");
  }

  private static List<String> names(ListOptions options) throws Exception {
    return pods.list(DEFAULT, options).throwsApiException().getObject().getItems().stream()
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  private static ListOptions selecting(String labels, String fields) {
    ListOptions options = new ListOptions();
    options.setLabelSelector(labels);
    options.setFieldSelector(fields);
    return options;
  }

  private static void createPods(String set, int count) throws Exception {
    for (int i = 1; i <= count; i++) {
      V1Pod pod = pod(set + "-" + i);
      pod.getMetadata().putLabelsItem("set", set);
      done(pods.create(pod));
    }
  }

  @Override
  public void listsBySelectors() throws Exception {
    createPods("chosen", 3);
    assertThat(names(selecting("set=chosen", ""))).hasSize(3);
    assertThat(names(selecting("app in (chosen-1,chosen-3)", ""))).hasSize(2);
    assertThat(names(selecting("set=chosen", "metadata.name=chosen-2")))
        .containsExactly("chosen-2");
    assertThat(names(selecting("set=chosen", "status.phase=Running"))).isEmpty();
  }

  @Override
  public void listsInPages() throws Exception {
    createPods("page", 7);
    List<String> all = new ArrayList<>();
    String next = "";
    do {
      ListOptions options = selecting("set=page", "");
      options.setLimit(3);
      options.setContinue(next);
      V1PodList page = pods.list(DEFAULT, options).throwsApiException().getObject();
      assertThat(page.getItems()).hasSizeLessThanOrEqualTo(3);
      page.getItems().forEach(pod -> all.add(pod.getMetadata().getName()));
      next = page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    assertThat(all)
        .containsExactly("page-1", "page-2", "page-3", "page-4", "page-5", "page-6", "page-7");
  }

  private static V1Patch patch(String json) {
    return new V1Patch(json);
  }

  @Override
  public void watchesInOrder() throws Exception {
    try (Watchable<V1Pod> watch = pods.watch(DEFAULT, selecting("app=watched", ""))) {
      done(pods.create(pod("watched")));
      done(
          pods.patch(
              DEFAULT,
              "watched",
              V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
              patch("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")));
      pods.delete(DEFAULT, "watched").throwsApiException();
      for (String expected : List.of("ADDED", "MODIFIED", "DELETED")) {
        var event = watch.next();
        assertThat(event.type).isEqualTo(expected);
        assertThat(event.object.getMetadata().getName()).isEqualTo("watched");
      }
    }
  }

  @Override
  public void refusesStaleUpdates() throws Exception {
    V1Lease stale = done(leases.create(lease("stale")));
    stale.getSpec().setHolderIdentity("first");
    assertThat(done(leases.update(stale)).getSpec().getHolderIdentity()).isEqualTo("first");
    stale.getSpec().setHolderIdentity("second");
    assertThat(failure(leases.update(stale), 409, "Conflict").getMessage())
        .contains("the object has been modified");
  }

  @Override
  public void patchesWithJson() throws Exception {
    done(nodes.create(node("json")));
    V1Node patched =
        done(
            nodes.patch(
                "json",
                V1Patch.PATCH_FORMAT_JSON_PATCH,
                patch(
                    """
                    [{"op":"test","path":"/spec/taints/0/key","value":"gpu"},
                     {"op":"add","path":"/spec/taints/-","value":{"key":"more","effect":"NoExecute"}}]
                    """)));
    assertThat(patched.getSpec().getTaints()).extracting(V1Taint::getKey).contains("gpu", "more");
  }

  @Override
  public void patchesWithMerge() throws Exception {
    done(nodes.create(node("merge")));
    V1Node patched =
        done(
            nodes.patch(
                "merge",
                V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
                patch(
                    """
                    {"metadata":{"labels":{"zone":null,"rack":"7"}},
                     "spec":{"taints":[{"key":"only","effect":"NoSchedule"}]}}
                    """)));
    assertThat(patched.getMetadata().getLabels()).isEqualTo(Map.of("rack", "7"));
    assertThat(patched.getSpec().getTaints()).extracting(V1Taint::getKey).containsExactly("only");
  }

  @Override
  public void patchesStrategically() throws Exception {
    done(pods.create(pod("strategic")));
    V1Pod patched =
        done(
            pods.patch(
                DEFAULT,
                "strategic",
                V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH,
                patch("{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"image:2\"}]}}")));
    assertThat(patched.getSpec().getContainers()).hasSize(1);
    assertThat(patched.getSpec().getContainers().getFirst().getImage()).isEqualTo("image:2");
    assertThat(patched.getSpec().getContainers().getFirst().getResources().getRequests())
        .containsKey("cpu");
  }

  private static KubernetesApiResponse<V1Lease> apply(
      V1Lease lease, String manager, boolean force) {
    PatchOptions options = new PatchOptions();
    options.setFieldManager(manager);
    options.setForce(force);
    return leases.patch(
        DEFAULT,
        lease.getMetadata().getName(),
        V1Patch.PATCH_FORMAT_APPLY_YAML,
        patch(JSON.serialize(lease)),
        options);
  }

  @Override
  public void appliesServerSide() throws Exception {
    done(apply(lease("applied"), "one", false));
    V1Lease theirs = lease("applied");
    theirs.getSpec().setHolderIdentity("they");
    V1Status conflict = failure(apply(theirs, "two", false), 409, "Conflict");
    assertThat(conflict.getDetails().getCauses())
        .extracting(V1StatusCause::getReason, V1StatusCause::getField)
        // The library sends maps that are empty, and who applies one owns it.
        .containsExactlyInAnyOrder(
            Tuple.tuple("FieldManagerConflict", ".metadata.annotations"),
            Tuple.tuple("FieldManagerConflict", ".metadata.labels"),
            Tuple.tuple("FieldManagerConflict", ".spec.holderIdentity"));
    V1Lease forced = done(apply(theirs, "two", true));
    assertThat(forced.getSpec().getHolderIdentity()).isEqualTo("they");
    // This library hides managed fields, but not their conflicts.
    assertThat(failure(apply(lease("applied"), "one", false), 409, "Conflict").getMessage())
        .contains("conflicts with \"two\"");
  }

  @Override
  public void writesStatusApart() throws Exception {
    V1Node node = done(nodes.create(node("status")));
    Map<String, Quantity> gpus = Map.of("example.com/gpu", new Quantity("4"));
    node.setStatus(new V1NodeStatus().capacity(gpus));
    V1Node updated = done(nodes.updateStatus(node, V1Node::getStatus));
    assertThat(updated.getStatus().getCapacity()).isEqualTo(gpus);
    assertThat(updated.getSpec().getUnschedulable()).isNull();
    updated.setStatus(new V1NodeStatus());
    updated.getSpec().setUnschedulable(true);
    V1Node whole = done(nodes.update(updated));
    assertThat(whole.getSpec().getUnschedulable()).isTrue();
    assertThat(whole.getStatus().getCapacity()).isEqualTo(gpus);
  }

  @Override
  public void rehearses() throws Exception {
    CreateOptions options = new CreateOptions();
    options.setDryRun("All");
    assertThat(done(leases.create(DEFAULT, lease("rehearsed"), options)).getMetadata().getUid())
        .isNotEmpty();
    failure(leases.get(DEFAULT, "rehearsed"), 404, "NotFound");
  }

  private static KubernetesApiResponse<V1Deployment> merge(String name, String json) {
    return deployments.patch(DEFAULT, name, V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, patch(json));
  }

  @Override
  public void deletesAsAsked() throws Exception {
    V1Deployment old = done(deployments.create(deployment("deleted")));
    done(merge("deleted", "{\"spec\":{\"replicas\":5}}"));
    DeleteOptions unchanged = new DeleteOptions();
    unchanged.setPreconditions(
        new V1Preconditions().resourceVersion(old.getMetadata().getResourceVersion()));
    failure(deployments.delete(DEFAULT, "deleted", unchanged), 409, "Conflict");

    DeleteOptions foreground = new DeleteOptions();
    foreground.setPropagationPolicy("Foreground");
    deployments.delete(DEFAULT, "deleted", foreground).throwsApiException();
    V1Deployment going = done(deployments.get(DEFAULT, "deleted"));
    assertThat(going.getMetadata().getFinalizers()).containsExactly("foregroundDeletion");
    assertThat(going.getMetadata().getDeletionTimestamp()).isNotNull();
    done(merge("deleted", "{\"metadata\":{\"finalizers\":null}}"));
    failure(deployments.get(DEFAULT, "deleted"), 404, "NotFound");
  }

  @Override
  public void deletesCollections() throws Exception {
    for (int i = 0; i < 3; i++) {
      V1Lease lease = lease("many-" + i);
      lease.getMetadata().putLabelsItem("set", i < 2 ? "goes" : "stays");
      done(leases.create(lease));
    }
    new CoordinationV1Api(client)
        .deleteCollectionNamespacedLease(DEFAULT)
        .labelSelector("set=goes")
        .execute();
    assertThat(leases.list(DEFAULT, selecting("set", "")).getObject().getItems())
        .extracting(lease -> lease.getMetadata().getName())
        .containsExactly("many-2");
  }

  @Override
  public void informsOfEverything() throws Exception {
    try (OfficialInformer informer = OfficialInformer.start(client, leases, "informed")) {
      Writers writers = informer.writers();
      writers.writeAll();
      informer.seen().await(informer.listed());
      assertThat(informer.seen().history()).isEqualTo(writers.acknowledged());
    }
  }

  @Override
  public void survivesRestart() throws Exception {
    try (OfficialInformer informer = OfficialInformer.start(client, leases, "restarted")) {
      Writers writers = informer.writers();
      writers.writeAcross(server::restart);
      Map<String, String> stored = informer.listed();
      writers.assertNothingIsLost(stored);
      informer.seen().await(stored);
    }
  }
}
