package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.table.Cells;
import dev.berth.apiserver.table.Column;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The groups about who may do what: roles, certificates, admission. */
final class AccessResources {
  private static final String V1 = "v1";
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String ADMISSION = "admissionregistration.k8s.io";

  private static final Column CREATED_AT =
      Column.text(
          "Created At", "When it was created.", Cells.text("metadata.creationTimestamp", ""));

  private static final Column ROLE =
      Column.text(
          "Role",
          "What is given.",
          binding -> {
            JsonObject role = binding.object("roleRef");
            return role.text("kind", "") + "/" + role.text("name", "");
          });

  private static final Column WEBHOOKS =
      Column.number(
          "Webhooks",
          "How many there are.",
          configuration -> (long) configuration.array("webhooks").size());

  private AccessResources() {}

  static List<Resource> all() {
    return List.of(
        Resource.clusterWide(ADMISSION, V1, "MutatingWebhookConfiguration")
            .countsGeneration()
            .rules(new WebhookRules(true))
            .columns(Column.NAME, WEBHOOKS, Column.AGE)
            .build(),
        Resource.clusterWide(ADMISSION, V1, "ValidatingWebhookConfiguration")
            .countsGeneration()
            .rules(new WebhookRules(false))
            .columns(Column.NAME, WEBHOOKS, Column.AGE)
            .build(),
        Resource.clusterWide(ADMISSION, V1, "ValidatingAdmissionPolicy")
            .plural("validatingadmissionpolicies")
            .status()
            .countsGeneration()
            .build(),
        Resource.clusterWide(ADMISSION, V1, "ValidatingAdmissionPolicyBinding")
            .countsGeneration()
            .build(),
        Resource.clusterWide(ADMISSION, V1, "MutatingAdmissionPolicy")
            .plural("mutatingadmissionpolicies")
            .countsGeneration()
            .build(),
        Resource.clusterWide(ADMISSION, V1, "MutatingAdmissionPolicyBinding")
            .countsGeneration()
            .build(),
        certificateSigningRequests(),
        Resource.clusterWide(RBAC, V1, "ClusterRoleBinding")
            .names(NameRules::pathSegment)
            .columns(Column.NAME, ROLE, Column.AGE)
            .rules(new RoleRefRules(true))
            .build(),
        Resource.clusterWide(RBAC, V1, "ClusterRole")
            .names(NameRules::pathSegment)
            .rules(new RoleRules(true))
            .columns(Column.NAME, CREATED_AT)
            .build(),
        Resource.namespaced(RBAC, V1, "RoleBinding")
            .names(NameRules::pathSegment)
            .columns(Column.NAME, ROLE, Column.AGE)
            .rules(new RoleRefRules(false))
            .build(),
        Resource.namespaced(RBAC, V1, "Role")
            .names(NameRules::pathSegment)
            .rules(new RoleRules(false))
            .columns(Column.NAME, CREATED_AT)
            .build());
  }

  private static Resource certificateSigningRequests() {
    return Resource.clusterWide("certificates.k8s.io", V1, "CertificateSigningRequest")
        .shortNames("csr")
        .status()
        .subresource(CertificateRequestRules.APPROVAL, "get", "patch", "update")
        .rules(new CertificateRequestRules())
        .selectable("spec.signerName")
        .columns(
            Column.NAME,
            Column.AGE,
            Column.text("SignerName", "Who is to sign.", Cells.text("spec.signerName", "")),
            Column.text("Requestor", "Who asks.", Cells.text("spec.username", "")),
            Column.text("Condition", "What became of it.", AccessResources::condition))
        .build();
  }

  private static String condition(JsonObject request) {
    JsonObject status = request.object("status");
    JsonArray conditions = status.array("conditions");
    String word =
        Conditions.isTrue(conditions, "Denied")
            ? "Denied"
            : Conditions.isTrue(conditions, "Approved") ? "Approved" : "Pending";
    word = Conditions.isTrue(conditions, "Failed") ? word + ",Failed" : word;
    return status.text("certificate", "").isEmpty() ? word : word + ",Issued";
  }
}
