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

  private PodNamesValidation() {}

  static void validate(JsonObject spec, FieldPath path, FieldErrorList problems) {
    for (String field : List.of("hostname", "subdomain")) {
      String name = spec.text(field, "");
      if (!name.isEmpty()) {
        problems.invalid(path.field(field), name, NameRules.dns1123Label(name));
      }
    }
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
    dns(spec, path.field("dnsConfig"), problems);
  }

  private static void dns(JsonObject spec, FieldPath at, FieldErrorList problems) {
    JsonObject config = spec.object("dnsConfig");
    if (spec.text("dnsPolicy", "").equals("None")) {
      if (!spec.has("dnsConfig")) {
        problems.required(at, "must provide `dnsConfig` when `dnsPolicy` is None");
      } else if (config.array("nameservers").isEmpty()) {
        problems.required(
            at.field("nameservers"),
            "must provide at least one DNS nameserver when `dnsPolicy` is None");
      }
    }
    JsonArray servers = config.array("nameservers");
    if (servers.size() > MOST_NAMESERVERS) {
      problems.invalid(at.field("nameservers"), servers, "must not have more than 3 nameservers");
    }
    for (int i = 0; i < servers.size(); i++) {
      problems.address(servers.texts().get(i), at.field("nameservers").index(i));
    }
    JsonArray searches = config.array("searches");
    if (searches.size() > MOST_SEARCHES) {
      problems.invalid(at.field("searches"), searches, "must not have more than 32 search paths");
    }
    for (int i = 0; i < searches.size(); i++) {
      String search = searches.texts().get(i).replaceFirst("\\.$", "");
      if (!search.isEmpty()) {
        problems.invalid(
            at.field("searches").index(i),
            search,
            NameRules.dns1123Subdomain(search.replace('_', '-')));
      }
    }
    List<JsonObject> options = config.array("options").objects();
    for (int i = 0; i < options.size(); i++) {
      if (options.get(i).text("name", "").isEmpty()) {
        problems.required(at.field("options").index(i), "must not be empty");
      }
    }
  }
}
