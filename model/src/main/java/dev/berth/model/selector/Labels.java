package dev.berth.model.selector;

import org.jspecify.annotations.Nullable;

/** What a selector asks: the value of each label, null for one that is not there. */
@FunctionalInterface
public interface Labels {
  @Nullable String get(String key);
}
