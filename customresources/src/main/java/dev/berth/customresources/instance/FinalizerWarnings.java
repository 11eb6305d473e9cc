package dev.berth.customresources.instance;

import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What whoever adds a finalizer to a custom resource is told about its name: any is let in. */
final class FinalizerWarnings implements ObjectWarnings {
  private static final Set<String> STANDARD = Set.of("orphan", "foregroundDeletion", "kubernetes");

  @Override
  public List<String> onCreate(JsonObject object) {
    return onUpdate(object, JsonObject.EMPTY);
  }

  @Override
  public List<String> onUpdate(JsonObject object, JsonObject old) {
    Set<String> added = new TreeSet<>(Metadata.of(object).finalizers());
    added.removeAll(Set.copyOf(Metadata.of(old).finalizers()));
    List<String> warnings = new ArrayList<>();
    for (String finalizer : added) {
      String at = "metadata.finalizers: \"" + finalizer + "\": ";
      NameRules.qualifiedName(finalizer).forEach(problem -> warnings.add(at + problem));
      if (finalizer.indexOf('/') < 0 && !STANDARD.contains(finalizer)) {
        String path = finalizer.indexOf('.') < 0 ? "" : " including a path (/)";
        warnings.add(
            at
                + "prefer a domain-qualified finalizer name%s to avoid accidental conflicts with"
                    .formatted(path)
                + " other finalizer writers");
      }
    }
    return warnings;
  }
}
