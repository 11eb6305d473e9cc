package dev.berth.access.node;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.Action;
import dev.berth.access.Action.Selectors;
import dev.berth.access.Authorizer.Decision;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.User;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.store.HistoryLimits;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node may do: {@code n1} has the pod {@code p}, and {@code n2} has {@code other}. */
class NodeAuthorizerTest {
  private static final User N1 =
      User.authenticated(NodeUsers.userName("n1"), List.of(NodeUsers.GROUP));

  private final TestCluster cluster = new TestCluster();
  private final NodeAuthorizer authorizer = new NodeAuthorizer(cluster.registry);

  @AfterEach
  void close() {
    authorizer.close();
  }

  @BeforeEach
  void createPods() {
    create("p", "n1");
    create("other", "n2");
    cluster.create(
        "persistentvolumes",
        "{'metadata':{'name':'p-volume'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
            + "'claimRef':{'namespace':'default','name':'p-claim'},'csi':{'driver':'d','volumeHandle':'h',"
            + "'nodePublishSecretRef':{'namespace':'kube-system','name':'for-nodes'},"
            + "'controllerPublishSecretRef':{'namespace':'kube-system','name':'for-controllers'}}}}");
    cluster.create(
        "storage.k8s.io",
        "volumeattachments",
        "",
        "{'metadata':{'name':'p-attachment'},'spec':{'attacher':'d','nodeName':'n1','source':{'persistentVolumeName':'p-volume'}}}");
  }

  private void create(String name, String node) {
    cluster.create(
        "pods",
        ("{'metadata':{'name':'NAME'},'spec':{'nodeName':'%s','serviceAccountName':'NAME-account',"
                + "'imagePullSecrets':[{'name':'NAME-pull'}],"
                + "'resourceClaims':[{'name':'gpu','resourceClaimName':'NAME-gpu'}],"
                + "'containers':[{'name':'c','image':'i','envFrom':[{'configMapRef':{'name':'NAME-env'}}],"
                + "'env':[{'name':'E','valueFrom':{'secretKeyRef':{'name':'NAME-key','key':'k'}}}]}],"
                + "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'NAME-claim'}},"
                + "{'name':'s','secret':{'secretName':'NAME-secret'}},"
                + "{'name':'m','configMap':{'name':'NAME-map'}},"
                + "{'name':'j','projected':{'sources':[{'secret':{'name':'NAME-projected'}}]}},"
                + "{'name':'e','ephemeral':{'volumeClaimTemplate':{'spec':{'accessModes':['ReadWriteOnce'],"
                + "'resources':{'requests':{'storage':'1Gi'}}}}}}]}}")
            .formatted(node)
            .replace("NAME", name));
  }

  private Decision decide(
      User user, String verb, String resource, String namespace, String name, String fields) {
    String[] parts = resource.split("/", 2);
    int dot = parts[0].indexOf('.');
    GroupResource of =
        dot < 0
            ? new GroupResource("", parts[0])
            : new GroupResource(parts[0].substring(dot + 1), parts[0].substring(0, dot));
    return authorizer.authorize(
        user,
        new Action.OnResource(
            verb,
            of,
            namespace,
            name,
            parts.length > 1 ? parts[1] : "",
            new Selectors(FieldSelector.parse(fields), LabelSelector.EVERYTHING)));
  }

