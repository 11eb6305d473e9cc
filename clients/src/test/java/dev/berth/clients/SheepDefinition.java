package dev.berth.clients;

/** A kind of custom resources, as the Java clients are given it. */
final class SheepDefinition {
  static final String GROUP = "farm.example";
  static final String NAME = "sheep.farm.example";

  static final String JSON =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "sheep.farm.example"},
       "spec": {"group": "farm.example", "scope": "Namespaced",
        "names": {"plural": "sheep", "singular": "sheep", "kind": "Sheep", "listKind": "SheepList"},
        "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
         "schema": {"openAPIV3Schema": {"type": "object", "properties": {
          "spec": {"type": "object", "properties": {"wool": {"type": "integer", "minimum": 0}}},
          "status": {"type": "object", "properties": {"phase": {"type": "string"}}}}}}}]}}
      """;

  private SheepDefinition() {}

  static String sheep(String name, int wool) {
    return """
    {"apiVersion": "farm.example/v1", "kind": "Sheep",
     "metadata": {"name": "%s", "namespace": "default", "labels": {"flock": "one"}},
     "spec": {"wool": %d}}
    """
        .formatted(name, wool);
  }
}
