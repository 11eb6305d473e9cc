package dev.berth.apiserver.api;

import static dev.berth.apiserver.registry.World.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ApiWatch.Change;
import dev.berth.client.ApiWatch.Event;
import dev.berth.client.ApiWatch.Poll;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.WatchRequest;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every way to the API does alike. */
abstract class ApiContract {
  private static final ObjectName A = new ObjectName("default", "a");

  /** The API as the administrator sees it, of a cluster that is new for each test. */
  abstract Api api();

  /** The API as somebody sees it who may do nothing. */
  abstract Api stranger();

  private static JsonObject configMap(String name, String value) {
    return json(
        "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'%s','namespace':'default',"
                .formatted(name)
            + "'labels':{'value':'%s'}},'data':{'key':'%s'}}".formatted(value, value));
  }

  private static JsonObject pod(String name) {
    return json(
        "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'%s','namespace':'default'},"
                .formatted(name)
            + "'spec':{'containers':[{'name':'c','image':'i'}]}}");
  }

  private JsonObject created(GroupVersionResource resource, JsonObject object) {
    return done(api().create(resource, object));
  }

  /** Pods of the default namespace need its account, which nobody makes here. */
  private JsonObject createdPod(String name) {
    api()
        .create(
            new GroupVersionResource("", "v1", "serviceaccounts"),
            json("{'metadata':{'name':'default','namespace':'default'}}"));
    return created(Resources.PODS, pod(name));
  }

  static JsonObject done(ApiResult result) {
    assertThat(result).isInstanceOf(ApiResult.Done.class);
    return ((ApiResult.Done) result).object();
  }

  static ApiError refused(ListResult result) {
    assertThat(result).isInstanceOf(ApiResult.Refused.class);
    return ((ApiResult.Refused) result).error();
  }

  static ApiError refused(ApiResult result) {
    assertThat(result).isInstanceOf(ApiResult.Refused.class);
    return ((ApiResult.Refused) result).error();
  }

  static ListResult.Page page(ListResult result) {
    assertThat(result).isInstanceOf(ListResult.Page.class);
    return (ListResult.Page) result;
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

    JsonObject parsed = json("{'patch':" + patch + "}");
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
    Target binding = Target.of(Resources.PODS, A).part("binding");
    JsonObject toNode =
        json(
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
                Target.of(Resources.PODS, A).part("eviction"),
                json(
                    "{'kind':'Eviction','apiVersion':'policy/v1',"
                        + "'metadata':{'name':'a','namespace':'default'}}"));

    done(evicted);
    assertThat(api().get(Resources.PODS, A).isNotFound()).isTrue();
  }

