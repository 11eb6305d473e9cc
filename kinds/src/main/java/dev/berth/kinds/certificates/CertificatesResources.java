package dev.berth.kinds.certificates;

import dev.berth.kinds.column.Ages;
import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

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
        .names(name -> List.of())
        .rules(new CertificateRequestRules())
        .selectable("spec.signerName")
        .columns(
            Column.NAME,
            Column.AGE,
            Column.text("SignerName", "Who is to sign.", Cells.text("spec.signerName", "")),
            Column.text("Requestor", "Who asks.", Cells.text("spec.username", "")),
            Column.text(
                "RequestedDuration",
                "For how long the certificate is to be good.",
                CertificatesResources::duration),
            Column.text("Condition", "What became of it.", CertificatesResources::condition))
        .build();
  }

  private static String duration(JsonObject request) {
    OptionalLong seconds = request.object("spec").integer("expirationSeconds");
    return seconds.isPresent() ? Ages.of(Duration.ofSeconds(seconds.getAsLong())) : Cells.NONE;
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
