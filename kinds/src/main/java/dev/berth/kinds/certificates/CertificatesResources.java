package dev.berth.kinds.certificates;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The group certificates.k8s.io. */
public final class CertificatesResources {
  private static final String V1 = "v1";

  private CertificatesResources() {}

  public static List<Resource> all() {
    return List.of(certificateSigningRequests());
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
            Column.text("Condition", "What became of it.", CertificatesResources::condition))
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