  @Test
  void aWorkloadIsScaled() {
    created(
        Resources.DEPLOYMENTS,
        json(
            "{'kind':'Deployment','apiVersion':'apps/v1',"
                + "'metadata':{'name':'a','namespace':'default'},'spec':{'selector':"
                + "{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}"));
    Target scale = Target.of(Resources.DEPLOYMENTS, A).part("scale");

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
    Target binding = Target.of(Resources.PODS, A).part("binding");
    done(api().create(binding, json("{'metadata':{'name':'a'},'target':{'name':'n1'}}")));

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
  void listsAreReadPageByPageAndSelected() {
    for (int i = 0; i < 5; i++) {
      created(Resources.CONFIG_MAPS, configMap("m" + i, i % 2 == 0 ? "even" : "odd"));
    }
    ListRequest all = ListRequest.of(Resources.CONFIG_MAPS).in("default");

    ListResult.Page first = page(api().list(all.limit(2)));
    ListResult.Page second = page(api().list(all.limit(2).continuing(first.continueToken())));
    ListResult.Page even = page(Pages.all(api(), all.labels("value=even")));
    ListResult.Page one = page(api().list(all.fields("metadata.name=m3")));

    assertThat(names(first)).containsExactly("m0", "m1");
    assertThat(names(second)).containsExactly("m2", "m3");
    assertThat(second.revision()).isEqualTo(first.revision());
    assertThat(names(even)).containsExactly("m0", "m2", "m4");
    assertThat(names(one)).containsExactly("m3");
    assertThat(first.items())
        .allMatch(item -> item.text("kind", "").equals("ConfigMap"))
        .allMatch(item -> item.text("apiVersion", "").equals("v1"));
  }

  private static List<String> names(ListResult.Page page) {
    return page.items().stream().map(item -> Metadata.of(item).name()).toList();
  }

  @Test
  void aListOfMoreThanAPageIsComplete() {
    for (int i = 0; i < 1_203; i++) {
      created(Resources.CONFIG_MAPS, configMap("m" + i, "x"));
    }

    ListRequest all = ListRequest.of(Resources.CONFIG_MAPS).in("default");

    assertThat(page(Pages.all(api(), all)).items()).hasSize(1_203);
    assertThat(page(api().list(all)).items()).hasSize(1_203);
  }

  @Test
  void aBadSelectorIsRefused() {
    ListRequest request = ListRequest.of(Resources.CONFIG_MAPS).labels("a in (");

    assertThat(refused(api().list(request)).code()).isEqualTo(400);
  }

  /** Polls a watch, waiting to be told. */
  private final class Watched implements AutoCloseable {
    private final Semaphore told = new Semaphore(0);
    private final ApiWatch watch;

    Watched(Api api, WatchRequest request) {
      watch = api.watch(request, told::release);
    }

    /** The next result that says something. */
    Poll next(int limit) throws InterruptedException {
      while (true) {
        Poll poll = watch.poll(limit);
        if (!(poll instanceof Poll.Events(List<Event> events, String _)) || !events.isEmpty()) {
          return poll;
        }
        assertThat(told.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      }
    }

    /** So many events, as texts. */
    List<String> take(int count) throws InterruptedException {
      List<String> taken = new ArrayList<>();
      while (taken.size() < count) {
        assertThat(next(2))
            .isInstanceOfSatisfying(
                Poll.Events.class,
                events -> {
                  assertThat(events.events()).hasSizeLessThanOrEqualTo(2);
                  events.events().forEach(event -> taken.add(text(event)));
                });
      }
      return taken;
    }

    private String text(Event event) {
      JsonObject object = event.object();
      assertThat(object.text("kind")).isEqualTo("ConfigMap");
      return event.change()
          + " "
          + Metadata.of(object).name()
          + " "
          + object.object("data").text("key");
    }

    @Override
    public void close() {
      watch.close();
    }
  }

  @Test
  void aWatchTellsChangesInOrderFromARevisionOn() throws Exception {
    ListRequest all = ListRequest.of(Resources.CONFIG_MAPS).in("default");
    created(Resources.CONFIG_MAPS, configMap("before", "0"));
    String revision = page(api().list(all)).revision();
    JsonObject a = created(Resources.CONFIG_MAPS, configMap("a", "1"));

    try (Watched watched = new Watched(api(), all.watchAfter(revision))) {
      assertThat(watched.take(1)).containsExactly("ADDED a 1");
      done(api().update(Resources.CONFIG_MAPS, a.with("data", JsonObject.of("key", "2"))));
      created(Resources.CONFIG_MAPS, configMap("b", "1"));
      done(api().delete(Resources.CONFIG_MAPS, A));
      assertThat(watched.take(3)).containsExactly("MODIFIED a 2", "ADDED b 1", "DELETED a 2");
    }
  }

  @Test
  void aDeletedObjectHasTheRevisionOfItsDeletion() throws Exception {
    JsonObject a = created(Resources.CONFIG_MAPS, configMap("a", "1"));
    WatchRequest request =
        ListRequest.of(Resources.CONFIG_MAPS).watchAfter(Metadata.of(a).resourceVersion());

    try (Watched watched = new Watched(api(), request)) {
      done(api().delete(Resources.CONFIG_MAPS, A));
      assertThat(watched.next(10))
          .isInstanceOfSatisfying(
              Poll.Events.class,
              events -> {
                Event event = events.events().getFirst();
                String revision = Metadata.of(event.object()).resourceVersion();
                assertThat(event.change()).isEqualTo(Change.DELETED);
                assertThat(Long.parseLong(revision))
                    .isGreaterThan(Long.parseLong(Metadata.of(a).resourceVersion()));
                assertThat(events.revision()).isEqualTo(revision);
              });
    }
  }

  @Test
  void aWatchThatSelectsSeesObjectsComeAndGo() throws Exception {
    String revision = page(api().list(ListRequest.of(Resources.CONFIG_MAPS))).revision();
    created(Resources.CONFIG_MAPS, configMap("other", "no"));
    JsonObject a = created(Resources.CONFIG_MAPS, configMap("a", "yes"));
    done(
        api()
            .update(
                Resources.CONFIG_MAPS,
                Metadata.update(a, m -> m.with("labels", JsonObject.of("value", "no")))));
    WatchRequest request =
        ListRequest.of(Resources.CONFIG_MAPS).labels("value=yes").watchAfter(revision);

    try (Watched watched = new Watched(api(), request)) {
      assertThat(watched.take(2)).containsExactly("ADDED a yes", "DELETED a yes");
    }
  }

  @Test
  void aWatchThatNobodyAllowsFails() throws Exception {
    WatchRequest request = ListRequest.of(Resources.CONFIG_MAPS).watchAfter("1");

    try (Watched watched = new Watched(stranger(), request)) {
      assertThat(watched.next(1))
          .isInstanceOfSatisfying(
              Poll.Failed.class,
              failed -> assertThat(refused((ApiResult) failed.why()).code()).isEqualTo(403));
    }
  }

  /** Writes so much that the store forgets. */
  abstract void forgetHistory();

  @Test
  void aWatchFromLongAgoHasExpired() throws Exception {
    String revision = page(api().list(ListRequest.of(Resources.CONFIG_MAPS))).revision();
    created(Resources.CONFIG_MAPS, configMap("a", "1"));
    created(Resources.CONFIG_MAPS, configMap("b", "1"));
    forgetHistory();

    WatchRequest request = ListRequest.of(Resources.CONFIG_MAPS).watchAfter(revision);
    try (Watched watched = new Watched(api(), request)) {
      assertThat(watched.next(1)).isInstanceOf(Poll.Expired.class);
    }
  }

  @Test
  void namesInPathsAreEscaped() {
    ObjectName odd = new ObjectName("", "system:a+b");
    GroupVersionResource roles =
        new GroupVersionResource("rbac.authorization.k8s.io", "v1", "clusterroles");
    done(
        api()
            .create(
                roles, json("{'metadata':{'name':'system:a+b'}}").with("rules", JsonArray.EMPTY)));

    assertThat(Metadata.of(done(api().get(roles, odd))).name()).isEqualTo("system:a+b");
  }
}
