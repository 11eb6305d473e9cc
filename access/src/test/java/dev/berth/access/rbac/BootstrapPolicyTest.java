package dev.berth.access.rbac;

import static dev.berth.access.rbac.Roles.rule;
import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.access.Action;
import dev.berth.access.Authorizer.Decision;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The roles that every cluster has, and how they come to be there and stay. */
class BootstrapPolicyTest {
  private final TestCluster cluster = new TestCluster();
  private final Roles roles = new Roles(cluster);

  @BeforeEach
  void reconcile() {
    PolicyReconciliation.run(cluster.registry, Runnable::run);
  }

  private void reconcileAgain() {
    PolicyReconciliation.run(cluster.registry, Runnable::run);
  }

  private void change(String plural, String name, String field, Object value) {
    cluster.registry.modify(
        roles.resource(plural),
        ObjectName.parse(name),
        WriteOptions.DEFAULT,
        object -> object.with(field, value));
  }

  @Test
  void remarksAreNoRules() {
    BootstrapPolicy.Declared role =
        BootstrapPolicy.parse(
                """
                # One.
                role reader
                  # Those alone.
                  READ core pods

                """)
            .getFirst();
    assertThat(role.object().array("rules").toString())
        .isEqualTo(
            "[{\"verbs\":[\"get\",\"list\",\"watch\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}]");
    assertThatThrownBy(() -> BootstrapPolicy.parse("role reader\n  READ core pods and nodes\n"))
        .hasMessage("No rule is \"READ core pods and nodes\".");
    assertThat(roles.get("clusterroles", "system:controller:node-controller").toString())
        .doesNotContain("Upstream");
  }

  @Test
  void theRolesAreMarkedAndComplete() {
    JsonObject admin = roles.get("clusterroles", "cluster-admin");
    assertThat(Metadata.of(admin).label("kubernetes.io/bootstrapping")).contains("rbac-defaults");
    assertThat(Metadata.of(admin).annotation("rbac.authorization.kubernetes.io/autoupdate"))
        .contains("true");
    assertThat(admin.array("rules").toString())
        .isEqualTo(
            "[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]},"
                + "{\"verbs\":[\"*\"],\"nonResourceURLs\":[\"*\"]}]");
    assertThat(roles.get("clusterrolebindings", "system:node").has("subjects")).isFalse();
    assertThat(
            roles
                .get(
                    "rolebindings", "kube-system/system::extension-apiserver-authentication-reader")
                .object("roleRef")
                .text("name"))
        .isEqualTo("extension-apiserver-authentication-reader");
  }

  @Test
  void aSecondStartWritesNothing() {
    long before = cluster.store.revision();
    reconcileAgain();
    new ClusterRoleAggregation(cluster.registry).close();
    assertThat(cluster.store.revision()).isEqualTo(before);
  }

  @Test
  void whatIsMissingComesBackAndWhatWasAddedStays() {
    change("clusterroles", "system:discovery", "rules", JsonArray.EMPTY);
    JsonObject extra = tree(rule("get", "", "pods"));
    JsonArray basic = roles.get("clusterroles", "system:basic-user").array("rules");
    change("clusterroles", "system:basic-user", "rules", basic.append(extra));
    change("clusterrolebindings", "system:discovery", "subjects", JsonArray.EMPTY);
    roles.delete("clusterroles", "system:heapster");

    reconcileAgain();

    assertThat(roles.get("clusterroles", "system:discovery").array("rules").toString())
        .contains("/openapi/*");
    assertThat(roles.get("clusterroles", "system:basic-user").array("rules").objects())
        .contains(extra);
    assertThat(roles.get("clusterrolebindings", "system:discovery").array("subjects").size())
        .isEqualTo(1);
    assertThat(roles.get("clusterroles", "system:heapster").array("rules").size()).isEqualTo(2);
  }

  @Test
  void whatIsProtectedIsLeftAlone() {
    JsonObject metadata = roles.get("clusterroles", "system:discovery").object("metadata");
    change(
        "clusterroles",
        "system:discovery",
        "metadata",
        metadata.with("annotations", JsonObject.of(PolicyReconciliation.AUTO_UPDATE, "false")));
    change("clusterroles", "system:discovery", "rules", JsonArray.EMPTY);
    reconcileAgain();
    assertThat(roles.get("clusterroles", "system:discovery").array("rules").isEmpty()).isTrue();
  }

