package dev.berth.customresources.instance;

import dev.berth.customresources.conversion.Conversion;
import dev.berth.customresources.definition.DefinitionView;
import dev.berth.kinds.resource.CustomKind.ScalePaths;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The resources that a definition defines: one for each version that is served. */
public final class CustomResource {
  private final DefinitionView definition;
  private final Conversion conversion;

  private CustomResource(DefinitionView definition, Conversion conversion) {
    this.definition = definition;
    this.conversion = conversion;
  }

  /** The resources of a definition; none while its names are not its own. */
  public static List<Resource> served(DefinitionView definition, Conversion conversion) {
    CustomResource made = new CustomResource(definition, conversion);
    Resource storage = stored(definition, conversion);
    List<Resource> resources = new ArrayList<>();
    for (JsonObject version : definition.versions()) {
      if (version.flag("served", false)) {
        resources.add(version.flag("storage", false) ? storage : made.resource(version, storage));
      }
    }
    return resources;
  }

  /** The resource of the version that objects are stored in, served or not. */
  public static Resource stored(DefinitionView definition, Conversion conversion) {
    return new CustomResource(definition, conversion)
        .resource(definition.storageVersion().orElseThrow(), null);
  }

  private Resource resource(JsonObject version, @Nullable Resource storage) {
    JsonObject names = definition.acceptedNames();
    String group = definition.group();
    String name = version.text("name", "");
    String kind = names.text("kind", "");
    Resource.Builder builder =
        definition.isNamespaced()
            ? Resource.namespaced(group, name, kind)
            : Resource.clusterWide(group, name, kind);
    Supplier<StructuralSchema> schema = new LazySchema(version);
    JsonObject subresources = version.object("subresources");
    Optional<ScalePaths> scale = scale(subresources);
    builder
        .plural(names.text("plural", ""))
        .shortNames(names.array("shortNames").texts().toArray(String[]::new))
        .categories(names.array("categories").texts().toArray(String[]::new))
        .columns(PrinterColumns.of(version.array("additionalPrinterColumns")))
        .rules(new InstanceRules(schema, subresources.has("status"), scale))
        .countsGeneration()
        .anyFinalizers()
        .insistsOnRevision()
        .warnings(new InstanceWarnings(schema))
        .custom(new CustomVersion(facts(version, scale), schema, conversion, storage));
    if (subresources.has("status")) {
      builder.status();
    }
    if (scale.isPresent()) {
      builder.scale();
    }
    selectable(version.array("selectableFields"), builder);
    return builder.build();
  }

  private CustomVersion.Facts facts(JsonObject version, Optional<ScalePaths> scale) {
    String group = definition.group();
    JsonObject names = definition.acceptedNames();
    return new CustomVersion.Facts(
        new GroupVersion(group, version.text("name", "")).toString(),
        names.text("singular", ""),
        names.text("listKind", ""),
        definition.preservesUnknownFields(),
        definition.isTrue(DefinitionView.TERMINATING),
        DeprecationWarning.of(definition, version),
        scale,
        new DefinedBy(definition.spec(), names));
  }

  /** What a resource is by: while that is the same, so is the resource. */
  private record DefinedBy(JsonObject spec, JsonObject names) {}

  private static Optional<ScalePaths> scale(JsonObject subresources) {
    if (!subresources.has("scale")) {
      return Optional.empty();
    }
    JsonObject scale = subresources.object("scale");
    return Optional.of(
        new ScalePaths(
            path(scale, "specReplicasPath"),
            path(scale, "statusReplicasPath"),
            path(scale, "labelSelectorPath")));
  }

  private static String path(JsonObject scale, String field) {
    String text = scale.text(field, "");
    return text.startsWith(".") ? text.substring(1) : text;
  }

  private static void selectable(JsonArray fields, Resource.Builder builder) {
    for (JsonObject field : fields.objects()) {
      String expression = field.text("jsonPath", "");
      JsonPath.parse(expression)
          .ifPresent(path ->
              builder.selectable(
                  expression.startsWith(".") ? expression.substring(1) : expression,
                  object -> {
                    List<Object> found = path.find(object);
                    return found.isEmpty() ? "" : JsonPath.text(found.getFirst());
                  }));
    }
  }

  /**
   * The schema of a version, read when the first object is: a cluster has many definitions of which
   * no object is ever written.
   */
  private static final class LazySchema implements Supplier<StructuralSchema> {
    private final JsonObject version;
    private volatile @Nullable StructuralSchema read;

    LazySchema(JsonObject version) {
      this.version = version;
    }

    @Override
    public StructuralSchema get() {
      StructuralSchema known = read;
      if (known == null) {
        known = StructuralSchema.of(version.object("schema").object("openAPIV3Schema"));
        read = known;
      }
      return known;
    }
  }
}