  @ParameterizedTest(name = "{0} {1} {2}/{3} {4}: {5}")
  @CsvSource(
      delimiter = '|',
      value = {
        // What its pods use, one by one, and nothing of others.
        "get|secrets|default|p-secret||yes",
        "get|secrets|default|p-key||yes",
        "get|secrets|default|p-pull||yes",
        "get|secrets|default|p-projected||yes",
        "list|secrets|default|p-secret||yes",
        "watch|secrets|default|p-secret||yes",
        "get|secrets|kube-system|for-nodes||yes",
        "get|secrets|kube-system|for-controllers||no relationship found between node 'n1' and this object",
        "get|secrets|default|other-secret||no relationship found between node 'n1' and this object",
        "get|secrets|kube-system|p-secret||no relationship found between node 'n1' and this object",
        "list|secrets|default|||No Object name found",
        "list|secrets||||can only read namespaced object of this type",
        "update|secrets|default|p-secret||can only read resources of this type",
        "get|secrets/x|default|p-secret||cannot read subresource",
        "get|configmaps|default|p-map||yes",
        "watch|configmaps|default|p-env||yes",
        "get|configmaps|default|other-map||no relationship found between node 'n1' and this object",
        "get|persistentvolumeclaims|default|p-claim||yes",
        "get|persistentvolumeclaims|default|p-e||yes",
        "list|persistentvolumeclaims|default|p-claim||can only get individual resources of this type",
        "get|persistentvolumeclaims|default|other-claim||no relationship found between node 'n1' and this object",
        "patch|persistentvolumeclaims/status|default|p-claim||yes",
        "get|persistentvolumeclaims/status|default|p-claim||can only get/update/patch this type",
        "patch|persistentvolumeclaims/status|default|other-claim||no relationship found between node 'n1' and this object",
        "get|persistentvolumes||p-volume||yes",
        "get|persistentvolumes||other-volume||no relationship found between node 'n1' and this object",
        "get|persistentvolumes/status||p-volume||cannot get subresource",
        "get|volumeattachments.storage.k8s.io||p-attachment||yes",
        "list|volumeattachments.storage.k8s.io||||can only get individual resources of this type",
        "get|resourceclaims.resource.k8s.io|default|p-gpu||yes",
        "get|resourceclaims.resource.k8s.io|default|other-gpu||no relationship found between node 'n1' and this object",
        // Accounts and tokens of its pods.
        "get|serviceaccounts|default|p-account||yes",
        "get|serviceaccounts|default|other-account||no relationship found between node 'n1' and this object",
        "create|serviceaccounts/token|default|p-account||yes",
        "create|serviceaccounts/token|default|other-account||no relationship found between node 'n1' and this object",
        "create|serviceaccounts/token|default|||can only create tokens for individual service accounts",
        "create|serviceaccounts|default|p-account||can only create token subresource of serviceaccount",
        "delete|serviceaccounts|default|p-account||can only create tokens for individual service accounts",
        // Its pods.
        "get|pods|default|p||yes",
        "get|pods|default|other||no relationship found between node 'n1' and this object",
        "list|pods|||spec.nodeName=n1|yes",
        "watch|pods|||spec.nodeName=n1|yes",
        "list|pods|||spec.nodeName=n2|can only list/watch pods with spec.nodeName field selector",
        "list|pods|||spec.nodeName!=n1|can only list/watch pods with spec.nodeName field selector",
        "list|pods||||can only list/watch pods with spec.nodeName field selector",
        "watch|pods|default|p|metadata.name=p|yes",
        "watch|pods|default|other|metadata.name=other|no relationship found between node 'n1' and this object",
        "create|pods|default|||yes",
        "delete|pods|default|p||yes",
        "patch|pods|default|p||",
        "deletecollection|pods|default||spec.nodeName=n1|",
        "patch|pods/status|default|p||yes",
        "create|pods/eviction|default|p||yes",
        "create|pods/exec|default|p||",
        "create|pods/binding|default|p||",
        // Itself.
        "get|nodes||n1||yes",
        "watch|nodes||n1|metadata.name=n1|yes",
        "get|nodes||n2||node 'n1' cannot read 'n2', only its own Node object",
        "list|nodes||||node 'n1' cannot read all nodes, only its own Node object",
        "create|nodes||||yes",
        "patch|nodes||n1||yes",
        "patch|nodes/status||n1||yes",
        "delete|nodes||n1||",
        "get|nodes/proxy||n1||",
        "update|leases.coordination.k8s.io|kube-node-lease|n1||yes",
        "create|leases.coordination.k8s.io|kube-node-lease|||yes",
        "get|leases.coordination.k8s.io|kube-node-lease|n2||can only access node lease with the same name as the requesting node",
        "get|leases.coordination.k8s.io|kube-system|n1||can only access leases in the \"kube-node-lease\" system namespace",
        "list|leases.coordination.k8s.io|kube-node-lease|||can only get, create, update, patch, or delete a node lease",
        "get|csinodes.storage.k8s.io||n1||yes",
        "create|csinodes.storage.k8s.io||||yes",
        "get|csinodes.storage.k8s.io||n2||can only access CSINode with the same name as the requesting node",
        "list|csinodes.storage.k8s.io||||can only get, create, update, patch, or delete a CSINode",
        "get|csinodes.storage.k8s.io/x||n1||cannot authorize CSINode subresources",
        "create|resourceslices.resource.k8s.io||||yes",
        "list|resourceslices.resource.k8s.io|||spec.nodeName=n1|yes",
        "deletecollection|resourceslices.resource.k8s.io|||spec.nodeName=n2|can only list/watch/deletecollection resourceslices with nodeName field selector",
        "get|resourceslices.resource.k8s.io||s||no relationship found between node 'n1' and this object",
        "get|podcertificaterequests.certificates.k8s.io|default|x||",
        // What every node may do.
        "list|services||||yes",
        "create|events|default|||yes",
        "get|runtimeclasses.node.k8s.io||r||yes",
        "watch|csidrivers.storage.k8s.io||||yes",
        "create|certificatesigningrequests.certificates.k8s.io||||yes",
        "create|subjectaccessreviews.authorization.k8s.io||||yes",
        "list|deployments.apps|default|||",
        "create|clusterrolebindings.rbac.authorization.k8s.io||||",
        "impersonate|users||root||",
      })
  void aNodeReachesWhatItsPodsNeed(
      String verb, String resource, String namespace, String name, String fields, String expected) {
    Decision decision = decide(N1, verb, resource, text(namespace), text(name), text(fields));
    if (text(expected).equals("yes")) {
      assertThat(decision).isEqualTo(new Decision.Allowed(""));
    } else {
      assertThat(decision).isEqualTo(new Decision.NoOpinion(text(expected)));
    }
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  @Test
  void nobodyElseIsANode() {
    User withoutGroup = User.authenticated("system:node:n1", List.of());
    User withoutName = User.authenticated("n1", List.of(NodeUsers.GROUP));
    for (User user : List.of(withoutGroup, withoutName)) {
      assertThat(decide(user, "get", "secrets", "default", "p-secret", ""))
          .isEqualTo(Decision.NO_OPINION);
    }
    User nameless = User.authenticated("system:node:", List.of(NodeUsers.GROUP));
    assertThat(decide(nameless, "list", "services", "", "", ""))
        .isEqualTo(new Decision.NoOpinion("unknown node for user \"system:node:\""));
  }

  @Test
  void whatAPodUsesIsKnownAsSoonAsItIsBoundAndUntilItIsGone() {
    assertThat(readsSecretOf("late")).isFalse();
    create("late", "");
    assertThat(readsSecretOf("late")).isFalse();
    cluster.registry.delete(
        cluster.core("pods"), TestCluster.named("late"), DeletionOptions.DEFAULT);
    create("late", "n1");
    assertThat(readsSecretOf("late")).isTrue();
    cluster.registry.delete(
        cluster.core("pods"),
        TestCluster.named("late"),
        DeletionOptions.read(tree("{'gracePeriodSeconds':0}")));
    assertThat(readsSecretOf("late")).isFalse();
  }

  private boolean readsSecretOf(String pod) {
    return decide(N1, "get", "secrets", "default", pod + "-secret", "") instanceof Decision.Allowed;
  }

  @Test
  void aMirrorPodGivesItsNodeNothing() {
    cluster.create(
        "pods",
        "{'metadata':{'name':'m','annotations':{'kubernetes.io/config.mirror':'x'}},'spec':{'nodeName':'n1',"
            + "'containers':[{'name':'c','image':'i'}],'volumes':[{'name':'s','secret':{'secretName':'m-secret'}}]}}");
    assertThat(decide(N1, "get", "pods", "default", "m", "")).isEqualTo(new Decision.Allowed(""));
    assertThat(readsSecretOf("m")).isFalse();
  }

  @Test
  void changesThatWereMissedAreMadeUpFor() {
    TestCluster forgetful = new TestCluster(new HistoryLimits(2, 1_000_000));
    try (NodeAuthorizer nodes = new NodeAuthorizer(forgetful.registry)) {
      Action.OnResource read =
          new Action.OnResource("get", new GroupResource("", "pods"), "default", "p7", "");
      assertThat(nodes.authorize(N1, read)).isInstanceOf(Decision.NoOpinion.class);
      for (int i = 0; i < 9; i++) {
        forgetful.pod("p" + i, "n1");
      }
      assertThat(nodes.authorize(N1, read)).isEqualTo(new Decision.Allowed(""));
    }
  }
}
