package dev.berth.controllers.disruption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.disruption.ControllerScale;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AskedScalesTest {
  private static final OwnerReference FLOCK =
      new OwnerReference("farm.example/v2", "Sheep", "dolly", "u1", true, true);

  private final Map<String, JsonObject> served = new HashMap<>();

  /** A server that has these documents and no others. */
  private final Api api =
      new Api() {
        @Override
        public ApiResult send(ApiRequest request) {
          String path =
              switch (request) {
                case ApiRequest.Discover(String document) -> document;
                case ApiRequest.Get(var target, var _) ->
                    target.resource().resource()
                        + " "
                        + target.name().name()
                        + "/"
                        + target.subresource();
                default -> throw new AssertionError(request);
              };
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
      };

  private void serve(String path, String json) {
    served.put(
        path,
        (JsonObject) JsonReader.value(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.TRUSTED));
  }

  private Map<String, ControllerScale> asked() {
    AskedScales asked = AskedScales.ask(api, "default", List.of(FLOCK));
    assertThat(asked.isComplete()).isTrue();
    return asked.scales();
  }

  @Test
  void aKindIsFoundByDiscoveryWhateverItsPlural() {
    serve(
        "/apis/farm.example/v2",
        "{'resources':[{'name':'flock','kind':'Sheep'},{'name':'flock/scale','kind':'Scale'}]}");
    serve("flock dolly/scale", "{'metadata':{'uid':'u1'},'spec':{'replicas':7}}");
    assertThat(asked()).containsEntry("u1", new ControllerScale.Known("u1", 7));
  }

  @Test
  void oneThatIsNoMoreOrAnotherOfItsNameIsMissing() {
    serve(
        "/apis/farm.example/v2",
        "{'resources':[{'name':'flock','kind':'Sheep'},{'name':'flock/scale','kind':'Scale'}]}");
    assertThat(asked()).isEmpty();
    serve("flock dolly/scale", "{'metadata':{'uid':'another'},'spec':{'replicas':7}}");
    assertThat(asked()).isEmpty();
  }

  @Test
  void aKindWithoutAScaleIsSaid() {
    serve("/apis/farm.example/v2", "{'resources':[{'name':'flock','kind':'Sheep'}]}");
    assertThat(asked())
        .containsEntry(
            "u1",
            new ControllerScale.Unknown(
                "flock.farm.example does not implement the scale subresource"));
  }

  @Test
  void aKindThatNobodyServesIsSaid() {
    String why = "no matches for kind \"Sheep\" in version \"farm.example/v2\"";
    assertThat(asked()).containsEntry("u1", new ControllerScale.Unknown(why));
    serve("/apis/farm.example/v2", "{'resources':[{'name':'cows','kind':'Cow'}]}");
    assertThat(asked()).containsEntry("u1", new ControllerScale.Unknown(why));
  }
}
