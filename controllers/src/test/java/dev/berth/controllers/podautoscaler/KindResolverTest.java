package dev.berth.controllers.podautoscaler;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KindResolverTest {
  private final VirtualTime time = new VirtualTime(1, _ -> {});
  private final Map<String, JsonObject> served = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final KindResolver resolver = new KindResolver(new Documents(), time);

  /** A server that has some documents of discovery and nothing else. */
  private final class Documents implements Api {
    @Override
    public ApiResult send(ApiRequest request) {
      String path = request instanceof ApiRequest.Discover(String document) ? document : "";
      asked.add(path);
      JsonObject found = served.get(path);
      return found == null
          ? new ApiResult.Refused(ApiError.of(404, "not found"))
          : new ApiResult.Done(found);
    }

    @Override
    public ListResult list(ListRequest request) {
      throw new AssertionError(request);
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      throw new AssertionError(request);
    }
  }

  private static KindResolver.Resolved found(String group, String version, String plural) {
    return new KindResolver.Resolved.Found(new GroupVersionResource(group, version, plural));
  }

  @Test
  void thePreferredVersionThatHasTheKindIsTaken() {
    served.put(
        "/apis/farm.example",
        tree(
            "{'preferredVersion':{'groupVersion':'farm.example/v2'},'versions':[{'groupVersion':"
                + "'farm.example/v1'},{'groupVersion':'farm.example/v2'}]}"));
    served.put(
        "/apis/farm.example/v1",
        tree(
            "{'resources':[{'name':'sheep/scale','kind':'Sheep'},{'name':'sheep','kind':'Sheep'},"
                + "{'name':'goats','kind':'Goat'}]}"));
    served.put("/apis/farm.example/v2", tree("{'resources':[{'name':'goats','kind':'Goat'}]}"));
    served.put("/api/v1", tree("{'resources':[{'name':'pods','kind':'Pod'}]}"));

    assertThat(resolver.resolve(new GroupKind("farm.example", "Goat")))
        .isEqualTo(found("farm.example", "v2", "goats"));
    assertThat(resolver.resolve(new GroupKind("farm.example", "Sheep")))
        .isEqualTo(found("farm.example", "v1", "sheep"));
    assertThat(resolver.resolve(new GroupKind("", "Pod"))).isEqualTo(found("", "v1", "pods"));
    assertThat(resolver.resolve(new GroupKind("", "Goat")))
        .isEqualTo(new KindResolver.Resolved.Failed("no matches for kind \"Goat\" in group \"\""));
  }

  @Test
  void whatWasFoundIsRememberedForAWhile() {
    served.put("/api/v1", tree("{'resources':[{'name':'pods','kind':'Pod'}]}"));
    GroupKind pod = new GroupKind("", "Pod");

    var _ = resolver.resolve(pod);
    var _ = resolver.resolve(pod);
    assertThat(asked).hasSize(1);
    time.advance(Duration.ofSeconds(30));
    var _ = resolver.resolve(pod);
    assertThat(asked).hasSize(2);
  }
}
