package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is wrong with the names that a pod has, and that it looks others up by. */
final class PodNamesValidation {
  private static final int MOST_NAMESERVERS = 3;
  private static final int MOST_SEARCHES = 32;
  private static final int LONGEST_SEARCHES = 2048;
  private static final int LONGEST_HOSTNAME = 64;
  private static final String LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  private static final String SEARCH = LABEL + "(\\." + LABEL + ")*";
  private static final String BAD_SEARCH =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-'"
          + " or '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
          + " regex used for validation is '"
          + SEARCH
          + "')";
  private static final int LONGEST_SUBDOMAIN = 253;

  private PodNamesValidation() {}

  /** The name that its containers are told is theirs. */
  static void hostnameOverride(JsonObject spec, FieldPath path, FieldErrorList problems) {
    String name = spec.text("hostnameOverride");
    FieldPath at = path.field("hostnameOverride");
    if (name == null) {
      return;
    }
    if (spec.flag("setHostnameAsFQDN", false)) {
      problems.forbidden(at, "may not be specified when setHostnameAsFQDN is true");
    }
    if (spec.flag("hostNetwork", false)) {
      problems.forbidden(at, "may not be specified when hostNetwork is true");
    }
    if (name.length() > LONGEST_HOSTNAME) {
      problems.tooLong(at, LONGEST_HOSTNAME);
    }
    problems.invalid(at, name, NameRules.dns1123Subdomain(name));
  }

  static void aliases(JsonObject spec, FieldPath path, FieldErrorList problems) {
    List<JsonObject> aliases = spec.array("hostAliases").objects();
    for (int i = 0; i < aliases.size(); i++) {
      FieldPath at = path.field("hostAliases").index(i);
      problems.address(aliases.get(i).text("ip", ""), at.field("ip"));
      List<String> names = aliases.get(i).array("hostnames").texts();
      for (int n = 0; n < names.size(); n++) {
        problems.invalid(
            at.field("hostnames").index(n), names.get(n), NameRules.dns1123Subdomain(names.get(n)));
      }
    }
  }

  static void dns(JsonObject spec, FieldPath path, FieldErrorList problems) {
    FieldPath at = path.field("dnsConfig");
    JsonObject config = spec.object("dnsConfig");
    if (spec.text("dnsPolicy", "").equals("None")) {
      if (!spec.has("dnsConfig")) {
        problems.required(at, "must provide `dnsConfig` when `dnsPolicy` is None");
        return;
      }
      if (config.array("nameservers").isEmpty()) {
        problems.required(
            at.field("nameservers"),
            "must provide at least one DNS nameserver when `dnsPolicy` is None");
        return;
      }
    }
    JsonArray servers = config.array("nameservers");
    if (servers.size() > MOST_NAMESERVERS) {
      problems.invalid(at.field("nameservers"), servers, "must not have more than 3 nameservers");
    }
    List<String> addresses = servers.texts();
    for (int i = 0; i < addresses.size(); i++) {
      problems.address(addresses.get(i), at.field("nameservers").index(i));
    }
    searches(config.array("searches"), at.field("searches"), problems);
    List<JsonObject> options = config.array("options").objects();
    for (int i = 0; i < options.size(); i++) {
      if (options.get(i).text("name", "").isEmpty()) {
        problems.required(at.field("options").index(i), "must not be empty");
      }
    }
  }

  private static void searches(JsonArray searches, FieldPath at, FieldErrorList problems) {
    List<String> domains = searches.texts();
    if (domains.size() > MOST_SEARCHES) {
      problems.invalid(at, searches, "must not have more than 32 search paths");
    }
    if (String.join(" ", domains).length() > LONGEST_SEARCHES) {
      problems.invalid(
          at,
          searches,
          "must not have more than 2048 characters (including spaces) in the search list");
    }
    for (int i = 0; i < domains.size(); i++) {
      if (domains.get(i).equals(".")) {
        continue;
      }
      String domain = domains.get(i).replaceFirst("\\.$", "");
      if (domain.length() > LONGEST_SUBDOMAIN) {
        problems.invalid(at.index(i), domain, "must be no more than 253 characters");
      }
      if (!domain.matches(SEARCH)) {
        problems.invalid(at.index(i), domain, BAD_SEARCH);
      }
    }
  }
}
