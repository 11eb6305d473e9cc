package dev.berth.kinds.admissionregistration;

import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
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

  private static final String STATIC = ".static.k8s.io";

  private static final ObjectWarnings STATIC_NAMES =
      ObjectWarnings.whenWritten(object ->
          Metadata.of(object).name().endsWith(STATIC)
              ? List.of(
                  "metadata.name: names ending with \"%s\" are reserved for static manifest-based configurations and cannot be managed via the API"
                      .formatted(STATIC))
              : List.of());

  private static final String UNSET = "<unset>";

  private static final Column PARAM_KIND =
      Column.text(
          "ParamKind", "The kind of parameters.", AdmissionRegistrationResources::paramKind);

  private static final Column POLICY_NAME =
      Column.text(
          "PolicyName",
          "The policy that is in force.",
          binding -> binding.object("spec").text("policyName", ""));

  private static final Column PARAM_REF =
      Column.text("ParamRef", "The parameters.", AdmissionRegistrationResources::paramRef);

  private AdmissionRegistrationResources() {}

  public static List<Resource> all() {
    return List.of(
        Resource.clusterWide(GROUP, V1, "MutatingWebhookConfiguration")
            .categories("api-extensions")
            .countsGeneration()
            .rules(new WebhookRules(true))
            .anyFinalizers()
            .warnings(STATIC_NAMES)
            .columns(Column.NAME, WEBHOOKS, Column.AGE)
            .build(),
        Resource.clusterWide(GROUP, V1, "ValidatingWebhookConfiguration")
            .categories("api-extensions")
            .countsGeneration()
            .rules(new WebhookRules(false))
            .anyFinalizers()
            .warnings(STATIC_NAMES)
            .columns(Column.NAME, WEBHOOKS, Column.AGE)
            .build(),
        Resource.clusterWide(GROUP, V1, "ValidatingAdmissionPolicy")
            .categories("api-extensions")
            .plural("validatingadmissionpolicies")
            .status()
            .countsGeneration()
            .rules(new ValidatingPolicyRules())
            .anyFinalizers()
            .warnings(STATIC_NAMES)
            .columns(Column.NAME, count("validations"), PARAM_KIND, Column.AGE)
            .build(),
        Resource.clusterWide(GROUP, V1, "ValidatingAdmissionPolicyBinding")
            .categories("api-extensions")
            .countsGeneration()
            .rules(new PolicyBindingRules(false))
            .anyFinalizers()
            .warnings(STATIC_NAMES)
            .columns(Column.NAME, POLICY_NAME, PARAM_REF, Column.AGE)
            .build(),
        Resource.clusterWide(GROUP, V1, "MutatingAdmissionPolicy")
            .categories("api-extensions")
            .plural("mutatingadmissionpolicies")
            .countsGeneration()
            .rules(new MutatingPolicyRules())
            .anyFinalizers()
            .warnings(STATIC_NAMES)
            .columns(Column.NAME, count("mutations"), PARAM_KIND, Column.AGE)
            .build(),
        Resource.clusterWide(GROUP, V1, "MutatingAdmissionPolicyBinding")
            .categories("api-extensions")
            .countsGeneration()
            .rules(new PolicyBindingRules(true))
            .anyFinalizers()
            .warnings(STATIC_NAMES)
            .columns(Column.NAME, POLICY_NAME, PARAM_REF, Column.AGE)
            .build());
  }

  private static Column count(String field) {
    return Column.number(
        field.equals("validations") ? "Validations" : "Mutations",
        "How many there are.",
        policy -> (long) policy.object("spec").array(field).size());
  }

  private static String paramKind(JsonObject policy) {
    JsonObject kind = policy.object("spec").object("paramKind");
    return kind.isEmpty() ? UNSET : kind.text("apiVersion", "") + "/" + kind.text("kind", "");
  }

  private static String paramRef(JsonObject binding) {
    JsonObject ref = binding.object("spec").object("paramRef");
    String name = ref.text("name", "");
    if (!name.isEmpty()) {
      return ref.text("namespace", "*") + "/" + name;
    }
    return ref.has("selector") ? SelectorText.of(ref.object("selector")) : UNSET;
  }
}
