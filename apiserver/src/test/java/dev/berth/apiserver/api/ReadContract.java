package dev.berth.apiserver.api;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch.Change;
import dev.berth.client.ApiWatch.Event;
import dev.berth.client.ApiWatch.Poll;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every way to the API does alike when it is read: lists and watches. */
abstract class ReadContract {
  static final ObjectName A = new ObjectName("default", "a");

  /** The API as the administrator sees it, of a cluster that is new for each test. */
  abstract Api api();

  /** The API as somebody sees it who may do nothing. */
  abstract Api stranger();

  static JsonObject configMap(String name, String value) {
    return tree(
        "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'%s','namespace':'default',"
                .formatted(name)
            + "'labels':{'value':'%s'}},'data':{'key':'%s'}}".formatted(value, value));
  }

  JsonObject created(GroupVersionResource resource, JsonObject object) {
    return done(api().create(resource, object));
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
}
