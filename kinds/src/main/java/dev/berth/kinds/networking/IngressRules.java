package dev.berth.kinds.networking;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Ingresses: which requests from outside go to which services. */
final class IngressRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath POINTS = FieldPath.of("status", "loadBalancer", "ingress");
  private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";

  @Override
  public List<FieldError> validate(JsonObject ingress) {
    List<FieldError> errors = new ArrayList<>(spec(ingress.object("spec"), Leniency.NONE));
    String annotated = Metadata.of(ingress).annotations().text(CLASS_ANNOTATION);
    String named = ingress.object("spec").text("ingressClassName");
    if (annotated != null && named != null && !annotated.equals(named)) {
      errors.add(
          FieldError.invalid(
              "annotations." + CLASS_ANNOTATION,
              annotated,
              "must match `ingressClassName` when both are specified"));
    }
    return errors;
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject ingress, JsonObject old) {
    return spec(ingress.object("spec"), Leniency.of(old.object("spec")));
  }

  /** What an ingress may go on having because it had it before it was checked. */
  private record Leniency(boolean secrets, boolean wildcardRules) {
    static final Leniency NONE = new Leniency(false, false);

    static Leniency of(JsonObject spec) {
      boolean secrets =
          spec.array("tls").objects().stream()
              .map(tls -> tls.text("secretName", ""))
              .anyMatch(name -> !name.isEmpty() && !NameRules.dns1123Subdomain(name).isEmpty());
      boolean rules =
          spec.array("rules").objects().stream()
              .filter(rule -> rule.text("host", "").contains("*"))
              .anyMatch(rule -> {
                FieldErrorList problems = new FieldErrorList();
                IngressBackends.http(rule, FieldPath.ROOT, problems);
                return !problems.all().isEmpty();
              });
      return new Leniency(secrets, rules);
    }
  }

  private static List<FieldError> spec(JsonObject spec, Leniency leniency) {
    FieldErrorList problems = new FieldErrorList();
    List<JsonObject> rules = spec.array("rules").objects();
    if (rules.isEmpty() && !spec.has("defaultBackend")) {
      Object shown = spec.has("rules") ? JsonArray.EMPTY : JsonNull.NULL;
      problems.invalid(SPEC, shown, "either `defaultBackend` or `rules` must be specified");
    }
    if (spec.has("defaultBackend")) {
      IngressBackends.backend(
          spec.object("defaultBackend"), SPEC.field("defaultBackend"), problems);
    }
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.get(i), SPEC.field("rules").index(i), leniency, problems);
    }
    List<JsonObject> certificates = spec.array("tls").objects();
    for (int i = 0; i < certificates.size(); i++) {
      tls(certificates.get(i), SPEC.field("tls").index(i), leniency, problems);
    }
    String className = spec.text("ingressClassName");
    if (className != null) {
      problems.invalid(
          SPEC.field("ingressClassName"), className, NameRules.dns1123Subdomain(className));
    }
    return problems.all();
  }

  private static void rule(
      JsonObject rule, FieldPath at, Leniency leniency, FieldErrorList problems) {
    String host = rule.text("host", "");
    boolean wildcard = host.contains("*");
    if (!host.isEmpty()) {
      if (Cidr.parseAddress(host).isPresent()) {
        problems.invalid(at.field("host"), host, "must be a DNS name, not an IP address");
      }
      problems.invalid(at.field("host"), host, hostProblems(host));
    }
    if (!wildcard || !leniency.wildcardRules()) {
      IngressBackends.http(rule, at, problems);
    }
  }

  private static List<String> hostProblems(String host) {
    return host.contains("*")
        ? NameRules.wildcardSubdomain(host)
        : NameRules.dns1123Subdomain(host);
  }

  private static void tls(
      JsonObject tls, FieldPath at, Leniency leniency, FieldErrorList problems) {
    List<String> hosts = tls.array("hosts").texts();
    for (int i = 0; i < hosts.size(); i++) {
      problems.invalid(at.field("hosts").index(i), hosts.get(i), hostProblems(hosts.get(i)));
    }
    String secret = tls.text("secretName", "");
    if (!secret.isEmpty() && !leniency.secrets()) {
      problems.invalid(at.field("secretName"), secret, NameRules.dns1123Subdomain(secret));
    }
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject ingress, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    List<JsonObject> points = points(ingress);
    Set<String> before = Set.copyOf(points(old).stream().map(p -> p.text("ip", "")).toList());
    for (int i = 0; i < points.size(); i++) {
      FieldPath at = POINTS.index(i);
      String ip = points.get(i).text("ip", "");
      if (!ip.isEmpty() && !before.contains(ip)) {
        problems.invalid(at.field("ip"), ip, AddressRules.address(ip));
      }
      String name = points.get(i).text("hostname", "");
      if (!name.isEmpty()) {
        problems.invalid(at.field("hostname"), name, NameRules.dns1123Subdomain(name));
        if (Cidr.parseAddress(name).isPresent()) {
          problems.invalid(at.field("hostname"), name, "must be a DNS name, not an IP address");
        }
      }
    }
    return problems.all();
  }

  private static List<JsonObject> points(JsonObject ingress) {
    return ingress.object("status").object("loadBalancer").array("ingress").objects();
  }
}
