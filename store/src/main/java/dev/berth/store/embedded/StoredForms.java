package dev.berth.store.embedded;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which form each value has on disk, so that one whose form is no longer the one that would be
 * written is known without reading it again. Values that are stored as they are take no room here.
 */
public final class StoredForms {
  private final ValueTransformer transformer;
  private final Map<String, ValueForm> forms = new ConcurrentHashMap<>();

  public StoredForms(ValueTransformer transformer) {
    this.transformer = transformer;
  }

  boolean mayEncrypt() {
    return !transformer.equals(ValueTransformer.NONE);
  }

  /** How a value that is about to be written will look on disk; null if as it is. */
  @Nullable WrittenForm write(String key, byte[] value) {
    return transformer.form(key).map(form -> WrittenForm.of(form, key, value)).orElse(null);
  }

  public void remember(String key, Optional<ValueForm> form) {
    form.ifPresentOrElse(f -> forms.put(key, f), () -> forget(key));
  }

  private void forget(String key) {
    // Most stores encrypt nothing, and most values of those that do are not encrypted.
    if (!forms.isEmpty()) {
      forms.remove(key);
    }
  }

  /** The key of some value that another transformer could not read, if there is one. */
  public Optional<String> firstUnreadable(ValueTransformer other) {
    return forms.entrySet().stream()
        .filter(each -> !other.canRead(each.getKey(), each.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Whether writing the same value again would bring it into another form. */
  public boolean isStale(String key) {
    return !Optional.ofNullable(forms.get(key)).equals(transformer.form(key));
  }
}
