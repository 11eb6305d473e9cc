package dev.berth.kinds.apps;

import dev.berth.kinds.pod.TemplateWarnings;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Of DaemonSets, whose changes are looked at if they change the template. */
final class DaemonSetWarnings extends TemplateWarnings {
  DaemonSetWarnings() {
    super(FieldPath.of("spec", "template"), false);
  }

  @Override
  public List<String> onUpdate(JsonObject object, JsonObject old) {
    List<String> warnings = new ArrayList<>();
    if (!object.object("spec").object("template").equals(old.object("spec").object("template"))) {
      addAbout(object, warnings);
    }
    return warnings;
  }
}
