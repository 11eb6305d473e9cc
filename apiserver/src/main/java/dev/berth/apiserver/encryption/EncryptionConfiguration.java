package dev.berth.apiserver.encryption;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.config.ConfigFile;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupResource;
import dev.berth.store.embedded.ValueTransformer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads an EncryptionConfiguration of {@code apiserver.config.k8s.io/v1}. */
public final class EncryptionConfiguration {
  private static final String API_VERSION = "apiserver.config.k8s.io/v1";
  private static final String KIND = "EncryptionConfiguration";
  private static final String RESOURCES = "resources";
  private static final String PROVIDERS = "providers";

  private final Map<GroupResource, List<Optional<EncryptionKey>>> providers = new HashMap<>();

  private EncryptionConfiguration() {}

  /** What a file says; whatever is wrong with it is reported at once. */
  public static ValueTransformer read(Path file) {
    return ConfigFile.read(
        file, API_VERSION, KIND, fields -> new EncryptionConfiguration().read(fields));
  }

  private ValueTransformer read(ConfigFields file) {
    file.onlyHas(Set.of("apiVersion", "kind", RESOURCES));
    List<ConfigFields> entries = file.objects(RESOURCES);
    if (entries.isEmpty()) {
      file.required(RESOURCES, "at least one resources is required");
    }
    entries.forEach(this::entry);
    Map<GroupResource, ProviderList> lists = new HashMap<>();
    providers.forEach((resource, keys) -> lists.put(resource, new ProviderList(keys)));
    return new Encryption(lists);
  }

  private void entry(ConfigFields entry) {
    entry.onlyHas(Set.of(RESOURCES, PROVIDERS));
    List<String> names = entry.texts(RESOURCES);
    if (names.isEmpty()) {
      entry.required(RESOURCES, atLeastOne(entry, RESOURCES));
    }
    EncryptedResources.check(entry, RESOURCES, names);
    List<ConfigFields> listed = entry.objects(PROVIDERS);
    if (listed.isEmpty()) {
      entry.required(PROVIDERS, atLeastOne(entry, PROVIDERS));
    }
    List<Optional<EncryptionKey>> keys = new ArrayList<>();
    for (int i = 0; i < listed.size(); i++) {
      keys.addAll(ProviderReader.read(listed.get(i), i == 0));
    }
    Map<GroupResource, List<Optional<EncryptionKey>>> own = new HashMap<>();
    for (String name : names) {
      GroupResource resource = Encryption.parse(name);
      checkNotMasked(entry, name, resource);
      List<Optional<EncryptionKey>> all =
          new ArrayList<>(providers.getOrDefault(resource, List.of()));
      all.addAll(keys);
      own.put(resource, all);
    }
    providers.putAll(own);
  }

  private static String atLeastOne(ConfigFields entry, String name) {
    return "at least one %s is required".formatted(entry.path(name));
  }

  /** An entry that comes later cannot change what an earlier one says of everything. */
  private void checkNotMasked(ConfigFields entry, String name, GroupResource resource) {
    for (GroupResource wide :
        List.of(new GroupResource(resource.group(), Encryption.ANY), Encryption.ANYTHING)) {
      if (providers.containsKey(wide)) {
        entry.error(
            FieldError.invalid(
                entry.path(RESOURCES),
                name,
                "resource \"%s\" is masked by earlier rule \"%s\"".formatted(name, text(wide))));
        return;
      }
    }
  }

  private static String text(GroupResource wide) {
    return wide.resource() + "." + wide.group();
  }
}
