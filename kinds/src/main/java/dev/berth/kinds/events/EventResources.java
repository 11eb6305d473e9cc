package dev.berth.kinds.events;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Events, which two groups serve: what is written in one is read in both. */
public final class EventResources {
  private static final String V1 = "v1";
  private static final String NEWER = "events.k8s.io";
  private static final Column[] COLUMNS = {
    EventColumns.LAST_SEEN,
    EventColumns.TYPE,
    EventColumns.REASON,
    EventColumns.OBJECT,
    EventColumns.SUBOBJECT,
    EventColumns.SOURCE,
    EventColumns.MESSAGE,
    EventColumns.FIRST_SEEN,
    EventColumns.COUNT,
    new Column("Name", "string", "name", Column.NAME.description(), 1, Column.NAME.cell())
  };
  private static final List<String> OF_OBJECT =
      List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");

  private EventResources() {}

  public static Resource core() {
    return core(new EventRules(), "");
  }

  /** Events as the core group has them, written through a group that messages name. */
  private static Resource core(ResourceRules rules, String group) {
    Resource.Builder builder =
        Resource.namespaced("", V1, "Event")
            .shortNames("ev")
            .createsOnUpdate()
            .selectable("reason", "reportingComponent", "type")
            .selectable("source", EventResources::source)
            .rules(rules)
            .shownAs(new GroupResource(group, "events"))
            .columns(COLUMNS);
    OF_OBJECT.forEach(field -> builder.selectable("involvedObject." + field));
    return builder.build();
  }

  /** Events of the newer group have no source, but say who reports them. */
  private static String source(JsonObject event) {
    String component = event.object("source").text("component", "");
    return component.isEmpty() ? event.text("reportingComponent", "") : component;
  }

  /** Fields are read where the stored form, that of the core group, has them. */
  public static Resource newer(Resource core) {
    Resource.Builder builder =
        Resource.namespaced(NEWER, V1, "Event")
            .shortNames("ev")
            .createsOnUpdate()
            .selectable("reason", "type")
            .selectable("reportingController", Cells.text("reportingComponent", ""))
            .columns(COLUMNS)
            .storedAs(
                new Resource.StoredAs(
                    core,
                    core(new StrictEventRules(), NEWER),
                    EventForms::toCore,
                    EventForms::fromCore));
    OF_OBJECT.forEach(field ->
        builder.selectable("regarding." + field, Cells.text("involvedObject." + field, "")));
    return builder.build();
  }
}
