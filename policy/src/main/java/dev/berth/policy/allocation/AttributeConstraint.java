package dev.berth.policy.allocation;

import dev.berth.model.device.DeviceId;
import dev.berth.model.device.DeviceView;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the devices of a claim, or of some of its requests, must have in common: one value of an
 * attribute for all of them, or another value for each. A device without the attribute does not do.
 */
final class AttributeConstraint {
  private static final List<String> TYPES = List.of("string", "int", "bool", "version");

  private final Set<String> requests;
  private final String attribute;
  private final boolean isSame;

  /** The values of the devices that were added, the last one first. */
  private final Deque<JsonObject> values = new ArrayDeque<>();

  private AttributeConstraint(Set<String> requests, String attribute, boolean isSame) {
    this.requests = requests;
    this.attribute = attribute;
    this.isSame = isSame;
  }

  /** A constraint as claims write it; null if it is of a kind that nobody knows. */
  static @Nullable AttributeConstraint of(JsonObject constraint) {
    Set<String> requests = Set.copyOf(constraint.array("requests").texts());
    String same = constraint.text("matchAttribute");
    if (same != null) {
      return new AttributeConstraint(requests, same, true);
    }
    String distinct = constraint.text("distinctAttribute");
    return distinct == null ? null : new AttributeConstraint(requests, distinct, false);
  }

  /**
   * Adds a device if it may be added.
   *
   * @param request its name
   * @param reference the name of the request, or of the subrequest with that of its request
   */
  boolean add(String request, String reference, DeviceView device, DeviceId id) {
    if (!concerns(request, reference)) {
      return true;
    }
    JsonObject value = find(device, id);
    if (value == null || !mayJoin(value)) {
      return false;
    }
    values.push(value);
    return true;
  }

  /** Takes out the device that was added last. */
  void removeLast(String request, String reference) {
    if (concerns(request, reference)) {
      values.pop();
    }
  }

  private boolean concerns(String request, String reference) {
    return requests.isEmpty() || requests.contains(request) || requests.contains(reference);
  }

  private boolean mayJoin(JsonObject value) {
    if (values.isEmpty()) {
      return true;
    }
    String type = TYPES.stream().filter(value::has).findFirst().orElse(null);
    if (type == null) {
      return false;
    }
    Object mine = value.get(type);
    return isSame
        ? mine != null && mine.equals(values.getLast().get(type))
        : values.stream().noneMatch(other -> mine != null && mine.equals(other.get(type)));
  }

  private @Nullable JsonObject find(DeviceView device, DeviceId id) {
    JsonObject attributes = device.attributes();
    if (attributes.has(attribute)) {
      return attributes.object(attribute);
    }
    int slash = attribute.indexOf('/');
    if (slash < 0 || !attribute.substring(0, slash).equals(id.driver())) {
      return null;
    }
    String name = attribute.substring(slash + 1);
    return attributes.has(name) ? attributes.object(name) : null;
  }
}
