package dev.berth.registry.admission;

import dev.berth.model.resource.FieldError;
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

  /** What all plugins make of an object; some of them are asked twice, see {@link Reinvocation}. */
  public JsonObject mutate(AdmissionRequest request) {
    AdmissionRequest changed = mutateOnce(request);
    if (request.reinvocation().beginSecondRound()) {
      changed = mutateOnce(changed);
    }
    return changed.object();
  }

  private AdmissionRequest mutateOnce(AdmissionRequest request) {
    AdmissionRequest changed = request;
    for (AdmissionPlugin plugin : plugins) {
      changed = changed.with(plugin.mutate(changed));
    }
    return changed;
  }

  /** What plugins find wrong with an object that was not validated yet. */
  public List<FieldError> fieldErrors(AdmissionRequest request) {
    List<FieldError> errors = new ArrayList<>();
    for (AdmissionPlugin plugin : plugins) {
      List<FieldError> found = plugin.fieldErrors(request);
      if (!found.isEmpty()) {
        errors.addAll(found);
      }
    }
    return errors;
  }

  /** Asks about a deletion. */
  public void admitDeletion(AdmissionRequest request) {
    intercept(request);
    validate(request);
  }

  /** Asks those who look at more than objects: about a connection, or first about a deletion. */
  public void intercept(AdmissionRequest request) {
    for (AdmissionPlugin plugin : plugins) {
      plugin.intercept(request);
    }
  }

  public void validate(AdmissionRequest request) {
    for (AdmissionPlugin plugin : plugins) {
      plugin.validate(request);
    }
  }
}
