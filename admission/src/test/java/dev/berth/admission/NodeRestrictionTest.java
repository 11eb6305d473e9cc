package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.match.Authorizers;
import dev.berth.kinds.resource.Resource;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.User;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.status.Status;
import dev.berth.registry.webhook.WebhookClient;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node changes itself and its pods: {@code n1} has the pod {@code p}, {@code n2} has others. */
class NodeRestrictionTest {
  private static final User N1 = node("n1");
  private static final String CONTAINERS = "'containers':[{'name':'c','image':'i'}]";

  private final TestCluster cluster =
      new TestCluster(registry ->
          AdmissionPlugins.standard()
              .chain(
                  new AdmissionPlugins.Dependencies(
                      registry,
                      (user, audience, account) -> audience.equals("by-role"),
                      WebhookClient.NONE,
                      new Metrics(),
                      Authorizers.NOBODY)));

  private static User node(String name) {
    return User.authenticated(NodeUsers.userName(name), List.of(NodeUsers.GROUP));
  }

  private static WriteOptions by(User user, String subresource) {
    return new WriteOptions(false, subresource, "", user);
  }

  @BeforeEach
  void createNodes() {
    for (String node : List.of("n1", "n2")) {
      cluster.create("nodes", "{'metadata':{'name':'%s'}}".formatted(node));
    }
    cluster.pod("p", "n1");
    cluster.pod("other", "n2");
  }

  private static String problem(ThrowingCallable action) {
    Status status = refused(action);
    String message = status.message();
    return message.substring(message.indexOf("is forbidden: ") + "is forbidden: ".length());
  }

  private ThrowingCallable create(String plural, String json) {
    Resource resource = cluster.core(plural);
    String namespace = resource.isNamespaced() ? "default" : "";
    return () -> cluster.registry.create(resource, namespace, tree(json), by(N1, ""));
  }

  private ThrowingCallable change(
      String plural, ObjectName name, String subresource, UnaryOperator<JsonObject> change) {
    return () -> cluster.registry.modify(cluster.core(plural), name, by(N1, subresource), change);
  }

  private static JsonObject labelled(JsonObject object, String key, String value) {
    return Metadata.update(object, m -> m.update("labels", labels -> labels.with(key, value)));
  }

