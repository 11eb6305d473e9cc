package dev.berth.apiserver;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.LocalServer;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.NodeUsers;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.registry.WriteOptions;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the certificate of a node is worth, over TLS: all that a kubelet does with it works, and
 * nothing that belongs to other nodes can be had with it.
 */
class NodeCertificateTest {
  private static final GroupVersionResource SERVICE_ACCOUNTS =
      new GroupVersionResource("", "v1", "serviceaccounts");

  @TempDir Path directory;

  private final WallTime time =
      new WallTime(failure -> {
        throw new AssertionError(failure.toString(), failure.cause());
      });
  private LocalServer server;
  private HttpApi node;

  @BeforeEach
  void open() {
    server = LocalServer.open(directory);
    Connection administrator = Kubeconfig.read(server.kubeconfig()).connection();
    Credential credential =
        ClusterCa.open(directory.resolve("pki"), time.now())
            .issueClient(
                NodeUsers.userName("n1"),
                List.of(NodeUsers.GROUP),
                Duration.ofHours(1),
                time.now());
    Identity identity =
        new Identity.Certificate(List.of(credential.certificate()), credential.key());
    node =
        new HttpApi(
            new Connection(administrator.server(), administrator.trust(), identity, "default"),
            time,
            "kubelet");
    for (String name : List.of("own", "foreign")) {
      create("secrets", "{'metadata':{'name':'%s-secret'}}".formatted(name));
      create("serviceaccounts", "{'metadata':{'name':'%s-account'}}".formatted(name));
      create(
          "pods",
          ("{'metadata':{'name':'%s'},'spec':{'nodeName':'%s','serviceAccountName':'%s-account','containers':[{'name':'c','image':'i'}],"
                  + "'volumes':[{'name':'s','secret':{'secretName':'%s-secret'}}]}}")
              .formatted(name, name.equals("own") ? "n1" : "n2", name, name));
    }
    create("nodes", "{'metadata':{'name':'n2','labels':{'a':'b'}}}");
  }

  @AfterEach
  void close() {
    node.close();
    server.close();
    time.close();
  }

  private void create(String plural, String json) {
    var resource = server.registry().catalog().get("", "v1", plural);
    server
        .registry()
        .create(
            resource, resource.isNamespaced() ? "default" : "", tree(json), WriteOptions.DEFAULT);
  }

  private static ObjectName named(String name) {
    return new ObjectName("default", name);
  }

  private static void assertForbidden(Object result, String why) {
    assertThat(result).isInstanceOf(ApiResult.Refused.class);
    assertThat(((ApiResult.Refused) result).error().code()).isEqualTo(403);
    assertThat(((ApiResult.Refused) result).message()).contains(why);
  }

  private ApiResult token(Api api, String pod) {
    String uid =
        Metadata.of(
                server
                    .registry()
                    .get(server.registry().catalog().get("", "v1", "pods"), named(pod))
                    .tree())
            .uid();
    return api.create(
        Target.of(SERVICE_ACCOUNTS, named(pod + "-account")).subresource("token"),
        tree(
            ("{'kind':'TokenRequest','apiVersion':'authentication.k8s.io/v1','spec':{'boundObjectRef':"
                    + "{'apiVersion':'v1','kind':'Pod','name':'%s','uid':'%s'}}}")
                .formatted(pod, uid)));
  }

