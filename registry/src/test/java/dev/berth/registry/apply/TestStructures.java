package dev.berth.registry.apply;

import static dev.berth.registry.patch.Trees.object;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonObject;

/** The structures of the kinds that tests use. */
final class TestStructures {
  private static final Structures STRUCTURES = new Structures(Schemas.builtIn());

  static final Structure POD = STRUCTURES.kind(new GroupVersionKind("", "v1", "Pod"));
  static final Structure DEPLOYMENT =
      STRUCTURES.kind(new GroupVersionKind("apps", "v1", "Deployment"));
  static final Structure LEASE =
      STRUCTURES.kind(new GroupVersionKind("coordination.k8s.io", "v1", "Lease"));
  static final Structure SERVICE_ACCOUNT =
      STRUCTURES.kind(new GroupVersionKind("", "v1", "ServiceAccount"));
  static final Structure ENDPOINT_SLICE =
      STRUCTURES.kind(new GroupVersionKind("discovery.k8s.io", "v1", "EndpointSlice"));
  static final Structure CUSTOM =
      STRUCTURES.kind(new GroupVersionKind("example.com", "v1", "Widget"));

  /** What objects are made of before anybody says anything. */
  static final JsonObject ZERO =
      object(
          """
          {"metadata":{},"spec":{"template":{"metadata":{},"spec":{"containers":null}},
           "strategy":{},"containers":null},"status":{}}\
          """);

  private TestStructures() {}
}
