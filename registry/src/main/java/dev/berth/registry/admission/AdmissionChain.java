package dev.berth.registry.admission;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * All admission plugins in their order: first each may mutate, and when the object is valid each
 * may refuse.
 */
public record AdmissionChain(List<AdmissionPlugin> plugins) {
  public static final AdmissionChain EMPTY = new AdmissionChain(List.of());

  public AdmissionChain {
    plugins = List.copyOf(plugins);
  }

  /** The same with one more at the end. */
  public AdmissionChain with(AdmissionPlugin last) {
    List<AdmissionPlugin> all = new ArrayList<>(plugins);
    all.add(last);
    return new AdmissionChain(all);
  }

  public JsonObject mutate(AdmissionRequest request) {
    AdmissionRequest changed = request;
    for (AdmissionPlugin plugin : plugins) {
      changed = changed.with(plugin.mutate(changed));
    }
    return changed.object();
  }

  public void validate(AdmissionRequest request) {
    for (AdmissionPlugin plugin : plugins) {
      plugin.validate(request);
    }
  }
}
