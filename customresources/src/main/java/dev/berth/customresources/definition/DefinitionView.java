package dev.berth.customresources.definition;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;

/** What is read of a CustomResourceDefinition, which is in the shape that its schema says. */
public record DefinitionView(JsonObject tree) {
  public static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

  public static final String ESTABLISHED = "Established";
  public static final String NAMES_ACCEPTED = "NamesAccepted";
  public static final String TERMINATING = "Terminating";

  public String name() {
    return metadata().name();
  }

  public Metadata metadata() {
    return Metadata.of(tree);
  }

  public JsonObject spec() {
    return tree.object("spec");
  }

  public JsonObject status() {
    return tree.object("status");
  }

  public String group() {
    return spec().text("group", "");
  }

  public boolean isNamespaced() {
    return spec().text("scope", "").equals("Namespaced");
  }

  /** The names that are asked for. */
  public JsonObject names() {
    return spec().object("names");
  }

  /** The names that nobody else has. */
  public JsonObject acceptedNames() {
    return status().object("acceptedNames");
  }

  public List<JsonObject> versions() {
    return spec().array("versions").objects();
  }

  /** The version that objects are stored in; empty only while it is not validated. */
  public Optional<JsonObject> storageVersion() {
    return versions().stream().filter(version -> version.flag("storage", false)).findFirst();
  }

  /** Whether fields that no schema names are kept everywhere, as in the kind's first version. */
  public boolean preservesUnknownFields() {
    return spec().flag("preserveUnknownFields", false);
  }

  public boolean isTrue(String condition) {
    return Conditions.find(status(), condition)
        .filter(found -> found.text("status", "").equals("True"))
        .isPresent();
  }

  public boolean hasFinalizer() {
    return metadata().finalizers().contains(FINALIZER);
  }
}
