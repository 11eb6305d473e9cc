package dev.berth.kinds.apps;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import java.util.ArrayList;
import java.util.List;

/** How what makes pods is printed. */
public final class WorkloadColumns {
  private static final String POD_TEMPLATE = "spec.template.spec";

  public static final Column READY_OF_REPLICAS =
      Column.text(
          "Ready",
          "How many of the wanted pods are ready.",
          object ->
              object.object("status").integer("readyReplicas").orElse(0)
                  + "/"
                  + object.object("spec").integer("replicas").orElse(0));

  public static final Column UP_TO_DATE =
      Column.number(
          "Up-to-date",
          "How many pods are of the latest template.",
          Cells.number("status.updatedReplicas"));

  public static final Column AVAILABLE =
      Column.number(
          "Available",
          "How many pods have been ready for long enough.",
          Cells.number("status.availableReplicas"));

  public static final Column DESIRED_REPLICAS =
      Column.number("Desired", "How many pods are wanted.", Cells.number("spec.replicas"));

  public static final Column CURRENT_REPLICAS =
      Column.number("Current", "How many pods there are.", Cells.number("status.replicas"));

  public static final Column READY_REPLICAS =
      Column.number("Ready", "How many pods are ready.", Cells.number("status.readyReplicas"));

  public static final Column DAEMON_DESIRED =
      Column.number(
          "Desired", "How many nodes want a pod.", Cells.number("status.desiredNumberScheduled"));

  public static final Column DAEMON_CURRENT =
      Column.number(
          "Current", "How many of them have one.", Cells.number("status.currentNumberScheduled"));

  public static final Column DAEMON_READY =
      Column.number("Ready", "How many pods are ready.", Cells.number("status.numberReady"));

  public static final Column DAEMON_UP_TO_DATE =
      Column.number(
          "Up-to-date",
          "How many pods are of the latest template.",
          Cells.number("status.updatedNumberScheduled"));

  public static final Column DAEMON_AVAILABLE =
      Column.number(
          "Available",
          "How many pods have been ready for long enough.",
          Cells.number("status.numberAvailable"));

  public static final Column NODE_SELECTOR =
      Column.text(
          "Node Selector",
          "Which nodes are meant, by their labels.",
          set ->
              Cells.labels(
                  set.object("spec").object("template").object("spec").object("nodeSelector")));

  private WorkloadColumns() {}

  /** Columns of a kind between name and age; wide tables show containers and images too. */
  public static Column[] withTemplate(Column... own) {
    return around(own, Cells.containers(POD_TEMPLATE), Cells.images(POD_TEMPLATE));
  }

  /** The same, and wide tables show which labels are selected by a selector that is a map. */
  public static Column[] withTemplateAndLabels(Column... own) {
    return around(
        own,
        Cells.containers(POD_TEMPLATE),
        Cells.images(POD_TEMPLATE),
        Column.text(
                "Selector",
                "Which pods are meant, by their labels.",
                object -> Cells.labels(object.object("spec").object("selector")))
            .wide());
  }

  /** The same, and wide tables show which pods are selected. */
  static Column[] withTemplateAndSelector(Column... own) {
    return around(
        own, Cells.containers(POD_TEMPLATE), Cells.images(POD_TEMPLATE), Cells.selector());
  }

  private static Column[] around(Column[] own, Column... wide) {
    List<Column> all = new ArrayList<>();
    all.add(Column.NAME);
    all.addAll(List.of(own));
    all.add(Column.AGE);
    all.addAll(List.of(wide));
    return all.toArray(new Column[0]);
  }
}
