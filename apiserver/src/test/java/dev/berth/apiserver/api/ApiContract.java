package dev.berth.apiserver.api;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Discovery;
import dev.berth.client.ListRequest;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every way to the API does alike: reading and leading, as above, and writing. */
abstract class ApiContract extends LeaderContract {

  private static JsonObject pod(String name) {
    return tree(
        "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'%s','namespace':'default'},"
                .formatted(name)
            + "'spec':{'containers':[{'name':'c','image':'i'}]}}");
  }

  /** Pods of the default namespace need its account, which nobody makes here. */
  private JsonObject createdPod(String name) {
    api()
        .create(
            new GroupVersionResource("", "v1", "serviceaccounts"),
            tree("{'metadata':{'name':'default','namespace':'default'}}"));
    return created(Resources.PODS, pod(name));
  }

  @Test
  void whatWasCreatedIsFound() {
    JsonObject made = created(Resources.CONFIG_MAPS, configMap("a", "1"));

    assertThat(Metadata.of(made).uid()).isNotEmpty();
    assertThat(done(api().get(Resources.CONFIG_MAPS, A))).isEqualTo(made);
    assertThat(made.text("kind")).isEqualTo("ConfigMap");
  }

  @Test
  void whatIsThereIsNotCreatedAgain() {
    created(Resources.CONFIG_MAPS, configMap("a", "1"));

    ApiResult again = api().create(Resources.CONFIG_MAPS, configMap("a", "2"));

    assertThat(again.isAlreadyExists()).isTrue();
    assertThat(again.isConflict()).isFalse();
    assertThat(refused(again).message()).isEqualTo("configmaps \"a\" already exists");
  }

  @Test
  void whatIsNotThereIsNotFound() {
    ApiResult missing = api().get(Resources.CONFIG_MAPS, A);

    assertThat(missing.isNotFound()).isTrue();
    ApiError error = refused(missing);
    assertThat(error.code()).isEqualTo(404);
    assertThat(error.reason()).isEqualTo("NotFound");
    assertThat(error.message()).isEqualTo("configmaps \"a\" not found");
    assertThat(error.status().object("details").text("name")).isEqualTo("a");
  }

  @Test
  void aResourceThatIsNotServedIsNotFound() {
    ApiResult result = api().get(new GroupVersionResource("x", "v1", "things"), A);

    assertThat(result.isNotFound()).isTrue();
  }

