package dev.berth.apiserver.encryption;

import dev.berth.model.resource.GroupResource;
import dev.berth.store.embedded.ValueForm;
import dev.berth.store.embedded.ValueTransformer;
import java.util.Map;
import java.util.Optional;

/**
 * Encrypts the objects of the resources that a configuration names. A resource's own providers are
 * preferred to its group's ({@code *.apps}), those to everybody's ({@code *.*}).
 */
final class Encryption implements ValueTransformer {
  static final String ANY = "*";
  static final GroupResource ANYTHING = new GroupResource(ANY, ANY);
  private static final String ROOT = "/registry/";

  private final Map<GroupResource, ProviderList> providers;

  Encryption(Map<GroupResource, ProviderList> providers) {
    this.providers = Map.copyOf(providers);
  }

  @Override
  public Optional<ValueForm> form(String key) {
    return of(key).form();
  }

  @Override
  public Reading read(String key, String place, byte[] stored) {
    return of(key).read(place, stored);
  }

  @Override
  public boolean canRead(String key, ValueForm form) {
    return of(key).canRead(form);
  }

  private ProviderList of(String key) {
    int end = key.indexOf('/', ROOT.length());
    if (!key.startsWith(ROOT) || end < 0) {
      return ProviderList.IDENTITY;
    }
    GroupResource resource = parse(key.substring(ROOT.length(), end));
    ProviderList own = providers.get(resource);
    if (own == null) {
      own = providers.get(new GroupResource(resource.group(), ANY));
    }
    return own != null ? own : providers.getOrDefault(ANYTHING, ProviderList.IDENTITY);
  }

  /** {@code secrets}, {@code deployments.apps}, {@code *.apps}, {@code *.} or {@code *.*}. */
  static GroupResource parse(String text) {
    int dot = text.indexOf('.');
    return dot < 0
        ? new GroupResource("", text)
        : new GroupResource(text.substring(dot + 1), text.substring(0, dot));
  }
}
