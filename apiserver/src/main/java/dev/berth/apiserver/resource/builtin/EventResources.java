package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.event.EventForms;
import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.table.Cells;
import dev.berth.apiserver.table.Column;
import dev.berth.apiserver.table.CoreColumns;
import java.util.List;

/** Events, which two groups serve: what is written in one is read in both. */
final class EventResources {
  private static final String V1 = "v1";
  private static final Column[] COLUMNS = {
    CoreColumns.LAST_SEEN,
    CoreColumns.EVENT_TYPE,
    CoreColumns.EVENT_REASON,
    CoreColumns.EVENT_OBJECT,
    CoreColumns.EVENT_SUBOBJECT,
    CoreColumns.EVENT_SOURCE,
    CoreColumns.EVENT_MESSAGE,
    CoreColumns.FIRST_SEEN,
    CoreColumns.EVENT_COUNT,
    new Column("Name", "string", "name", Column.NAME.description(), 1, Column.NAME.cell())
  };
  private static final List<String> OF_OBJECT =
      List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");

  private EventResources() {}

  static Resource core() {
    Resource.Builder builder =
        Resource.namespaced("", V1, "Event")
            .shortNames("ev")
            .createsOnUpdate()
            .selectable("reason", "reportingComponent", "type")
            .selectable("source", Cells.text("source.component", ""))
            .rules(new EventRules())
            .columns(COLUMNS);
    OF_OBJECT.forEach(field -> builder.selectable("involvedObject." + field));
    return builder.build();
  }

  /** Fields are read where the stored form, that of the core group, has them. */
  static Resource newer(Resource core) {
    Resource.Builder builder =
        Resource.namespaced("events.k8s.io", V1, "Event")
            .shortNames("ev")
            .createsOnUpdate()
            .selectable("reason", "type")
            .selectable("reportingController", Cells.text("reportingComponent", ""))
            .columns(COLUMNS)
            .storedAs(new Resource.StoredAs(core, EventForms::toCore, EventForms::fromCore));
    OF_OBJECT.forEach(field ->
        builder.selectable("regarding." + field, Cells.text("involvedObject." + field, "")));
    return builder.build();
  }
}