  @Test
  void aKubeletDoesItsWork() {
    JsonObject registered =
        tree("{'metadata':{'name':'n1','labels':{'kubernetes.io/hostname':'n1'}}}");
    assertThat(node.create(Resources.NODES, registered).isDone()).isTrue();
    assertThat(node.get(Resources.NODES, ObjectName.of("n1")).isDone()).isTrue();
    assertThat(
            node.create(
                    Resources.LEASES,
                    tree("{'metadata':{'name':'n1','namespace':'kube-node-lease'},'spec':{}}"))
                .isDone())
        .isTrue();
    assertThat(node.list(ListRequest.of(Resources.PODS).fields("spec.nodeName=n1")))
        .isInstanceOf(ListResult.Page.class);
    assertThat(node.list(ListRequest.of(Resources.NODES).fields("metadata.name=n1")))
        .isInstanceOf(ListResult.Page.class);
    assertThat(node.get(Resources.SECRETS, named("own-secret")).isDone()).isTrue();
    assertThat(
            node.list(
                ListRequest.of(Resources.SECRETS).in("default").fields("metadata.name=own-secret")))
        .isInstanceOf(ListResult.Page.class);
    assertThat(token(node, "own").isDone()).isTrue();
    assertThat(
            node.patch(
                    Target.of(Resources.PODS, named("own")).subresource("status"),
                    PatchType.STRATEGIC,
                    tree("{'status':{'phase':'Running'}}"))
                .isDone())
        .isTrue();
    assertThat(node.delete(Resources.PODS, named("own")).isDone()).isTrue();
    assertThat(node.list(ListRequest.of(Resources.SERVICES))).isInstanceOf(ListResult.Page.class);
    // For the routes to the pods of others.
    assertThat(node.list(ListRequest.of(Resources.NODES))).isInstanceOf(ListResult.Page.class);
  }

  @Test
  void aStolenCertificateIsWorthNothingElsewhere() {
    String unrelated = "no relationship found between node 'n1' and this object";
    assertForbidden(node.get(Resources.SECRETS, named("foreign-secret")), unrelated);
    assertForbidden(node.list(ListRequest.of(Resources.SECRETS)), "can only read namespaced");
    assertForbidden(
        node.list(ListRequest.of(Resources.SECRETS).in("default")), "No Object name found");
    assertForbidden(node.get(Resources.PODS, named("foreign")), unrelated);
    assertForbidden(
        node.list(ListRequest.of(Resources.PODS)),
        "can only list/watch pods with spec.nodeName field selector");
    assertForbidden(token(node, "foreign"), unrelated);
    assertForbidden(
        node.patch(
            Target.of(Resources.NODES, ObjectName.of("n2")),
            PatchType.MERGE,
            tree("{'metadata':{'labels':{'a':'c'}}}")),
        "node \"n1\" is not allowed to modify node \"n2\"");
    assertForbidden(
        node.patch(
            Target.of(Resources.PODS, named("foreign")).subresource("status"),
            PatchType.MERGE,
            tree("{'status':{'phase':'Failed'}}")),
        "can only update pod status for pods with spec.nodeName set to itself");
    assertForbidden(
        node.delete(Resources.PODS, named("foreign")),
        "can only delete pods with spec.nodeName set to itself");
    assertForbidden(
        node.create(
            Target.of(Resources.PODS, named("foreign")).subresource("eviction"),
            tree(
                "{'kind':'Eviction','apiVersion':'policy/v1','metadata':{'name':'foreign','namespace':'default'}}")),
        "node n1 can only evict pods with spec.nodeName set to itself");
    assertForbidden(
        node.create(
            Resources.PODS,
            tree(
                "{'metadata':{'name':'spy','namespace':'default'},'spec':{'nodeName':'n1','containers':[{'name':'c','image':'i'}],"
                    + "'volumes':[{'name':'s','secret':{'secretName':'foreign-secret'}}]}}")),
        "node \"n1\" can only create mirror pods");
    assertForbidden(
        node.create(
            Resources.NODES,
            tree(
                "{'metadata':{'name':'n1','labels':{'node-role.kubernetes.io/control-plane':''}}}")),
        "is not allowed to set the following labels");
    assertForbidden(
        node.create(
            Resources.LEASES,
            tree("{'metadata':{'name':'n2','namespace':'kube-node-lease'},'spec':{}}")),
        "can only access node lease with the same name as the requesting node");
  }
}