  @Test
  void aBindingOfAnotherRoleIsMadeAnew() {
    roles.delete("clusterrolebindings", "system:discovery");
    roles.write(
        "clusterrolebindings",
        "",
        "{'metadata':{'name':'system:discovery'},'roleRef':{'kind':'ClusterRole','name':'other'}}");
    reconcileAgain();
    assertThat(roles.get("clusterrolebindings", "system:discovery").object("roleRef").text("name"))
        .isEqualTo("system:discovery");
  }

  @Test
  void theRolesOfUsersContainEachOther() {
    List<JsonObject> admin = roles.get("clusterroles", "admin").array("rules").objects();
    List<JsonObject> edit = roles.get("clusterroles", "edit").array("rules").objects();
    List<JsonObject> view = roles.get("clusterroles", "view").array("rules").objects();
    assertThat(admin).containsAll(edit).hasSizeGreaterThan(edit.size());
    assertThat(edit).containsAll(view).hasSizeGreaterThan(view.size());
    assertThat(view).isNotEmpty();
  }

  @Test
  void aRoleThatIsLabelledIsGatheredAndOneThatGoesIsNot() {
    try (ClusterRoleAggregation aggregation = new ClusterRoleAggregation(cluster.registry)) {
      assertThat(aggregation).isNotNull();
      int before = roles.get("clusterroles", "admin").array("rules").size();
      roles.write(
          "clusterroles",
          "",
          "{'metadata':{'name':'crontabs','labels':{'rbac.authorization.k8s.io/aggregate-to-view':'true'}},'rules':[%s]}"
              .formatted(rule("get", "stable.example.com", "crontabs")));
      cluster.time.settle();
      assertThat(roles.get("clusterroles", "view").array("rules").toString()).contains("crontabs");
      assertThat(roles.get("clusterroles", "admin").array("rules").size()).isEqualTo(before + 1);

      roles.delete("clusterroles", "crontabs");
      cluster.time.settle();
      assertThat(roles.get("clusterroles", "admin").array("rules").size()).isEqualTo(before);
    }
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource({
    "system:anonymous,             get,    /healthz,                          yes",
    "system:anonymous,             get,    /version,                          yes",
    "system:anonymous,             get,    /readyz,                           yes",
    "system:anonymous,             get,    /metrics,                          no",
    "system:anonymous,             get,    /apis,                             no",
    "system:anonymous,             get,    /openid/v1/jwks,                   no",
    "ann,                          get,    /apis/apps/v1,                     yes",
    "ann,                          get,    /openapi/v3,                       yes",
    "ann,                          get,    /metrics,                          no",
    "system:serviceaccount:a:b,    get,    /openid/v1/jwks,                   yes",
  })
  void pathsAreOpenToThoseWhoNeedThem(String who, String verb, String path, String allowed) {
    try (Rbac rbac = new Rbac(cluster.registry)) {
      assertThat(
              rbac.authorize(named(who), new Action.OnPath(verb, path)) instanceof Decision.Allowed)
          .isEqualTo(allowed.equals("yes"));
    }
  }

  @ParameterizedTest(name = "{0} {1} {2}.{3}: {4}")
  @CsvSource({
    "system:kube-scheduler,                              create, pods/binding,  '', yes",
    "system:kube-scheduler,                              create, pods,          '', no",
    "system:kube-controller-manager,                     list,   anything,      x,  yes",
    "system:serviceaccount:kube-system:node-controller,  patch,  nodes,         '', yes",
    "system:serviceaccount:kube-system:node-controller,  create, nodes,         '', no",
    "system:kube-proxy,                                  watch,  endpointslices, discovery.k8s.io,"
        + " yes",
    "ann, create, selfsubjectaccessreviews, authorization.k8s.io, yes",
    "ann, create, selfsubjectreviews,       authentication.k8s.io, yes",
    "ann, create, subjectaccessreviews,     authorization.k8s.io, no",
    "system:anonymous, create, selfsubjectreviews, authentication.k8s.io, no",
  })
  void componentsMayDoTheirWork(
      String who, String verb, String resource, String group, String allowed) {
    int slash = resource.indexOf('/');
    Action action =
        new Action.OnResource(
            verb,
            new GroupResource(group, slash < 0 ? resource : resource.substring(0, slash)),
            "",
            "",
            slash < 0 ? "" : resource.substring(slash + 1));
    try (Rbac rbac = new Rbac(cluster.registry)) {
      assertThat(rbac.authorize(named(who), action) instanceof Decision.Allowed)
          .isEqualTo(allowed.equals("yes"));
    }
  }

  private static User named(String who) {
    if (who.equals(User.ANONYMOUS_NAME)) {
      return User.ANONYMOUS;
    }
    return User.authenticated(
        who,
        who.startsWith("system:serviceaccount:") ? List.of("system:serviceaccounts") : List.of());
  }
}
