package dev.berth.access.rbac;

import static dev.berth.access.rbac.Roles.rule;
import static dev.berth.access.rbac.Roles.user;
import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.berth.access.AccessControl;
import dev.berth.access.BuiltInAuthorizer;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.admission.AdmissionChain;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.status.Status;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nobody gives away what they do not have. */
class EscalationCheckTest {
  private static final String MANAGE = rule("create,update,patch", RoleIndex.GROUP, "*");

  private final TestCluster cluster = new TestCluster();
  private final Roles roles = new Roles(cluster);
  private final Rbac rbac = new Rbac(cluster.registry);
  private final AccessControl access =
      new AccessControl(List.of(), List.of(new BuiltInAuthorizer(), rbac));
  private final Registry checked =
      new Registry(
          cluster.store,
          cluster.registry.catalog(),
          cluster.time,
          _ -> new AdmissionChain(List.of(new EscalationCheck(rbac, access))));

  @BeforeEach
  void letAnnManageRolesAndReadPods() {
    roles.clusterRole("manager", MANAGE + "," + rule("get,list", "", "pods"));
    roles.giveEverywhere("manager", user("ann"));
  }

  @AfterEach
  void close() {
    rbac.close();
  }

  private static WriteOptions by(String name, String... groups) {
    return new WriteOptions(false, "", "", User.authenticated(name, List.of(groups)));
  }

  private void write(String plural, String namespace, String json, WriteOptions options) {
    checked.create(roles.resource(plural), namespace, tree(json), options);
  }

  private static String role(String name, String... rules) {
    return "{'metadata':{'name':'%s'},'rules':[%s]}".formatted(name, String.join(",", rules));
  }

  private static String binding(String kind, String role) {
    return "{'metadata':{'name':'b'},'roleRef':{'kind':'%s','name':'%s'},'subjects':[%s]}"
        .formatted(kind, role, user("eve"));
  }

  @Test
  void whoHoldsAllOfARoleMayWriteIt() {
    write("roles", "default", role("pods", rule("get,list", "", "pods")), by("ann"));
    assertThat(roles.get("roles", "default/pods").array("rules").size()).isEqualTo(1);
  }

  @Test
  void whoDoesNotIsToldWhatIsMissing() {
    Status status =
        TestCluster.refused(() ->
            write(
                "clusterroles",
                "",
                role(
                    "more",
                    rule("get,watch,delete", "", "pods,secrets"),
                    "{'verbs':['get'],'nonResourceURLs':['/metrics']}"),
                by("ann", "staff")));
    assertThat(status.code()).isEqualTo(403);
    assertThat(status.message())
        .isEqualTo(
            """
            clusterroles.rbac.authorization.k8s.io "more" is forbidden: user "ann" (groups=["staff" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:
            {APIGroups:[""], Resources:["pods"], Verbs:["watch" "delete"]}
            {APIGroups:[""], Resources:["secrets"], Verbs:["get" "watch" "delete"]}
            {NonResourceURLs:["/metrics"], Verbs:["get"]}\
            """);
  }

  @Test
  void whoHoldsItForSomeObjectsOnlyDoesNotHoldIt() {
    roles.clusterRole(
        "one-node",
        "{'verbs':['get'],'apiGroups':[''],'resources':['nodes'],'resourceNames':['n1']}");
    roles.giveEverywhere("one-node", user("ann"));
    assertThat(
            TestCluster.refused(
                    () -> write("clusterroles", "", role("n", rule("get", "", "nodes")), by("ann")))
                .message())
        .endsWith("{APIGroups:[\"\"], Resources:[\"nodes\"], Verbs:[\"get\"]}");
    assertThatCode(() ->
            write(
                "clusterroles",
                "",
                role(
                    "n1",
                    "{'verbs':['get'],'apiGroups':[''],'resources':['nodes'],'resourceNames':['n1']}"),
                by("ann")))
        .doesNotThrowAnyException();
  }

  @Test
  void anUpdateIsCheckedToo() {
    roles.role("default", "r", rule("get", "", "pods"));
    Status status =
        TestCluster.refused(() ->
            checked.update(
                roles.resource("roles"),
                new ObjectName("default", "r"),
                tree(role("r", rule("delete", "", "pods"))),
                by("ann")));
    assertThat(status.message()).contains("Verbs:[\"delete\"]");
  }

  @Test
  void theVerbEscalateLetsOneWriteAnyRole() {
    roles.clusterRole("trusted", rule("escalate", RoleIndex.GROUP, "clusterroles"));
    roles.giveEverywhere("trusted", user("ann"));
    write("clusterroles", "", role("root", rule("*", "*", "*")), by("ann"));
    assertThat(roles.get("clusterroles", "root").array("rules").size()).isEqualTo(1);
  }

  @Test
  void theAdministratorMayWriteAnything() {
    write("clusterroles", "", role("root", rule("*", "*", "*")), by("admin", User.MASTERS));
    assertThat(roles.get("clusterroles", "root").array("rules").size()).isEqualTo(1);
  }

  @Test
  void gatheringTheRulesOfOthersTakesAllRights() {
    String gathering =
        "{'metadata':{'name':'g'},'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'a':'b'}}]}}";
    assertThat(TestCluster.refused(() -> write("clusterroles", "", gathering, by("ann"))).message())
        .isEqualTo(
            "clusterroles.rbac.authorization.k8s.io \"g\" is forbidden: must have cluster-admin"
                + " privileges to use the aggregationRule");
  }

  @Test
  void aBindingTakesTheRightsOfItsRole() {
    roles.clusterRole("pods", rule("get", "", "pods"));
    roles.clusterRole("secrets", rule("get", "", "secrets"));
    write("rolebindings", "default", binding("ClusterRole", "pods"), by("ann"));
    assertThat(
            TestCluster.refused(() ->
                    write("clusterrolebindings", "", binding("ClusterRole", "secrets"), by("ann")))
                .message())
        .startsWith(
            "clusterrolebindings.rbac.authorization.k8s.io \"b\" is forbidden: user \"ann\"")
        .endsWith("{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}");
  }

  @Test
  void theVerbBindLetsOneGiveARole() {
    roles.clusterRole("secrets", rule("get", "", "secrets"));
    roles.role(
        "default",
        "binder",
        "{'verbs':['bind'],'apiGroups':['rbac.authorization.k8s.io'],'resources':['clusterroles'],'resourceNames':['secrets']}");
    roles.give("default", "Role", "binder", user("ann"));
    write("rolebindings", "default", binding("ClusterRole", "secrets"), by("ann"));
    assertThat(
            TestCluster.refused(() ->
                    write("clusterrolebindings", "", binding("ClusterRole", "secrets"), by("ann")))
                .code())
        .isEqualTo(403);
  }

  @Test
  void aRoleThatIsMissingCannotBeGivenByWhoMayNotBindIt() {
    Status status =
        TestCluster.refused(
            () -> write("rolebindings", "default", binding("Role", "gone"), by("ann")));
    assertThat(status.code()).isEqualTo(404);
    assertThat(status.message()).isEqualTo("roles.rbac.authorization.k8s.io \"gone\" not found");
  }
}
