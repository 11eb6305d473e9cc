package dev.berth.admission.match;

import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.StatusException;

/** Finds the labels of a namespace. */
@FunctionalInterface
public interface NamespaceLabels {

  /**
   * The labels of a namespace.
   *
   * @throws StatusException 404 if there is no such namespace
   */
  JsonObject of(String namespace);
}
