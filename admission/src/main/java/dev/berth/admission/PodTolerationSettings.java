package dev.berth.admission;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.Toleration;
import dev.berth.model.tree.FieldPath;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.policy.taint.TolerationValidation;
import java.util.List;
import java.util.Set;

/**
 * What the file of PodTolerationRestriction says.
 *
 * @param usual what pods of a namespace tolerate that says nothing
 * @param whitelist what pods of a namespace may tolerate at most that says nothing; everything, if
 *     it is empty
 */
record PodTolerationSettings(List<Toleration> usual, List<Toleration> whitelist) {
  static final List<String> VERSIONS =
      List.of("podtolerationrestriction.admission.k8s.io/v1alpha1");
  static final String KIND = "Configuration";
  static final PodTolerationSettings NONE = new PodTolerationSettings(List.of(), List.of());

  PodTolerationSettings {
    usual = List.copyOf(usual);
    whitelist = List.copyOf(whitelist);
  }

  static PodTolerationSettings read(ConfigFields fields) {
    fields.onlyHas(Set.of("apiVersion", "kind", "default", "whitelist"));
    return new PodTolerationSettings(
        tolerations(fields, "default"), tolerations(fields, "whitelist"));
  }

  private static List<Toleration> tolerations(ConfigFields fields, String name) {
    List<ConfigFields> all = fields.objects(name);
    TolerationValidation.validate(
            fields.array(name), FieldPath.parse(fields.path(name)), TolerationRules.STANDARD)
        .forEach(fields::error);
    return all.stream().map(each -> Toleration.read(each.tree())).toList();
  }
}
