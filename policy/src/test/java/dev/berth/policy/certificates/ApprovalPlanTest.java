package dev.berth.policy.certificates;

import static dev.berth.policy.certificates.Requests.CLIENT;
import static dev.berth.policy.certificates.Requests.NOW;
import static dev.berth.policy.certificates.Requests.SERVING;
import static dev.berth.policy.certificates.Requests.node;
import static dev.berth.policy.certificates.Requests.request;
import static dev.berth.policy.certificates.Requests.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which requests are approved by themselves. */
class ApprovalPlanTest {
  private static final String KUBELET_CLIENT = "kube-apiserver-client-kubelet";

  private final NodeAddresses nodes = new NodeAddresses();

  private ApprovalPlan decide(CertificateRequest request, NodePermission... granted) {
    return ApprovalPlan.decide(
        new ApprovalPlan.Snapshot(request, List.of(granted).stream().findFirst(), nodes), NOW);
  }

  private static String message(ApprovalPlan plan) {
    JsonObject approved = ((ApprovalAction.Approve) plan.actions().getFirst()).request();
    JsonObject condition = approved.object("status").array("conditions").objects().getFirst();
    assertThat(condition.text("type")).isEqualTo("Approved");
    assertThat(condition.text("status")).isEqualTo("True");
    assertThat(condition.text("reason")).isEqualTo("AutoApproved");
    assertThat(condition.text("lastUpdateTime")).isEqualTo("2026-05-01T12:00:00Z");
    return condition.text("message", "");
  }

  private static CertificateRequest joining() {
    return request(
        KUBELET_CLIENT, "system:bootstrap:abcdef", "system:bootstrappers", CLIENT, node("a"));
  }

  private static CertificateRequest renewing() {
    return request(KUBELET_CLIENT, "system:node:a", "system:nodes", CLIENT, node("a"));
  }

  private static CertificateRequest serving(String user, String group, String... names) {
    return request("kubelet-serving", user, group, SERVING, node("a", names));
  }

  @Test
  void aMachineBecomesANodeByPermission() {
    assertThat(NodePermission.of(joining())).containsExactly(NodePermission.NODE_CLIENT);
    assertThat(message(decide(joining(), NodePermission.NODE_CLIENT)))
        .isEqualTo("Auto approving kubelet client certificate after SubjectAccessReview.");
  }

  @Test
  void aNodeRenewsItsOwnCertificateByAnotherPermission() {
    assertThat(NodePermission.of(renewing()))
        .containsExactly(NodePermission.SELF_NODE_CLIENT, NodePermission.NODE_CLIENT);
    assertThat(message(decide(renewing(), NodePermission.SELF_NODE_CLIENT)))
        .isEqualTo("Auto approving self kubelet client certificate after SubjectAccessReview.");
  }

  @Test
  void withoutPermissionARequestWaitsAndIsAskedAboutAgain() {
    ApprovalPlan plan = decide(renewing());
    assertThat(plan.actions()).isEmpty();
    assertThat(plan.isAskedAgain()).isTrue();
    assertThat(plan.pending())
        .contains(
            "recognized as [selfnodeclient, nodeclient] but subject access review was not approved");
  }

  @Test
  void othersAreNobodysBusiness() {
    CertificateRequest user =
        request("kube-apiserver-client", "jane", "developers", "client auth", node("a"));
    CertificateRequest asServer =
        request(KUBELET_CLIENT, "system:node:a", "system:nodes", SERVING, node("a"));
    for (CertificateRequest request : List.of(user, asServer)) {
      assertThat(NodePermission.of(request)).isEmpty();
      assertThat(decide(request).actions()).isEmpty();
      assertThat(decide(request).pending()).isEmpty();
    }
    var unreadable = CertificateRequest.read(joining().tree(), Optional.empty());
    assertThat(NodePermission.of(unreadable)).isEmpty();
    assertThat(decide(unreadable).actions()).isEmpty();
  }

  @Test
  void whatIsDecidedIsLeftAlone() {
    for (String decided : List.of("Approved", "Denied")) {
      assertThat(decide(with(joining(), decided), NodePermission.NODE_CLIENT).actions()).isEmpty();
    }
  }

  @Test
  void aServingCertificateIsApprovedForTheNodesOwnAddresses() {
    nodes.put("a", List.of("a", "A.example", "10.0.0.1", "2001:db8::1"));
    nodes.put("b", List.of("b", "10.0.0.2"));
    assertThat(
            message(
                decide(
                    serving(
                        "system:node:a",
                        "system:nodes",
                        "a",
                        "a.EXAMPLE",
                        "10.0.0.1",
                        "2001:db8:0:0:0:0:0:1"))))
        .startsWith("Auto approving kubelet serving certificate");
  }

  @Test
  void aServingCertificateWaitsOtherwise() {
    assertWaits(serving("system:node:a", "system:nodes", "a"), "there is no node a");
    nodes.put("a", List.of("a", "10.0.0.1"));
    assertWaits(
        serving("system:node:a", "system:nodes", "a", "10.0.0.2"),
        "10.0.0.2 is not among the addresses of node a");
    assertWaits(
        serving("system:node:a", "system:nodes", "b"), "b is not among the addresses of node a");
    String notItself =
        ", but only system:node:a itself gets its serving certificate approved automatically";
    assertWaits(
        serving("system:node:b", "system:nodes", "a"), "requested by system:node:b" + notItself);
    assertWaits(serving("jane", "system:nodes", "a"), "requested by jane" + notItself);
    assertWaits(
        serving("system:node:a", "developers", "a"), "requested by system:node:a" + notItself);
  }

  @Test
  void anAddressThatAnotherNodeClaimsTooIsNobodysOwn() {
    nodes.put("a", List.of("a", "10.0.0.1"));
    nodes.put("b", List.of("b", "10.0.0.1"));
    CertificateRequest request = serving("system:node:a", "system:nodes", "a", "10.0.0.1");
    assertWaits(request, "10.0.0.1 is an address of node b as well as of node a");
    nodes.put("b", List.of("b"));
    assertThat(decide(request).actions()).hasSize(1);
    nodes.put("b", List.of("b", "10.0.0.1"));
    nodes.remove("b");
    assertThat(decide(request).actions()).hasSize(1);
    nodes.remove("a");
    assertWaits(request, "there is no node a");
  }

  private void assertWaits(CertificateRequest request, String why) {
    ApprovalPlan plan = decide(request);
    assertThat(plan.actions()).isEmpty();
    assertThat(plan.isAskedAgain()).isFalse();
    assertThat(plan.pending()).contains(why);
  }
}
