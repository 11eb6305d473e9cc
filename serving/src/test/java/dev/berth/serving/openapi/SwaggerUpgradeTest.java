package dev.berth.serving.openapi;

import static dev.berth.model.fixture.Fixtures.tree;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Catalog;
import dev.berth.model.resource.GroupVersion;
import dev.berth.serving.aggregation.RemoteOpenApi;
import dev.berth.serving.fixture.FakeExchange;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server that knows OpenAPI 2 alone is described in OpenAPI 3, too. */
class SwaggerUpgradeTest {
  @Test
  void bodiesResponsesParametersAndReferencesFindTheirPlaces() {
    assertThat(
            SwaggerUpgrade.upgrade(
                tree(
                    "{'info':{'title':'T'},'paths':{'/apis/a.b/v1/foos':{'post':{'operationId':'create',"
                        + "'consumes':['application/json'],'produces':['application/json','application/yaml'],"
                        + "'parameters':[{'name':'body','in':'body','schema':{'$ref':'#/definitions/Foo'}},"
                        + "{'name':'dryRun','in':'query','type':'string','uniqueItems':true}],"
                        + "'responses':{'200':{'description':'OK','schema':{'$ref':'#/definitions/Foo'}},'401':{'description':'no'}}}}},"
                        + "'definitions':{'Foo':{'properties':{'bar':{'description':'d','$ref':'#/definitions/Bar'},"
                        + "'all':{'type':'array','items':{'$ref':'#/definitions/Bar'}}}},'Bar':{'type':'string'}}}")))
        .isEqualTo(
            tree(
                "{'openapi':'3.0.0','info':{'title':'T'},'paths':{'/apis/a.b/v1/foos':{'post':{'operationId':'create',"
                    + "'requestBody':{'content':{'application/json':{'schema':{'$ref':'#/components/schemas/Foo'}}}},"
                    + "'parameters':[{'name':'dryRun','in':'query','schema':{'type':'string','uniqueItems':true}}],"
                    + "'responses':{'200':{'description':'OK','content':{'application/json':{'schema':{'$ref':'#/components/schemas/Foo'}},"
                    + "'application/yaml':{'schema':{'$ref':'#/components/schemas/Foo'}}}},'401':{'description':'no'}}}}},"
                    + "'components':{'schemas':{'Foo':{'properties':{'bar':{'description':'d','allOf':[{'$ref':'#/components/schemas/Bar'}]},"
                    + "'all':{'type':'array','items':{'$ref':'#/components/schemas/Bar'}}}},'Bar':{'type':'string'}}}}"));
  }

  @Test
  void isServedLikeAnyOther() {
    GroupVersion version = new GroupVersion("a.b", "v1");
    RemoteOpenApi older =
        new RemoteOpenApi("", tree("{'paths':{'/apis/a.b/v1/':{}},'definitions':{}}"));
    OpenApi served = new OpenApi(new Catalog(List.of()), Map.of(version, older), null);
    assertThat(text(served, "/openapi/v3"))
        .contains("\"apis/a.b/v1\":{\"serverRelativeURL\":\"/openapi/v3/apis/a.b/v1?hash=");
    assertThat(text(served, "/openapi/v3/apis/a.b/v1"))
        .startsWith("{\"openapi\":\"3.0.0\"")
        .contains("\"/apis/a.b/v1/\"");
  }

  private static String text(OpenApi served, String path) {
    FakeExchange exchange = new FakeExchange("GET", path);
    return new String(
        served.answer(exchange, path, Instant.EPOCH).orElseThrow().body().getFirst(), UTF_8);
  }
}
