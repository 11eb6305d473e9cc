package dev.berth.kinds.autoscaling;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Resource.StoredAs;
import java.util.List;

/** The group autoscaling. Version 2 is stored; version 1 shows the same objects. */
public final class AutoscalingResources {
  private static final String GROUP = "autoscaling";
  private static final String KIND = "HorizontalPodAutoscaler";
  private static final Column[] COLUMNS = {
    Column.NAME,
    Column.text(
        "Reference",
        "What is scaled.",
        scaler ->
            Cells.text("spec.scaleTargetRef.kind", "").apply(scaler)
                + "/"
                + Cells.text("spec.scaleTargetRef.name", "").apply(scaler)),
    Column.text("Targets", "What the scaler aims at.", MetricCells::targets),
    Column.text(
        "MinPods", "How many pods there are at least.", Cells.text("spec.minReplicas", "<unset>")),
    new Column(
        "MaxPods",
        "string",
        "",
        "How many pods there are at most.",
        0,
        (scaler, now) -> Cells.number("spec.maxReplicas").apply(scaler)),
    new Column(
        "Replicas",
        "string",
        "",
        "How many pods there are.",
        0,
        (scaler, now) -> Cells.number("status.currentReplicas").apply(scaler)),
    Column.AGE
  };

  private AutoscalingResources() {}

  public static List<Resource> all() {
    Resource newer = declared("v2").rules(new AutoscalerRules()).build();
    Resource older =
        declared("v1")
            .storedAs(new StoredAs(newer, AutoscalerForms::toNewer, AutoscalerForms::fromNewer))
            .build();
    return List.of(newer, older);
  }

  private static Resource.Builder declared(String version) {
    return Resource.namespaced(GROUP, version, KIND)
        .shortNames("hpa")
        .categories("all")
        .status()
        .columns(COLUMNS);
  }
}
