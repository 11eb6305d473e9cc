package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.apiserver.fixture.LocalServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Identities and rights through the real {@code kubectl}, over TLS. */
class KubectlAuthTest {
  @TempDir static Path directory;

  private static LocalServer server;

  @BeforeAll
  static void start() throws Exception {
    Path tokens =
        Files.writeString(directory.resolve("tokens.csv"), "ann-token,ann,7,\"staff,night\"\n");
    server = LocalServer.open(directory, new AccessConfig(tokens, AccessConfig.DEFAULT.issuer()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** The administrator's kubeconfig, but with a token. */
  private static void useToken(String name, String token) throws IOException {
    String admin = Files.readString(server.kubeconfig());
    String other =
        admin
            .replaceFirst("client-certificate-data: .*", "token: " + token)
            .replaceFirst(" *client-key-data: .*\n", "");
    Files.writeString(directory.resolve(name), other);
  }

  /** What kubectl says, whether it likes it or not. */
  private static String kubectl(String kubeconfig, String... arguments) {
    return new Kubectl(directory, directory.resolve(kubeconfig)).run(arguments);
  }

  private static String admin(String... arguments) {
    return new Kubectl(directory, server.kubeconfig()).run(arguments);
  }

  @Test
  void saysWhoOneIs() throws Exception {
    assertThat(admin("auth", "whoami")).contains("system:masters", "system:authenticated");
    useToken("ann", "ann-token");
    assertThat(kubectl("ann", "auth", "whoami", "-o", "jsonpath={.status.userInfo}"))
        .isEqualTo(
            "{\"groups\":[\"staff\",\"night\",\"system:authenticated\"],\"uid\":\"7\",\"username\":\"ann\"}");
    useToken("nobody", "wrong");
    assertThat(kubectl("nobody", "get", "pods"))
        .contains("You must be logged in to the server (Unauthorized)");
  }

  @Test
  void saysWhatOneMayDo() throws Exception {
    useToken("ann", "ann-token");
    assertThat(admin("auth", "can-i", "delete", "pods")).isEqualTo("yes\n");
    assertThat(kubectl("ann", "auth", "can-i", "list", "pods")).isEqualTo("no\n");
    assertThat(kubectl("ann", "get", "pods"))
        .isEqualTo(
            "Error from server (Forbidden): pods is forbidden: User \"ann\" cannot list resource"
                + " \"pods\" in API group \"\" in the namespace \"default\"\n");
    assertThat(admin("create", "rolebinding", "staff-view", "--clusterrole=view", "--group=staff"))
        .isEqualTo("rolebinding.rbac.authorization.k8s.io/staff-view created\n");
    assertThat(kubectl("ann", "auth", "can-i", "list", "pods")).isEqualTo("yes\n");
    assertThat(kubectl("ann", "auth", "can-i", "list", "pods", "-n", "kube-system"))
        .isEqualTo("no\n");
    assertThat(kubectl("ann", "auth", "can-i", "get", "/healthz")).isEqualTo("yes\n");
    assertThat(kubectl("ann", "auth", "can-i", "--list"))
        .contains("deployments.apps", "[/healthz]", "[get list watch]");
    assertThat(kubectl("ann", "get", "pods"))
        .isEqualTo("No resources found in default namespace.\n");
  }

  @Test
  void actsAsOthers() throws Exception {
    assertThat(admin("auth", "can-i", "list", "secrets", "--as", "bob")).isEqualTo("no\n");
    assertThat(
            admin(
                "auth", "can-i", "list", "secrets", "--as", "bob", "--as-group", "system:masters"))
        .isEqualTo("yes\n");
    assertThat(admin("get", "nodes", "--as", "bob"))
        .contains(
            "User \"bob\" cannot list resource \"nodes\" in API group \"\" at the cluster scope");
    assertThat(
            admin(
                "auth",
                "whoami",
                "--as",
                "bob",
                "--as-uid",
                "9",
                "-o",
                "jsonpath={.status.userInfo.uid}"))
        .isEqualTo("9");
  }

  @Test
  void makesTokensOfServiceAccounts() throws Exception {
    assertThat(admin("create", "serviceaccount", "robot"))
        .isEqualTo("serviceaccount/robot created\n");
    String token = admin("create", "token", "robot", "--duration=10m").strip();
    useToken("robot", token);
    assertThat(kubectl("robot", "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"))
        .isEqualTo("system:serviceaccount:default:robot");
    assertThat(admin("create", "token", "robot", "--duration=1m"))
        .contains("may not specify a duration less than 10 minutes");
    admin("create", "role", "cm", "--verb=get,list", "--resource=configmaps");
    admin("create", "rolebinding", "cm", "--role=cm", "--serviceaccount=default:robot");
    assertThat(kubectl("robot", "auth", "can-i", "list", "configmaps")).isEqualTo("yes\n");
    admin("delete", "serviceaccount", "robot");
    assertThat(kubectl("robot", "get", "configmaps")).contains("Unauthorized");
  }

  @Test
  void nobodyGivesAwayWhatTheyDoNotHave() throws Exception {
    useToken("ann", "ann-token");
    admin(
        "create",
        "clusterrole",
        "plain-writer",
        "--verb=create,get,update,patch",
        "--resource=roles,rolebindings");
    admin("create", "clusterrolebinding", "ann-plain", "--clusterrole=plain-writer", "--user=ann");
    assertThat(kubectl("ann", "create", "role", "thief", "--verb=get", "--resource=secrets"))
        .contains(
            "roles.rbac.authorization.k8s.io \"thief\" is forbidden: user \"ann\" (groups=[\"staff\""
                + " \"night\" \"system:authenticated\"]) is attempting to grant RBAC permissions not"
                + " currently held:\n{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}");
    assertThat(
            kubectl("ann", "create", "rolebinding", "thief", "--clusterrole=admin", "--user=ann"))
        .contains("is attempting to grant RBAC permissions not currently held");
  }

  @Test
  void showsTheStandardRoles() throws Exception {
    assertThat(admin("get", "clusterroles", "-o", "name").lines())
        .contains(
            "clusterrole.rbac.authorization.k8s.io/cluster-admin",
            "clusterrole.rbac.authorization.k8s.io/view",
            "clusterrole.rbac.authorization.k8s.io/system:node");
    assertThat(admin("describe", "clusterrole", "view")).contains("pods/log", "[get list watch]");
    assertThat(admin("auth", "reconcile", "--dry-run=client", "-f", roleFile()))
        .contains("reconciled");
  }

  private static String roleFile() throws IOException {
    return Files.writeString(
            directory.resolve("role.yaml"),
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: written, namespace: default}
            rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
            """)
        .toString();
  }
}
