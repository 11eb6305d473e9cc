package dev.berth.policy.persistentvolume;

import dev.berth.model.storage.StorageClassView;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * The class of claims that name none. Of several defaults the newest counts, and of those of the
 * same second the first by name.
 */
public final class DefaultClass {
  private static final Comparator<StorageClassView> NEWEST =
      Comparator.comparing(StorageClassView::created)
          .reversed()
          .thenComparing(StorageClassView::name);

  private DefaultClass() {}

  public static Optional<StorageClassView> of(Collection<StorageClassView> classes) {
    return classes.stream().filter(StorageClassView::isDefault).min(NEWEST);
  }
}
