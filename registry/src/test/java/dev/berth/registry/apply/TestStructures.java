package dev.berth.registry.apply;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;

/** The structures of the kinds that tests use. */
final class TestStructures {
  private static final Structures STRUCTURES = new Structures(Schemas.builtIn());

  static final Structure POD = STRUCTURES.kind(new GroupVersionKind("", "v1", "Pod"));
  static final Structure DEPLOYMENT =
      STRUCTURES.kind(new GroupVersionKind("apps", "v1", "Deployment"));
  static final Structure LEASE =
      STRUCTURES.kind(new GroupVersionKind("coordination.k8s.io", "v1", "Lease"));
  static final Structure CUSTOM =
      STRUCTURES.kind(new GroupVersionKind("example.com", "v1", "Widget"));

  private TestStructures() {}
}
