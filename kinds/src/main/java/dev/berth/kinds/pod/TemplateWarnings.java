package dev.berth.kinds.pod;

import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What whoever writes an object with a template of pods is told: its name, and the template. */
public class TemplateWarnings implements ObjectWarnings {
  private final FieldPath template;
  private final boolean namesPods;

  /**
   * @param template where the template is
   * @param namesPods whether the names of pods begin with the object's, and any name is let in
   */
  public TemplateWarnings(FieldPath template, boolean namesPods) {
    this.template = template;
    this.namesPods = namesPods;
  }

  /** Of a kind with its template in the specification. */
  public static TemplateWarnings ofWorkload(boolean namesPods) {
    return new TemplateWarnings(FieldPath.of("spec", "template"), namesPods);
  }

  @Override
  public List<String> onCreate(JsonObject object) {
    List<String> warnings = new ArrayList<>();
    if (namesPods) {
      List<String> problems = NameRules.dns1123Label(Metadata.of(object).name());
      if (!problems.isEmpty()) {
        warnings.add(
            "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
                + " behavior; a DNS label is recommended: ["
                + String.join(" ", problems)
                + "]");
      }
    }
    addAbout(object, warnings);
    return warnings;
  }

  @Override
  public List<String> onUpdate(JsonObject object, JsonObject old) {
    List<String> warnings = new ArrayList<>();
    if (Metadata.of(object).generation() != Metadata.of(old).generation()) {
      addAbout(object, warnings);
    }
    return warnings;
  }

  /** Adds what is odd about the template, and whatever a kind has around it. */
  protected void addAbout(JsonObject object, List<String> warnings) {
    if (template.get(object) instanceof JsonObject pod) {
      PodSpecWarnings.add(pod, template, warnings);
    }
  }
}
