package dev.berth.customresources.definition;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;

/** The declaration of the kind CustomResourceDefinition. */
public final class DefinitionResource {
  public static final String GROUP = "apiextensions.k8s.io";
  public static final String PLURAL = "customresourcedefinitions";

  private DefinitionResource() {}

  public static Resource resource() {
    return Resource.clusterWide(GROUP, "v1", "CustomResourceDefinition")
        .plural(PLURAL)
        .shortNames("crd", "crds")
        .categories("api-extensions")
        .columns(
            Column.NAME,
            new Column(
                "Created At",
                "date",
                "",
                "When the definition was created.",
                0,
                (object, now) ->
                    Cells.text("metadata.creationTimestamp", Cells.UNSET).apply(object)))
        .rules(new DefinitionRules())
        .warnings(new FormatWarnings())
        .status()
        .countsGeneration()
        .anyFinalizers()
        .build();
  }
}
