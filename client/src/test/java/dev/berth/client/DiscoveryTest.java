package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Discovery.Served;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the documents of a server say, some of which it may not have. */
class DiscoveryTest {
  private final Map<String, String> documents = new HashMap<>();

  private Discovery read() {
    return Discovery.read(
        new Api() {
          @Override
          public ApiResult send(ApiRequest request) {
            String path = request.target().name().name();
            String found = documents.get(path);
            return found == null
                ? new ApiResult.Refused(ApiError.of(503, "no " + path))
                : new ApiResult.Done(tree(found));
          }

          @Override
          public ListResult list(ListRequest request) {
            throw new AssertionError("nothing is listed");
          }

          @Override
          public ApiWatch watch(WatchRequest request, Runnable onReady) {
            throw new AssertionError("nothing is watched");
          }
        });
  }

  private static JsonObject tree(String json) {
    return JsonReader.object(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  private static String resource(String name, String kind) {
    return "{'name':'%s','kind':'%s','namespaced':true,'verbs':['get','list']}"
        .formatted(name, kind);
  }

  @Test
  void eachResourceIsInTheVersionThatTheServerPrefers() {
    documents.put("/api", "{'versions':['v1']}");
    documents.put(
        "/api/v1",
        "{'resources':[%s,%s]}".formatted(resource("pods", "Pod"), resource("pods/status", "Pod")));
    documents.put(
        "/apis",
        "{'groups':[{'name':'x.io','versions':[{'groupVersion':'x.io/v2'},{'groupVersion':'x.io/v1'}],'preferredVersion':{'groupVersion':'x.io/v1'}}]}");
    documents.put("/apis/x.io/v1", "{'resources':[%s]}".formatted(resource("as", "A")));
    documents.put(
        "/apis/x.io/v2",
        "{'resources':[%s,%s]}".formatted(resource("as", "A"), resource("bs", "B")));

    assertThat(read().resources())
        .extracting(Served::resource)
        .containsExactly(
            new GroupVersionResource("", "v1", "pods"),
            new GroupVersionResource("x.io", "v1", "as"),
            new GroupVersionResource("x.io", "v2", "bs"));
    assertThat(read().problem()).isEmpty();
  }

  @Test
  void whatIsBrokenDoesNotHideTheRest() {
    documents.put("/api", "{'versions':['v1']}");
    documents.put("/api/v1", "{'resources':[%s]}".formatted(resource("pods", "Pod")));
    documents.put(
        "/apis",
        "{'groups':[{'name':'x.io','versions':[{'groupVersion':'x.io/v1'},{'groupVersion':'a/b/c'}]}]}");

    Discovery discovery = read();

    assertThat(discovery.resources()).hasSize(1);
    assertThat(discovery.problem())
        .hasValue(
            "Discovery failed for some groups, 1 failing: unable to retrieve the complete list of"
                + " server APIs: x.io/v1: no /apis/x.io/v1");
    assertThat(discovery.malformed()).containsExactly("unexpected GroupVersion string: a/b/c");
  }
}