  @Test
  void onlyTheRevisionThatWasReadIsReplaced() {
    JsonObject first = created(Resources.CONFIG_MAPS, configMap("a", "1"));
    JsonObject second =
        done(api().update(Resources.CONFIG_MAPS, first.with("data", JsonObject.of("key", "2"))));

    ApiResult late =
        api().update(Resources.CONFIG_MAPS, first.with("data", JsonObject.of("key", "3")));

    assertThat(late.isConflict()).isTrue();
    assertThat(done(api().get(Resources.CONFIG_MAPS, A))).isEqualTo(second);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "MERGE | {\"data\":{\"more\":\"x\"}}",
        "STRATEGIC | {\"data\":{\"more\":\"x\"}}",
        "JSON | [{\"op\":\"add\",\"path\":\"/data/more\",\"value\":\"x\"}]",
      })
  void patchesChangeWhatTheySay(PatchType type, String patch) {
    created(Resources.CONFIG_MAPS, configMap("a", "1"));

    JsonObject parsed = tree("{'patch':" + patch + "}");
    ApiResult result = api().patch(Target.of(Resources.CONFIG_MAPS, A), type, parsed.get("patch"));

    assertThat(done(result).object("data")).isEqualTo(JsonObject.of("key", "1").with("more", "x"));
  }

  @Test
  void whatIsAppliedIsMadeAndThenChanged() {
    JsonObject wanted = configMap("a", "1");
    Target target = Target.of(Resources.CONFIG_MAPS, A);

    done(api().send(new ApiRequest.Apply(target, wanted, "me", false)));
    done(api().send(new ApiRequest.Apply(target, configMap("a", "2"), "me", false)));
    ApiResult other = api().send(new ApiRequest.Apply(target, configMap("a", "3"), "other", false));
    ApiResult forced = api().send(new ApiRequest.Apply(target, configMap("a", "3"), "other", true));

    assertThat(other.isConflict()).isTrue();
    assertThat(done(forced).object("data").text("key")).isEqualTo("3");
  }

  @Test
  void fieldsAreOwnedByTheComponentThatWroteThem() {
    JsonObject made = created(Resources.CONFIG_MAPS, configMap("a", "1"));

    assertThat(made.object("metadata").array("managedFields").objects())
        .extracting(entry -> entry.text("manager"))
        .containsExactly("berth-test");
  }

  @Test
  void theStatusIsWrittenThroughItsOwnPath() {
    JsonObject pod = createdPod("a");
    JsonObject running = pod.with("status", JsonObject.of("phase", "Running"));

    JsonObject updated = done(api().updateStatus(Resources.PODS, running));

    assertThat(updated.object("status").text("phase")).isEqualTo("Running");
  }

  @Test
  void aPodIsBoundOnce() {
    createdPod("a");
    Target binding = Target.of(Resources.PODS, A).subresource("binding");
    JsonObject toNode =
        tree(
            "{'kind':'Binding','apiVersion':'v1','metadata':{'name':'a','namespace':'default'},"
                + "'target':{'kind':'Node','name':'n1'}}");

    assertThat(done(api().create(binding, toNode)).text("status")).isEqualTo("Success");
    ApiResult again = api().create(binding, toNode);

    assertThat(again.isConflict()).isTrue();
    JsonObject pod = done(api().get(Resources.PODS, A));
    assertThat(pod.object("spec").text("nodeName")).isEqualTo("n1");
    assertThat(pod.object("status").array("conditions").objects())
        .anyMatch(condition -> condition.text("type", "").equals("PodScheduled"));
  }

  @Test
  void anEvictedPodIsDeleted() {
    createdPod("a");

    ApiResult evicted =
        api()
            .create(
                Target.of(Resources.PODS, A).subresource("eviction"),
                tree(
                    "{'kind':'Eviction','apiVersion':'policy/v1',"
                        + "'metadata':{'name':'a','namespace':'default'}}"));

    done(evicted);
    assertThat(api().get(Resources.PODS, A).isNotFound()).isTrue();
  }

  @Test
  void aWorkloadIsScaled() {
    created(
        Resources.DEPLOYMENTS,
        tree(
            "{'kind':'Deployment','apiVersion':'apps/v1',"
                + "'metadata':{'name':'a','namespace':'default'},'spec':{'selector':"
                + "{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}"));
    Target scale = Target.of(Resources.DEPLOYMENTS, A).subresource("scale");

    JsonObject before = done(api().send(new ApiRequest.Get(scale)));
    JsonObject after =
        done(
            api()
                .send(
                    new ApiRequest.Update(
                        scale, before.with("spec", JsonObject.of("replicas", 5L)))));

    assertThat(before.text("kind")).isEqualTo("Scale");
    assertThat(after.object("spec").integer("replicas")).hasValue(5);
  }

  @Test
  void onlyTheObjectThatWasMeantIsDeleted() {
    String uid = Metadata.of(created(Resources.CONFIG_MAPS, configMap("a", "1"))).uid();

    ApiResult other = api().delete(Resources.CONFIG_MAPS, A, DeleteOptions.NONE.onlyUid("another"));
    ApiResult meant = api().delete(Resources.CONFIG_MAPS, A, DeleteOptions.NONE.onlyUid(uid));

    assertThat(other.isConflict()).isTrue();
    done(meant);
    assertThat(api().delete(Resources.CONFIG_MAPS, A).isNotFound()).isTrue();
  }

  @Test
  void aPodOnANodeMayTakeItsTimeToEnd() {
    createdPod("a");
    Target binding = Target.of(Resources.PODS, A).subresource("binding");
    done(api().create(binding, tree("{'metadata':{'name':'a'},'target':{'name':'n1'}}")));

    JsonObject marked = done(api().delete(Resources.PODS, A, DeleteOptions.NONE.grace(7)));

    assertThat(Metadata.of(marked).deletionGracePeriodSeconds()).hasValue(7);
    assertThat(api().get(Resources.PODS, A).isDone()).isTrue();
  }

  @Test
  void whatIsInvalidIsRefusedWithItsCauses() {
    ApiError error = refused(api().create(Resources.CONFIG_MAPS, configMap("Not A Name", "1")));

    assertThat(error.code()).isEqualTo(422);
    assertThat(error.reason()).isEqualTo("Invalid");
    assertThat(error.status().object("details").array("causes").objects())
        .extracting(cause -> cause.text("field"))
        .containsExactly("metadata.name");
  }

  @Test
  void whoMayNotIsRefused() {
    ApiError error = refused(stranger().get(Resources.CONFIG_MAPS, A));

    assertThat(error.code()).isEqualTo(403);
    assertThat(error.message()).contains("cannot get resource \"configmaps\"");
    assertThat(refused(stranger().list(ListRequest.of(Resources.PODS))).code()).isEqualTo(403);
  }

  @Test
  void namesInPathsAreEscaped() {
    ObjectName odd = new ObjectName("", "system:a+b");
    GroupVersionResource roles =
        new GroupVersionResource("rbac.authorization.k8s.io", "v1", "clusterroles");
    done(
        api()
            .create(
                roles, tree("{'metadata':{'name':'system:a+b'}}").with("rules", JsonArray.EMPTY)));

    assertThat(Metadata.of(done(api().get(roles, odd))).name()).isEqualTo("system:a+b");
  }

  @Test
  void aCollectionIsDeletedInItsNamespace() {
    created(Resources.CONFIG_MAPS, configMap("a", "1"));
    created(Resources.CONFIG_MAPS, configMap("b", "2"));
    JsonObject other =
        Metadata.update(configMap("a", "1"), m -> m.with("namespace", "kube-system"));
    created(Resources.CONFIG_MAPS, other);

    done(
        api()
            .send(
                new ApiRequest.DeleteAll(
                    Target.all(Resources.CONFIG_MAPS, "default"), DeleteOptions.NONE)));

    assertThat(page(api().list(ListRequest.of(Resources.CONFIG_MAPS))).items())
        .extracting(ObjectName::of)
        .contains(new ObjectName("kube-system", "a"))
        .noneMatch(left -> left.namespace().equals("default"));
  }

  @Test
  void discoveryTellsWhatIsServed() {
    Discovery discovery = Discovery.read(api());

    assertThat(discovery.problem()).isEmpty();
    assertThat(discovery.malformed()).isEmpty();
    assertThat(discovery.resources())
        .filteredOn(served -> served.resource().equals(Resources.DEPLOYMENTS))
        .singleElement()
        .satisfies(served -> {
          assertThat(served.kind()).isEqualTo("Deployment");
          assertThat(served.namespaced()).isTrue();
          assertThat(served.can("deletecollection")).isTrue();
        });
    assertThat(discovery.resources())
        .filteredOn(served -> served.resource().equals(Resources.NODES))
        .singleElement()
        .matches(served -> !served.namespaced());
    assertThat(discovery.resources())
        .noneMatch(served -> served.resource().resource().contains("/"));
  }

  @Test
  void aDocumentThatIsNotThereIsNotFound() {
    assertThat(api().send(new ApiRequest.Discover("/apis/nobody.example.com/v1")).isNotFound())
        .isTrue();
  }

  @Test
  void metadataCanBeListedAlone() {
    created(Resources.CONFIG_MAPS, configMap("a", "1"));

    ListRequest request = ListRequest.of(Resources.CONFIG_MAPS).in("default").metadata();
    Metadata listed = Metadata.of(page(api().list(request)).items().getFirst());

    assertThat(listed.name()).isEqualTo("a");
    assertThat(listed.uid()).isNotEmpty();
    assertThat(listed.resourceVersion()).isNotEmpty();
  }
}
