package dev.berth.admission;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.policy.podsecurity.LevelVersion;
import dev.berth.policy.podsecurity.NamespaceSecurity;
import dev.berth.policy.podsecurity.SecurityLevel;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * What a PodSecurityConfiguration says.
 *
 * @param defaults what holds where a namespace's labels say nothing
 * @param usernames whose requests are not looked at
 * @param namespaces whose pods are not looked at
 * @param runtimeClasses whose pods are not looked at
 */
public record PodSecuritySettings(
    NamespaceSecurity defaults,
    Set<String> usernames,
    Set<String> namespaces,
    Set<String> runtimeClasses) {
  static final List<String> VERSIONS =
      List.of(
          "pod-security.admission.config.k8s.io/v1",
          "pod-security.admission.config.k8s.io/v1beta1",
          "pod-security.admission.config.k8s.io/v1alpha1");
  static final String KIND = "PodSecurityConfiguration";

  /** Nothing said: unlabelled namespaces are privileged, and nobody is exempt. */
  static final PodSecuritySettings NONE =
      new PodSecuritySettings(NamespaceSecurity.NONE, Set.of(), Set.of(), Set.of());

  public PodSecuritySettings {
    usernames = Set.copyOf(usernames);
    namespaces = Set.copyOf(namespaces);
    runtimeClasses = Set.copyOf(runtimeClasses);
  }

  static PodSecuritySettings read(ConfigFields fields) {
    fields.onlyHas(Set.of("apiVersion", "kind", "defaults", "exemptions"));
    ConfigFields defaults = fields.object("defaults");
    defaults.onlyHas(
        Set.of("enforce", "enforce-version", "audit", "audit-version", "warn", "warn-version"));
    ConfigFields exempt = fields.object("exemptions");
    exempt.onlyHas(Set.of("usernames", "namespaces", "runtimeClasses"));
    return new PodSecuritySettings(
        new NamespaceSecurity(
            level(defaults, "enforce"),
            level(defaults, "audit"),
            level(defaults, "warn"),
            List.of()),
        names(
            exempt,
            "usernames",
            name -> name.isEmpty() ? List.of("username must not be empty") : List.of()),
        names(exempt, "namespaces", NameRules::dns1123Label),
        names(exempt, "runtimeClasses", NameRules::dns1123Subdomain));
  }

  private static LevelVersion level(ConfigFields fields, String mode) {
    String level = fields.text(mode, "privileged");
    if (SecurityLevel.parse(level).isEmpty()) {
      fields.invalid(mode, level, "must be one of privileged, baseline, restricted");
    }
    String version = fields.text(mode + "-version", "latest");
    OptionalInt minor = LevelVersion.parseVersion(version);
    if (minor.isEmpty()) {
      fields.invalid(mode + "-version", version, "must be \"latest\" or \"v1.x\"");
    }
    return new LevelVersion(
        SecurityLevel.parse(level).orElse(SecurityLevel.PRIVILEGED),
        minor.orElse(LevelVersion.LATEST));
  }

  private static Set<String> names(
      ConfigFields fields, String field, Function<String, List<String>> rule) {
    Set<String> names = new HashSet<>();
    List<String> all = fields.texts(field);
    for (int i = 0; i < all.size(); i++) {
      String at = fields.path(field) + "[" + i + "]";
      List<String> problems = rule.apply(all.get(i));
      if (!problems.isEmpty()) {
        fields.error(FieldError.invalid(at, all.get(i), String.join(", ", problems)));
      } else if (!names.add(all.get(i))) {
        fields.error(FieldError.duplicate(at, all.get(i)));
      }
    }
    return names;
  }
}
