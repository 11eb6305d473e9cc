package dev.berth.apiserver.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.LocalApi;
import dev.berth.client.Api;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.metrics.MetricsText;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The API within a process, over a store in memory at a time that stands still. */
class InProcessApiTest extends ApiContract {
  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final MemoryStore store = new MemoryStore();
  private final LocalApi local =
      LocalApi.open(
          store,
          time,
          (method, path, cause) -> {
            throw new AssertionError(method + " " + path, cause);
          });

  @AfterEach
  void close() {
    local.close();
    store.close();
  }

  @Override
  Api api() {
    return local.api(User.authenticated("root", List.of(User.MASTERS)), "test");
  }

  @Override
  Api stranger() {
    return local.api("stranger", "test");
  }

  @Override
  void forgetHistory() {
    store.compact(store.revision());
  }

  /** Whoever reads twice is given the same tree, which nobody copied or parsed. */
  @Test
  void readersShareTheTree() {
    ObjectName name = ObjectName.of("default");
    JsonObject once = done(api().get(Resources.NAMESPACES, name));

    assertThat(done(api().get(Resources.NAMESPACES, name))).isSameAs(once);
    assertThat(page(api().list(ListRequest.of(Resources.NAMESPACES))).items())
        .usingElementComparator((one, other) -> one == other ? 0 : 1)
        .contains(once);
  }

  @Test
  void requestsAreCounted() {
    done(api().get(Resources.NAMESPACES, ObjectName.of("default")));

    assertThat(local.metrics().text(MetricsText.Format.PROMETHEUS))
        .contains(
            "apiserver_request_total{verb=\"GET\",group=\"\",version=\"v1\",resource=\"namespaces\"");
  }

  /** Roles and all other objects are made by different parts of the server. */
  @Test
  void noTwoObjectsHaveOneUid() {
    List<String> uids = new ArrayList<>();
    for (GroupVersionResource resource :
        List.of(
            Resources.NAMESPACES,
            Resources.PRIORITY_CLASSES,
            new GroupVersionResource("rbac.authorization.k8s.io", "v1", "clusterroles"))) {
      page(api().list(ListRequest.of(resource)))
          .items()
          .forEach(item -> uids.add(Metadata.of(item).uid()));
    }
    assertThat(uids).hasSizeGreaterThan(50).doesNotHaveDuplicates();
  }
}
