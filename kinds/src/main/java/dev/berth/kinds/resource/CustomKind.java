package dev.berth.kinds.resource;

import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * What a resource has in one version that somebody defined while the server runs: a schema of its
 * own, and other versions that its objects may be stored in.
 */
public interface CustomKind {

  String singular();

  String listKind();

  List<String> verbs();

  StructuralSchema schema();

  /**
   * What the resource is defined by, to be compared: whoever goes on reading by another definition
   * than the current one sees objects in a shape that they no longer have.
   */
  Object definedBy();

  /**
   * An object from a client in the shape that the schema says: what it does not know is dropped and
   * noted.
   *
   * @param applied whether it is a configuration to apply, in which a null is a wish
   * @throws JsonException if its metadata are of another shape
   */
  Conforming.Result shape(JsonObject object, boolean applied);

  /** An object in this version, from what is stored in any; itself if it is as it should be. */
  JsonObject read(JsonObject stored);

  /** The same of several objects, which may take as long as one. */
  List<JsonObject> readAll(List<JsonObject> stored);

  /** The resource of the version that objects are stored in; empty if it is this one. */
  Optional<Resource> storage();

  /** An object of this version in the one that objects are stored in. */
  JsonObject write(JsonObject object);

  /** Why no object can be created now. */
  Optional<String> refusesCreation();

  /** What everybody is told who uses this version. */
  Optional<String> warning();

  /** Where in an object the fields of its scale are, if it has one. */
  Optional<ScalePaths> scale();

  /**
   * Fields as paths with dots, such as {@code spec.replicas}.
   *
   * @param selector empty if there is none
   */
  record ScalePaths(String specReplicas, String statusReplicas, String selector) {}
}
