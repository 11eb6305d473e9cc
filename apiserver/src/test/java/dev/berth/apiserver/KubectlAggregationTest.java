package dev.berth.apiserver;

import static dev.berth.model.fixture.Fixtures.tree;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.JsonServer;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A group that another server answers for, over real HTTPS, with the real {@code kubectl}. */
class KubectlAggregationTest extends WithKubectl {
  private static final JsonServer REMOTE = new JsonServer("far.default.svc");

  @BeforeAll
  static void install() {
    REMOTE.serve(
        "/apis/wardle.example.com/v1",
        _ ->
            tree(
                """
                {'kind':'APIResourceList','apiVersion':'v1','groupVersion':'wardle.example.com/v1',
                 'resources':[{'name':'flunders','singularName':'flunder','namespaced':true,
                 'kind':'Flunder','verbs':['get','list']}]}
                """));
    REMOTE.serve(
        "/apis/wardle.example.com/v1/namespaces/default/flunders/one",
        _ ->
            tree(
                """
                {'kind':'Flunder','apiVersion':'wardle.example.com/v1',
                 'metadata':{'name':'one','namespace':'default'},'spec':{'from':'afar'}}
                """));
    REMOTE.serve(
        "/apis/wardle.example.com/v1/namespaces/default/flunders",
        _ ->
            tree(
                """
                {'kind':'FlunderList','apiVersion':'wardle.example.com/v1','metadata':{},
                 'items':[{'metadata':{'name':'one','namespace':'default'}}]}
                """));
    String schema =
        "{'type':'object','description':'What a flunder is.','properties':{'from':{'type':'string'}},"
            + "'x-kubernetes-group-version-kind':[{'group':'wardle.example.com','version':'v1','kind':'Flunder'}]}";
    REMOTE.serve(
        "/openapi/v3",
        _ ->
            tree(
                "{'paths':{'apis/wardle.example.com/v1':{'serverRelativeURL':'/openapi/v3/apis/wardle.example.com/v1?hash=H'},"
                    + "'version':{'serverRelativeURL':'/openapi/v3/version?hash=V'}}}"));
    REMOTE.serve(
        "/openapi/v3/apis/wardle.example.com/v1",
        _ -> tree("{'openapi':'3.0.0','components':{'schemas':{'Flunder':" + schema + "}}}"));
    REMOTE.serve(
        "/openapi/v2",
        _ ->
            tree(
                "{'swagger':'2.0','paths':{'/apis/wardle.example.com/v1/flunders':{'get':{'responses':"
                    + "{'200':{'description':'OK','schema':{'$ref':'#/definitions/Flunder'}}}}},'/other/':{}},"
                    + "'definitions':{'Unused':{'type':'object'},'Flunder':"
                    + schema
                    + "}}"));
    kubectl("create", "service", "externalname", "far", "--external-name=localhost");
  }

  @AfterAll
  static void close() {
    REMOTE.close();
  }

  private static String apiService(String service, int port) {
    return manifest(
        "apiservice.yaml",
        """
        apiVersion: apiregistration.k8s.io/v1
        kind: APIService
        metadata: {name: v1.wardle.example.com}
        spec:
          group: wardle.example.com
          version: v1
          groupPriorityMinimum: 2000
          versionPriority: 200
          caBundle: %s
          service: {name: %s, namespace: default, port: %d}
        """
            .formatted(
                Base64.getEncoder().encodeToString(REMOTE.authorityPem().getBytes(UTF_8)),
                service,
                port));
  }

  @Test
  void requestsArePassedOnToWhoAnswersForThem() {
    kubectl("wait", "apiservice/v1.apps", "--for=condition=Available", "--timeout=3m");
    assertThat(kubectl("get", "apiservice", "v1.apps")).contains("Local", "True");
    kubectl("apply", "-f", apiService("nowhere", 443));
    assertThat(
            kubectl(
                "wait",
                "apiservice/v1.wardle.example.com",
                "--for=jsonpath={.status.conditions[0].reason}=ServiceNotFound",
                "--timeout=3m"))
        .contains("condition met");
    assertThat(kubectl("get", "--raw", "/apis/wardle.example.com/v1/flunders"))
        .contains("the server is currently unable to handle the request");

    kubectl("apply", "-f", apiService("far", REMOTE.port()));
    kubectl(
        "wait", "apiservice/v1.wardle.example.com", "--for=condition=Available", "--timeout=3m");
    assertThat(kubectl("get", "apiservice", "v1.wardle.example.com"))
        .containsPattern("default/far\\s+True");
    assertThat(
            kubectl(
                "get",
                "--as=ann",
                "--as-group=system:masters",
                "--raw",
                "/apis/wardle.example.com/v1/namespaces/default/flunders/one"))
        .contains("afar");
    assertThat(REMOTE.lastHeaders())
        .containsEntry("X-remote-user", List.of("ann"))
        .doesNotContainKeys("Authorization", "Impersonate-user");
    assertThat(REMOTE.lastHeaders().get("X-remote-group")).contains("system:masters");

    assertThat(kubectl("api-resources", "--api-group=wardle.example.com")).contains("flunders");
    assertThat(kubectl("get", "flunder", "one", "-o", "jsonpath={.spec.from}")).isEqualTo("afar");

    // So are those of components in this process.
    GroupVersionResource flunders =
        new GroupVersionResource("wardle.example.com", "v1", "flunders");
    assertThat(api().get(flunders, new ObjectName("default", "one")))
        .isInstanceOfSatisfying(
            ApiResult.Done.class,
            done -> assertThat(done.object().object("spec").text("from")).isEqualTo("afar"));
    assertThat(api().list(ListRequest.of(flunders).in("default").labels("a=b")))
        .isInstanceOfSatisfying(ListResult.Page.class, page -> assertThat(page.items()).hasSize(1));
    assertThat(REMOTE.lastHeaders()).containsEntry("X-remote-user", List.of("admin"));
    assertThat(kubectl("get", "--raw", "/openapi/v3"))
        .contains("\"apis/wardle.example.com/v1\"", "?hash=H")
        .doesNotContain("?hash=V");
    assertThat(kubectl("get", "--raw", "/openapi/v3/apis/wardle.example.com/v1"))
        .contains("What a flunder is.");
    assertThat(kubectl("get", "--raw", "/openapi/v2"))
        .contains("/apis/wardle.example.com/v1/flunders", "What a flunder is.")
        .doesNotContain("/other/", "\"Unused\"");

    kubectl("delete", "apiservice", "v1.wardle.example.com");
    assertThat(kubectl("get", "--raw", "/apis/wardle.example.com/v1/flunders"))
        .contains("the server could not find the requested resource");
  }

  @Test
  void saysWhatIsWrongWithAnApiService() {
    assertThat(
            kubectl(
                "apply",
                "-f",
                manifest(
                    "wrong.yaml",
                    """
                    apiVersion: apiregistration.k8s.io/v1
                    kind: APIService
                    metadata: {name: v2.other}
                    spec: {group: example.com, version: v2, groupPriorityMinimum: 0, versionPriority: 1}
                    """)))
        .contains(
            "metadata.name: Invalid value: \"v2.other\": must be"
                + " `spec.version+\".\"+spec.group`: \"v2.example.com\"",
            "spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000");
  }

  @Test
  void otherServersLearnWhomToTrust() {
    assertThat(
            kubectl(
                "get",
                "configmap",
                "-n",
                "kube-system",
                "extension-apiserver-authentication",
                "-o",
                "jsonpath={.data.requestheader-allowed-names}"))
        .isEqualTo("[\"front-proxy-client\"]");
  }
}