  // Nodes

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "kubernetes.io/hostname, true",
    "topology.kubernetes.io/zone, true",
    "node.kubernetes.io/anything, true",
    "a.kubelet.kubernetes.io/anything, true",
    "example.com/anything, true",
    "plain, true",
    "node-restriction.kubernetes.io/secure, false",
    "a.node-restriction.kubernetes.io/secure, false",
    "node-role.kubernetes.io/control-plane, false",
    "kubernetes.io/unknown, false",
    "x.k8s.io/unknown, false",
  })
  void aNodeSetsNoProtectedLabels(String label, boolean allowed) throws Throwable {
    ThrowingCallable register =
        create("nodes", "{'metadata':{'name':'n3','labels':{'%s':'a'}}}".formatted(label));
    User n3 = node("n3");
    ThrowingCallable byItself =
        () ->
            cluster.registry.create(
                cluster.core("nodes"),
                "",
                tree("{'metadata':{'name':'n3','labels':{'%s':'a'}}}".formatted(label)),
                by(n3, ""));
    ThrowingCallable relabel =
        change("nodes", ObjectName.of("n1"), "", node -> labelled(node, label, "a"));
    assertThat(problem(register)).isEqualTo("node \"n1\" is not allowed to modify node \"n3\"");
    if (allowed) {
      byItself.call();
      relabel.call();
      return;
    }
    assertThat(problem(byItself))
        .isEqualTo("node \"n3\" is not allowed to set the following labels: " + label);
    assertThat(problem(relabel)).isEqualTo("is not allowed to modify labels: " + label);
  }

  @Test
  void aNodeTakesNoProtectedLabelAway() {
    cluster.registry.modify(
        cluster.core("nodes"),
        ObjectName.of("n1"),
        WriteOptions.DEFAULT,
        node -> labelled(node, "node-restriction.kubernetes.io/a", "b"));
    assertThat(
            problem(
                change(
                    "nodes",
                    ObjectName.of("n1"),
                    "status",
                    node -> Metadata.update(node, m -> m.without("labels")))))
        .isEqualTo("is not allowed to modify labels: node-restriction.kubernetes.io/a");
  }

  @Test
  void aNodeRegistersWithTaintsButDoesNotChangeThem() throws Throwable {
    User n3 = node("n3");
    cluster.registry.create(
        cluster.core("nodes"),
        "",
        tree("{'metadata':{'name':'n3'},'spec':{'taints':[{'key':'a','effect':'NoSchedule'}]}}"),
        by(n3, ""));
    UnaryOperator<JsonObject> untaint =
        node -> node.with("spec", node.object("spec").without("taints"));
    assertThat(
            problem(() ->
                cluster.registry.modify(
                    cluster.core("nodes"), ObjectName.of("n3"), by(n3, ""), untaint)))
        .isEqualTo("node \"n3\" is not allowed to modify taints");
    assertThat(
            problem(
                change(
                    "nodes",
                    ObjectName.of("n1"),
                    "",
                    node ->
                        Metadata.update(
                            node,
                            m ->
                                m.with(
                                    "ownerReferences",
                                    tree("{'a':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'u'}]}")
                                        .array("a"))))))
        .isEqualTo("node \"n1\" is not allowed to modify ownerReferences");
    change(
            "nodes",
            ObjectName.of("n1"),
            "status",
            node -> node.with("status", tree("{'phase':'Running'}")))
        .call();
  }

  @Test
  void aNodeLeavesOtherNodesAlone() {
    assertThat(problem(change("nodes", ObjectName.of("n2"), "status", node -> node)))
        .isEqualTo("node \"n1\" is not allowed to modify node \"n2\"");
    assertThat(problem(change("nodes", ObjectName.of("n2"), "", n -> labelled(n, "a", "b"))))
        .isEqualTo("node \"n1\" is not allowed to modify node \"n2\"");
  }

  // Pods

  private String mirror(String owner, String fields) {
    return "{'metadata':{'name':'m','annotations':{'kubernetes.io/config.mirror':'x'},'ownerReferences':[%s]},'spec':{%s%s}}"
        .formatted(owner, fields, CONTAINERS);
  }

  private String ownedBy(String name, String more) {
    String uid =
        Metadata.of(cluster.registry.get(cluster.core("nodes"), ObjectName.of("n1")).tree()).uid();
    return "{'apiVersion':'v1','kind':'Node','name':'%s','uid':'%s'%s}".formatted(name, uid, more);
  }

  @Test
  void aNodeCreatesMirrorPodsOfItsOwn() throws Throwable {
    create("pods", mirror(ownedBy("n1", ",'controller':true"), "'nodeName':'n1',")).call();
  }

  @ParameterizedTest(name = "{0} owned {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "|OWN|node \"n1\" can only create pods with spec.nodeName set to itself",
        "'nodeName':'n2',|OWN|node \"n1\" can only create pods with spec.nodeName set to itself",
        "'nodeName':'n1',||node \"n1\" can only create pods with an owner reference set to itself",
        "'nodeName':'n1',|OWN,{'apiVersion':'v1','kind':'Pod','name':'x','uid':'y'}|node \"n1\" can only create pods with a single owner reference set to itself",
        "'nodeName':'n1',|{'apiVersion':'v1','kind':'Node','name':'n2','uid':'y','controller':true}|node \"n1\" can only create pods with an owner reference set to itself",
        "'nodeName':'n1',|PLAIN|node \"n1\" can only create pods with a controller owner reference set to itself",
        "'nodeName':'n1',|BLOCKING|node \"n1\" must not set blockOwnerDeletion on an owner reference",
        "'nodeName':'n1',|{'apiVersion':'v1','kind':'Node','name':'n1','uid':'y','controller':true}|node n1 UID mismatch: expected y got UID",
        "'nodeName':'n1','volumes':[{'name':'v','configMap':{'name':'x'}}],|OWN|node \"n1\" can not create pods that reference configmaps",
        "'nodeName':'n1','volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'x'}}],|OWN|node \"n1\" can not create pods that reference persistentvolumeclaims",
        "'nodeName':'n1','volumes':[{'name':'v','csi':{'driver':'x'}}],|OWN|node \"n1\" can not create pods that reference csidrivers (via CSI volumes)",
        "'nodeName':'n1','resourceClaims':[{'name':'g','resourceClaimName':'x'}],|OWN|node \"n1\" can not create pods that reference resourceclaims",
      })
  void aMirrorPodIsOnItsNodeAndUsesNothing(String fields, String owner, String expected) {
    String uid = ownedBy("n1", "").replaceAll(".*'uid':'(.*)'}", "$1");
    String owners =
        (owner == null ? "" : owner)
            .replace("OWN", ownedBy("n1", ",'controller':true"))
            .replace("PLAIN", ownedBy("n1", ""))
            .replace("BLOCKING", ownedBy("n1", ",'controller':true,'blockOwnerDeletion':true"));
    assertThat(problem(create("pods", mirror(owners, fields == null ? "" : fields))))
        .isEqualTo(expected.replace("got UID", "got " + uid));
  }

  @Test
  void aNodeCreatesNoOtherPods() {
    assertThat(
            problem(
                create(
                    "pods",
                    "{'metadata':{'name':'x'},'spec':{'nodeName':'n1',%s}}".formatted(CONTAINERS))))
        .isEqualTo(
            "pod does not have \"kubernetes.io/config.mirror\" annotation, node \"n1\" can only create mirror pods");
  }

  @Test
  void aNodeDeletesItsOwnPods() {
    Resource pods = cluster.core("pods");
    DeletionOptions options = DeletionOptions.DEFAULT.by(N1);
    assertThat(problem(() -> cluster.registry.delete(pods, named("other"), options)))
        .isEqualTo("node \"n1\" can only delete pods with spec.nodeName set to itself");
    cluster.registry.delete(pods, named("p"), options);
  }

  @Test
  void aNodeReportsOnItsOwnPods() throws Throwable {
    UnaryOperator<JsonObject> runs = pod -> pod.with("status", tree("{'phase':'Running'}"));
    change("pods", named("p"), "status", runs).call();
    assertThat(problem(change("pods", named("other"), "status", runs)))
        .isEqualTo(
            "node \"n1\" can only update pod status for pods with spec.nodeName set to itself");
    assertThat(problem(change("pods", named("p"), "status", pod -> labelled(pod, "app", "db"))))
        .isEqualTo("node \"n1\" cannot update labels through pod status");
    assertThat(
            problem(
                change(
                    "pods",
                    named("p"),
                    "status",
                    pod ->
                        pod.with(
                            "status",
                            tree(
                                "{'phase':'Running','resourceClaimStatuses':[{'name':'g','resourceClaimName':'x'}]}")))))
        .isEqualTo("node \"n1\" cannot update resource claim statues");
    assertThat(problem(change("pods", named("p"), "", pod -> labelled(pod, "app", "db"))))
        .isEqualTo(
            "unexpected operation \"UPDATE\", node \"n1\" can only create and delete mirror pods");
    assertThat(problem(change("pods", named("p"), "resize", pod -> pod)))
        .isEqualTo(
            "unexpected pod subresource \"resize\", only 'status' and 'eviction' are allowed");
  }

  @Test
  void aNodeEvictsItsOwnPods() {
    Resource pods = cluster.core("pods");
    JsonObject eviction = tree("{'metadata':{'name':'p'}}");
    cluster.registry.admit(pods, named("p"), eviction, by(N1, "eviction"));
    assertThat(
            problem(
                () -> cluster.registry.admit(pods, named("other"), eviction, by(N1, "eviction"))))
        .isEqualTo("node n1 can only evict pods with spec.nodeName set to itself");
    assertThat(
            refused(() -> cluster.registry.admit(pods, named("x"), eviction, by(N1, "eviction")))
                .code())
        .isEqualTo(404);
  }

  // Claims, leases, certificates

  @Test
  void aNodeWritesSizesAndConditionsOfClaims() throws Throwable {
    cluster.create(
        "persistentvolumeclaims",
        "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}");
    change(
            "persistentvolumeclaims",
            named("c"),
            "status",
            claim ->
                claim.with(
                    "status", claim.object("status").with("capacity", tree("{'storage':'2Gi'}"))))
        .call();
    assertThat(
            problem(
                change(
                    "persistentvolumeclaims",
                    named("c"),
                    "status",
                    claim -> claim.with("status", claim.object("status").with("phase", "Lost")))))
        .isEqualTo(
            "node \"n1\" is not allowed to update fields other than status.quantity and status.conditions: status.phase");
    assertThat(
            problem(change("persistentvolumeclaims", named("c"), "", c -> labelled(c, "a", "b"))))
        .isEqualTo("may only update PVC status");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "leases|coordination.k8s.io|kube-node-lease|n1|",
        "leases|coordination.k8s.io|kube-node-lease|n2|can only access node lease with the same name as the requesting node",
        "leases|coordination.k8s.io|default|n1|can only access leases in the \"kube-node-lease\" system namespace",
        "csinodes|storage.k8s.io||n1|",
        "csinodes|storage.k8s.io||n2|can only access CSINode with the same name as the requesting node",
      })
  void aNodeHasItsOwnLeaseAndCsiNode(
      String plural, String group, String namespace, String name, String expected)
      throws Throwable {
    ThrowingCallable create =
        () ->
            cluster.registry.create(
                cluster.resource(group, plural),
                namespace == null ? "" : namespace,
                tree(
                    "{'metadata':{'name':'%s'},'spec':{%s}}"
                        .formatted(name, plural.equals("csinodes") ? "'drivers':[]" : "")),
                by(N1, ""));
    if (expected == null) {
      create.call();
    } else {
      assertThat(problem(create)).isEqualTo(expected);
    }
  }

  @Test
  void aNodeWithoutANameDoesNothing() {
    User nameless = User.authenticated("system:node:", List.of(NodeUsers.GROUP));
    assertThat(
            problem(() ->
                cluster.registry.create(
                    cluster.core("events"),
                    "default",
                    tree("{'metadata':{'name':'e'},'involvedObject':{'namespace':'default'}}"),
                    by(nameless, ""))))
        .isEqualTo("could not determine node from user \"system:node:\"");
  }

  // Tokens

  private String tokenProblem(String spec) {
    return problem(() -> token(spec));
  }

  private void token(String spec) {
    cluster.registry.admit(
        cluster.core("serviceaccounts"),
        named("default"),
        tree("{'spec':{%s}}".formatted(spec)),
        by(N1, "token"));
  }

  private String boundTo(String pod) {
    String uid = Metadata.of(cluster.registry.get(cluster.core("pods"), named(pod)).tree()).uid();
    return "'boundObjectRef':{'apiVersion':'v1','kind':'Pod','name':'%s','uid':'%s'}"
        .formatted(pod, uid);
  }

  @Test
  void aNodeGetsTokensForItsPodsOnly() {
    token(boundTo("p"));
    assertThat(tokenProblem("")).isEqualTo("node requested token not bound to a pod");
    assertThat(
            tokenProblem(
                "'boundObjectRef':{'apiVersion':'v1','kind':'Secret','name':'s','uid':'u'}"))
        .isEqualTo("node requested token not bound to a pod");
    assertThat(tokenProblem("'boundObjectRef':{'apiVersion':'v1','kind':'Pod','name':'p'}"))
        .isEqualTo("node requested token with a pod binding without a uid");
    assertThat(
            tokenProblem("'boundObjectRef':{'apiVersion':'v1','kind':'Pod','name':'p','uid':'u'}"))
        .isEqualTo(
            "the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated");
    assertThat(tokenProblem(boundTo("other")))
        .isEqualTo("node requested token bound to a pod scheduled on a different node");
  }

  @Test
  void aNodeGetsTokensForAudiencesThatThePodNames() {
    cluster.create(
        "storage.k8s.io",
        "csidrivers",
        "",
        "{'metadata':{'name':'d'},'spec':{'tokenRequests':[{'audience':'by-driver'}]}}");
    cluster.create(
        "pods",
        "{'metadata':{'name':'v'},'spec':{'nodeName':'n1',%s,'volumes':[{'name':'csi','csi':{'driver':'d'}},"
                .formatted(CONTAINERS)
            + "{'name':'t','projected':{'sources':[{'serviceAccountToken':{'audience':'vault','path':'t'}}]}}]}}");
    token(boundTo("v") + ",'audiences':['vault']");
    token(boundTo("v") + ",'audiences':['by-driver']");
    token(boundTo("v") + ",'audiences':['by-role']");
    assertThat(tokenProblem(boundTo("v") + ",'audiences':['bank']"))
        .isEqualTo(
            "audience \"bank\" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience");
    assertThat(tokenProblem(boundTo("v") + ",'audiences':['vault','bank']"))
        .isEqualTo("node may only request 0 or 1 audiences");
    assertThat(tokenProblem(boundTo("p") + ",'audiences':['vault']"))
        .startsWith("audience \"vault\" not found");
  }

  @Test
  void anAudienceIsFoundThroughAClaim() {
    cluster.create(
        "storage.k8s.io",
        "csidrivers",
        "",
        "{'metadata':{'name':'d'},'spec':{'tokenRequests':[{'audience':'by-driver'}]}}");
    cluster.create(
        "pods",
        "{'metadata':{'name':'v'},'spec':{'nodeName':'n1',%s,'volumes':[{'name':'c','persistentVolumeClaim':{'claimName':'c'}}]}}"
            .formatted(CONTAINERS));
    assertThat(tokenProblem(boundTo("v") + ",'audiences':['by-driver']"))
        .isEqualTo(
            "error validating audience \"by-driver\": persistentvolumeclaims \"c\" not found");
    cluster.create(
        "persistentvolumes",
        "{'metadata':{'name':'pv'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'csi':{'driver':'d','volumeHandle':'h'}}}");
    cluster.create(
        "persistentvolumeclaims",
        "{'metadata':{'name':'c'},'spec':{'volumeName':'pv','accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}");
    token(boundTo("v") + ",'audiences':['by-driver']");
  }

  @Test
  void whoIsNoNodeIsNotRestricted() throws Throwable {
    cluster.registry.modify(
        cluster.core("nodes"),
        ObjectName.of("n1"),
        by(User.authenticated("ann", List.of()), ""),
        node -> labelled(node, "node-restriction.kubernetes.io/a", "b"));
  }
}
