package dev.berth.kinds.admissionregistration;

import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import java.util.List;

/** The group admissionregistration.k8s.io. */
public final class AdmissionRegistrationResources {
  private static final String V1 = "v1";
  private static final String GROUP = "admissionregistration.k8s.io";

  private static final Column WEBHOOKS =
      Column.number(
          "Webhooks",
          "How many there are.",
          configuration -> (long) configuration.array("webhooks").size());

  private AdmissionRegistrationResources() {}

  public static List<Resource> all() {
    return List.of(
        Resource.clusterWide(GROUP, V1, "MutatingWebhookConfiguration")
            .categories("api-extensions")
            .countsGeneration()
            .rules(new WebhookRules(true))
            .columns(Column.NAME, WEBHOOKS, Column.AGE)
            .build(),
        Resource.clusterWide(GROUP, V1, "ValidatingWebhookConfiguration")
            .categories("api-extensions")
            .countsGeneration()
            .rules(new WebhookRules(false))
            .columns(Column.NAME, WEBHOOKS, Column.AGE)
            .build(),
        Resource.clusterWide(GROUP, V1, "ValidatingAdmissionPolicy")
            .plural("validatingadmissionpolicies")
            .status()
            .countsGeneration()
            .build(),
        Resource.clusterWide(GROUP, V1, "ValidatingAdmissionPolicyBinding")
            .countsGeneration()
            .build(),
        Resource.clusterWide(GROUP, V1, "MutatingAdmissionPolicy")
            .plural("mutatingadmissionpolicies")
            .countsGeneration()
            .build(),
        Resource.clusterWide(GROUP, V1, "MutatingAdmissionPolicyBinding")
            .countsGeneration()
            .build());
  }
}
