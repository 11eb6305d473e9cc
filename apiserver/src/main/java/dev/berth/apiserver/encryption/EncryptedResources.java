package dev.berth.apiserver.encryption;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonArray;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks which resources an entry of an EncryptionConfiguration may name, in upstream's words. */
final class EncryptedResources {
  private static final Set<String> WITHOUT_REST_API =
      Set.of("apiserveripinfo", "serviceipallocations", "servicenodeportallocations");

  private EncryptedResources() {}

  static void check(ConfigFields entry, String field, List<String> names) {
    List<GroupResource> resources = names.stream().map(Encryption::parse).toList();
    if (new HashSet<>(resources).size() < resources.size()) {
      entry.invalid(
          field,
          JsonArray.of(names.toArray()),
          "the same resource cannot be specified multiple times");
    }
    if (overlap(resources)) {
      entry.invalid(
          field,
          JsonArray.of(names.toArray()),
          "using overlapping resources such as 'secrets' and '*.' in the same resource list is not"
              + " allowed as they will be masked");
    }
    for (int i = 0; i < names.size(); i++) {
      String wrong = problem(names.get(i));
      if (!wrong.isEmpty()) {
        String at = "%s[%d]".formatted(entry.path(field), i);
        entry.error(FieldError.invalid(at, names.get(i), wrong));
      }
    }
  }

  private static boolean overlap(List<GroupResource> resources) {
    Set<GroupResource> different = new HashSet<>(resources);
    return different.stream()
        .filter(wide -> wide.resource().equals(Encryption.ANY))
        .anyMatch(wide ->
            different.stream()
                .anyMatch(other ->
                    !other.equals(wide)
                        && (wide.equals(Encryption.ANYTHING)
                            || wide.group().equals(other.group()))));
  }

  /** What is wrong with a name; empty if nothing is. */
  private static String problem(String name) {
    GroupResource resource = Encryption.parse(name);
    if (!name.toLowerCase(Locale.ROOT).equals(name)) {
      return "resource name should not contain capital letters";
    }
    if (name.equals(Encryption.ANY)) {
      return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all"
          + " resources";
    }
    if (WITHOUT_REST_API.contains(name)) {
      return "resources which do not have REST API/s cannot be encrypted";
    }
    if (resource.group().equals("events.k8s.io")) {
      return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use"
          + " 'events' instead in the config file";
    }
    if (resource.group().equals("extensions")) {
      return "'extensions' group has been removed and cannot be used for encryption";
    }
    if (resource.group().equals(Encryption.ANY) && !resource.resource().equals(Encryption.ANY)) {
      return "encrypting the same resource across groups is not supported";
    }
    return "";
  }
}
