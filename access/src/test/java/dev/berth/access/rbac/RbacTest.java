package dev.berth.access.rbac;

import static dev.berth.access.rbac.Roles.group;
import static dev.berth.access.rbac.Roles.rule;
import static dev.berth.access.rbac.Roles.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.Action;
import dev.berth.access.Authorizer.Decision;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.user.User;
import dev.berth.registry.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What roles allow. */
class RbacTest {
  private final TestCluster cluster = new TestCluster();
  private final Roles roles = new Roles(cluster);
  private final Rbac rbac = new Rbac(cluster.registry);

  @AfterEach
  void close() {
    rbac.close();
  }

  @BeforeEach
  void giveRoles() {
    roles.clusterRole("reader", rule("get,list", ",apps", "pods,deployments"));
    roles.giveEverywhere("reader", user("ann") + "," + group("staff"));
    roles.clusterRole("scaler", rule("update", "*", "*/scale"));
    roles.giveEverywhere("scaler", user("ann"));
    roles.clusterRole("root", rule("*", "*", "*") + ",{'verbs':['*'],'nonResourceURLs':['*']}");
    roles.giveEverywhere("root", user("root"));
    roles.clusterRole(
        "prober", "{'verbs':['get'],'nonResourceURLs':['/healthz','/livez/*','/logs*']}");
    roles.giveEverywhere("prober", user("probe"));
    roles.role(
        "default",
        "one-secret",
        "{'verbs':['get'],'apiGroups':[''],'resources':['secrets'],'resourceNames':['mine']}");
    roles.give("default", "Role", "one-secret", "{'kind':'ServiceAccount','name':'robot'}");
    roles.role("default", "logs", rule("get", "", "pods/log"));
    roles.give("default", "Role", "logs", user("ann"));
    roles.give("kube-system", "ClusterRole", "reader", user("bob"));
  }

  @ParameterizedTest(name = "{0} {1} {2}/{3} {4}/{5} in {6}: {7}")
  @CsvSource(
      nullValues = "-",
      value = {
        "ann,   get,    '',   pods,        x,    '',     default,     yes",
        "ann,   list,   apps, deployments, '',   '',     '',          yes",
        "ann,   watch,  '',   pods,        '',   '',     default,     no",
        "ann,   get,    '',   secrets,     x,    '',     default,     no",
        "ann,   get,    core, pods,        x,    '',     default,     no",
        "ann,   get,    '',   pods,        x,    log,    default,     yes",
        "ann,   get,    '',   pods,        x,    status, default,     no",
        "ann,   get,    '',   pods,        x,    log,    kube-system, no",
        "ann,   update, apps, deployments, x,    scale,  default,     yes",
        "ann,   update, apps, deployments, x,    '',     default,     no",
        "staff, list,   '',   pods,        '',   '',     '',          yes",
        "bob,   get,    '',   pods,        x,    '',     kube-system, yes",
        "bob,   get,    '',   pods,        x,    '',     default,     no",
        "bob,   list,   '',   pods,        '',   '',     '',          no",
        "robot, get,    '',   secrets,     mine, '',     default,     yes",
        "robot, get,    '',   secrets,     your, '',     default,     no",
        "robot, list,   '',   secrets,     '',   '',     default,     no",
        "root,  delete, any,  thing,       x,    sub,    anywhere,    yes",
        "nobody, get,   '',   pods,        x,    '',     default,     no",
      })
  void rulesAllowWhatFitsThem(
      String who,
      String verb,
      String apiGroup,
      String resource,
      String name,
      String subresource,
      String namespace,
      String allowed) {
    Action action =
        new Action.OnResource(
            verb, new GroupResource(apiGroup, resource), namespace, name, subresource);
    assertThat(rbac.authorize(named(who), action) instanceof Decision.Allowed)
        .isEqualTo(allowed.equals("yes"));
  }

  private static User named(String who) {
    return switch (who) {
      case "staff" -> User.authenticated("sue", List.of("staff"));
      case "robot" -> User.authenticated("system:serviceaccount:default:robot", List.of());
      default -> User.authenticated(who, List.of());
    };
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource({
    "probe, get,  /healthz,      yes",
    "probe, get,  /healthz/ping, no",
    "probe, get,  /livez/ping,   yes",
    "probe, get,  /livez,        no",
    "probe, get,  /logs,         yes",
    "probe, get,  /logs/today,   yes",
    "probe, post, /healthz,      no",
    "ann,   get,  /healthz,      no",
    "root,  post, /anything,     yes",
  })
  void rulesAllowPaths(String who, String verb, String path, String allowed) {
    assertThat(
            rbac.authorize(named(who), new Action.OnPath(verb, path)) instanceof Decision.Allowed)
        .isEqualTo(allowed.equals("yes"));
  }

  private Decision getPod(String who) {
    return rbac.authorize(
        named(who),
        new Action.OnResource("get", new GroupResource("", "pods"), "default", "p", ""));
  }

  @Test
  void theReasonNamesTheBinding() {
    assertThat(getPod("ann").reason())
        .isEqualTo(
            "RBAC: allowed by ClusterRoleBinding \"give-reader\" of ClusterRole \"reader\" to User"
                + " \"ann\"");
    roles.give("default", "ClusterRole", "reader", user("bob"));
    assertThat(getPod("bob").reason())
        .isEqualTo(
            "RBAC: allowed by RoleBinding \"give-reader/default\" of ClusterRole \"reader\" to User"
                + " \"bob\"");
  }

  @Test
  void whatIsWrittenCountsAtOnce() {
    assertThat(getPod("new")).isEqualTo(Decision.NO_OPINION);
    roles.role("default", "fresh", rule("get", "", "pods"));
    roles.give("default", "Role", "fresh", user("new"));
    assertThat(getPod("new")).isInstanceOf(Decision.Allowed.class);
    roles.delete("rolebindings", "default/give-fresh");
    assertThat(getPod("new")).isEqualTo(Decision.NO_OPINION);
    roles.delete("clusterrolebindings", "give-reader");
    assertThat(getPod("ann")).isEqualTo(Decision.NO_OPINION);
  }

  @Test
  void whoIsRefusedIsToldOfRolesThatAreMissing() {
    roles.giveEverywhere("gone", user("new"));
    assertThat(getPod("new").reason())
        .isEqualTo("RBAC: clusterrole.rbac.authorization.k8s.io \"gone\" not found");
    roles.give("default", "Role", "lost", user("new"));
    assertThat(getPod("new").reason())
        .isEqualTo(
            "RBAC: [clusterrole.rbac.authorization.k8s.io \"gone\" not found,"
                + " role.rbac.authorization.k8s.io \"lost\" not found]");
  }

  @Test
  void theRulesOfAUserAreThoseOfTheClusterAndOfTheNamespace() {
    assertThat(rbac.rules(named("ann"), "").rules()).hasSize(2);
    assertThat(rbac.rules(named("ann"), "default").rules())
        .extracting(PolicyRule::toString)
        .contains("{APIGroups:[\"\"], Resources:[\"pods/log\"], Verbs:[\"get\"]}");
  }
}
