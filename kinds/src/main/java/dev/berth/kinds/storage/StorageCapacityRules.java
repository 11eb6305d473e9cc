package dev.berth.kinds.storage;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** How much a driver could still provide, of a class, in a part of the cluster. */
final class StorageCapacityRules implements ResourceRules {
  private static final FieldPath CLASS = FieldPath.of("storageClassName");
  private static final FieldPath TOPOLOGY = FieldPath.of("nodeTopology");
  private static final FieldPath CAPACITY = FieldPath.of("capacity");

  @Override
  public List<FieldError> validate(JsonObject capacity) {
    FieldErrorList problems = new FieldErrorList();
    problems.addAll(
        LabelSelectorForm.validate(capacity.object("nodeTopology"), TOPOLOGY.toString()));
    String name = capacity.text("storageClassName", "");
    problems.invalid(CLASS, name, NameRules.dns1123Subdomain(name));
    Object amount = capacity.get("capacity");
    if (amount != null && Quantity.fromTree(amount).signum() < 0) {
      problems.invalid(CAPACITY, amount, "must be greater than or equal to 0");
    }
    return problems.all();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject capacity, JsonObject old) {
    List<FieldError> errors = new ArrayList<>(FieldRules.immutable(TOPOLOGY, capacity, old));
    errors.addAll(FieldRules.immutable(CLASS, capacity, old));
    return errors;
  }
}
