package dev.berth.serving.audit;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonArray;
import java.util.List;
import java.util.Set;

/** Reads an audit policy, and notes all that is wrong with it in upstream's words. */
final class AuditPolicyReader {
  private static final String URLS = "nonResourceURLs";
  private static final String RESOURCES = "resources";
  private static final String NAMES = "resourceNames";
  private static final String NAMESPACES = "namespaces";
  private static final String OMIT_STAGES = "omitStages";
  private static final String OMIT_MANAGED_FIELDS = "omitManagedFields";

  private AuditPolicyReader() {}

  static AuditPolicy read(ConfigFields policy) {
    policy.onlyHas(
        Set.of("apiVersion", "kind", "metadata", "rules", OMIT_STAGES, OMIT_MANAGED_FIELDS));
    AuditDecision otherwise =
        new AuditDecision(
            AuditLevel.NONE,
            AuditStage.read(policy, OMIT_STAGES),
            policy.flag(OMIT_MANAGED_FIELDS, false),
            true);
    List<ConfigFields> rules = policy.objects("rules");
    if (rules.isEmpty()) {
      policy.required("rules", "a policy without rules records nothing");
    }
    return new AuditPolicy(rules.stream().map(rule -> rule(rule, otherwise)).toList(), otherwise);
  }

  private static AuditRule rule(ConfigFields rule, AuditDecision otherwise) {
    rule.onlyHas(
        Set.of(
            "level",
            "users",
            "userGroups",
            "verbs",
            RESOURCES,
            NAMESPACES,
            URLS,
            OMIT_STAGES,
            OMIT_MANAGED_FIELDS));
    List<String> urls = rule.texts(URLS);
    checkUrls(rule, urls);
    if (!urls.isEmpty() && (rule.has(RESOURCES) || rule.has(NAMESPACES))) {
      rule.invalid(
          URLS,
          JsonArray.copyOf(urls),
          "rules cannot apply to both regular resources and non-resource URLs");
    }
    AuditDecision decision =
        new AuditDecision(
                AuditLevel.read(rule, "level"),
                AuditStage.read(rule, OMIT_STAGES),
                rule.flag(OMIT_MANAGED_FIELDS, otherwise.omitManagedFields()),
                true)
            .omitting(otherwise.omitStages());
    return new AuditRule(
        decision,
        rule.texts("users"),
        rule.texts("userGroups"),
        rule.texts("verbs"),
        rule.objects(RESOURCES).stream().map(AuditPolicyReader::resources).toList(),
        rule.texts(NAMESPACES),
        urls);
  }

  private static void checkUrls(ConfigFields rule, List<String> urls) {
    for (int i = 0; i < urls.size(); i++) {
      String url = urls.get(i);
      String at = "%s[%d]".formatted(rule.path(URLS), i);
      if (!url.equals("*") && !url.startsWith("/")) {
        rule.error(
            FieldError.invalid(at, url, "non-resource URL rules must begin with a '/' character"));
      }
      if (url.indexOf('*') >= 0 && url.indexOf('*') < url.length() - 1) {
        rule.error(
            FieldError.invalid(
                at, url, "non-resource URL wildcards '*' must be the final character of the rule"));
      }
    }
  }

  private static AuditRule.Resources resources(ConfigFields fields) {
    fields.onlyHas(Set.of("group", RESOURCES, NAMES));
    String group = fields.text("group", "");
    if (!group.isEmpty() && !group.equals("*")) {
      List<String> wrong = NameRules.dns1123Subdomain(group);
      if (!wrong.isEmpty()) {
        fields.invalid("group", group, String.join(",", wrong));
      }
    }
    List<String> resources = fields.texts(RESOURCES);
    List<String> names = fields.texts(NAMES);
    if (!names.isEmpty() && resources.isEmpty()) {
      fields.invalid(
          NAMES, JsonArray.copyOf(names), "using resourceNames requires at least one resource");
    }
    return new AuditRule.Resources(group, resources, names);
  }
}
