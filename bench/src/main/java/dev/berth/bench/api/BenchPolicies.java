package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;

/** Three policies that change a pod and five that check it, as a cluster of several teams has. */
public final class BenchPolicies {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

  private static final String[] MUTATIONS = {
    "Object{metadata: Object.metadata{labels: {\"team\": request.userInfo.username.replace(\":\","
        + " \"-\")}}}",
    "Object{spec: Object.spec{terminationGracePeriodSeconds: 15}}",
    "Object{metadata: Object.metadata{annotations: {\"containers\":"
        + " string(object.spec.containers.size())}}}",
  };

  private static final String[] VALIDATIONS = {
    "object.spec.containers.all(c, !c.image.endsWith(':latest'))",
    "object.spec.containers.all(c, has(c.resources) && c.name.matches('^[a-z0-9-]+$'))",
    "!has(object.spec.hostNetwork) || !object.spec.hostNetwork",
    "request.userInfo.groups.exists(g, g.startsWith('system:')) || request.namespace != 'default'",
    "has(object.metadata.labels) && object.metadata.labels.all(k, object.metadata.labels[k] != '')",
  };

  private BenchPolicies() {}

  public static void create(Control control) throws IOException, InterruptedException {
    for (int i = 0; i < MUTATIONS.length; i++) {
      String spec =
          "\"reinvocationPolicy\":\"Never\",\"mutations\":[{\"patchType\":\"ApplyConfiguration\","
              + "\"applyConfiguration\":{\"expression\":"
              + quoted(MUTATIONS[i])
              + "}}]";
      create(control, "mutating", "MutatingAdmissionPolicy", "m" + i, spec, "");
    }
    for (int i = 0; i < VALIDATIONS.length; i++) {
      String spec = "\"validations\":[{\"expression\":" + quoted(VALIDATIONS[i]) + "}]";
      create(
          control,
          "validating",
          "ValidatingAdmissionPolicy",
          "v" + i,
          spec,
          ",\"validationActions\":[\"Deny\"]");
    }
  }

  private static void create(
      Control control, String plural, String kind, String name, String spec, String binding)
      throws IOException, InterruptedException {
    String head = "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":\"%s\",";
    String match =
        "\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"],"
            + "\"resources\":[\"pods\"],\"operations\":[\"CREATE\"]}]},";
    control.post(
        GROUP + plural + "admissionpolicies",
        (head.formatted(kind)
                + "\"metadata\":{\"name\":\""
                + name
                + "\"},\"spec\":{"
                + match
                + spec
                + "}}")
            .getBytes(UTF_8));
    control.post(
        GROUP + plural + "admissionpolicybindings",
        (head.formatted(kind + "Binding")
                + "\"metadata\":{\"name\":\""
                + name
                + "\"},\"spec\":{\"policyName\":\""
                + name
                + "\""
                + binding
                + "}}")
            .getBytes(UTF_8));
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
