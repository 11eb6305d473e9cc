package dev.berth.kinds.devices;

import dev.berth.kinds.pod.AffinityValidation;
import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.ConditionValidation;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is wrong with a claim's status: the devices it was given, who uses them, how they are. */
final class ClaimStatusValidation {
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final FieldPath ALLOCATION = STATUS.field("allocation");
  private static final int MOST_USERS = 256;
  private static final int MOST_RESULTS = 32;
  private static final int MOST_CONDITIONS = 8;
  private static final int MOST_ADDRESSES = 16;
  private static final int LONGEST_INTERFACE = 256;
  private static final int LONGEST_HARDWARE_ADDRESS = 128;
  private static final int LONGEST_DATA = 10 * 1024;
  private static final List<String> SOURCES = List.of("FromClaim", "FromClass");

  private final FieldErrorList problems;
  private final DeviceChecks checks;
  private final DeviceClaims claims;

  ClaimStatusValidation(FieldErrorList problems) {
    this.problems = problems;
    this.checks = new DeviceChecks(problems);
    this.claims = new DeviceClaims(problems);
  }

  void validate(JsonObject claim, JsonObject old) {
    JsonObject status = claim.object("status");
    JsonObject before = old.object("status");
    checks.eachOnce(
        status.array("reservedFor"),
        MOST_USERS,
        STATUS.field("reservedFor"),
        user -> user.text("uid", ""),
        (user, at) ->
            List.of("resource", "name", "uid").forEach(field -> problems.present(user, field, at)));
    Set<String> allocated = allocated(status);
    checks.eachOnce(
        status.array("devices"),
        Integer.MAX_VALUE,
        STATUS.field("devices"),
        ClaimStatusValidation::identity,
        (device, at) -> device(device, at, allocated));
    users(claim, status, before);
    if (status.has("allocation") && before.has("allocation")) {
      problems.addAll(FieldRules.immutable(ALLOCATION, claim, old));
    } else if (status.has("allocation")) {
      allocation(status.object("allocation"), DeviceClaims.requestNames(claim.object("spec")));
    }
  }

  private void users(JsonObject claim, JsonObject status, JsonObject before) {
    JsonArray users = status.array("reservedFor");
    if (users.isEmpty()) {
      return;
    }
    FieldPath at = STATUS.field("reservedFor");
    if (!status.has("allocation")) {
      problems.forbidden(at, "may not be specified when `allocated` is not set");
    } else if (claim.object("metadata").has("deletionTimestamp")) {
      Set<Object> known = new HashSet<>(before.array("reservedFor").values());
      if (!known.containsAll(users.values())) {
        problems.forbidden(
            at,
            "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are"
                + " set");
      }
    }
  }

  /** The devices that a claim was given. */
  static Set<String> allocated(JsonObject status) {
    Set<String> devices = new HashSet<>();
    for (JsonObject result :
        status.object("allocation").object("devices").array("results").objects()) {
      devices.add(identity(result));
    }
    return devices;
  }

  /** What names a device in all the cluster. */
  static String identity(JsonObject device) {
    String share = device.text("shareID", "");
    return "%s/%s/%s"
            .formatted(
                device.text("driver", ""), device.text("pool", ""), device.text("device", ""))
        + (share.isEmpty() ? "" : "/" + share);
  }

  private void allocation(JsonObject allocation, Map<String, Set<String>> requests) {
    JsonObject devices = allocation.object("devices");
    FieldPath at = ALLOCATION.field("devices");
    checks.each(
        devices.array("results"),
        MOST_RESULTS,
        at.field("results"),
        (result, place) -> {
          claims.requestReference(result.text("request", ""), place.field("request"), requests);
          named(result, place);
          checks.bindingConditions(result, place);
        });
    checks.each(
        devices.array("config"),
        2 * DeviceChecks.MOST_CONFIGURATIONS,
        at.field("config"),
        (config, place) -> {
          if (problems.present(config, "source", place)) {
            problems.oneOf(place.field("source"), config.text("source", ""), SOURCES);
          }
          claims.requestReferences(config, place, requests);
          checks.configuration(config, place);
        });
    if (allocation.has("nodeSelector")) {
      AffinityValidation.nodeSelector(
          allocation.object("nodeSelector"), ALLOCATION.field("nodeSelector"), problems);
    }
  }

  private void named(JsonObject device, FieldPath at) {
    checks.driver(device.text("driver", ""), at.field("driver"));
    checks.pool(device.text("pool", ""), at.field("pool"));
    checks.label(device.text("device", ""), at.field("device"));
    String share = device.text("shareID");
    if (share != null) {
      UniqueIds.problem(share)
          .ifPresent(problem -> problems.invalid(at.field("shareID"), share, problem));
    }
  }

  private void device(JsonObject device, FieldPath at, Set<String> allocated) {
    named(device, at);
    if (!allocated.contains(identity(device))) {
      problems.invalid(at, shown(device), "must be an allocated device in the claim");
    }
    JsonArray conditions = device.array("conditions");
    problems.tooMany(at.field("conditions"), conditions.size(), MOST_CONDITIONS);
    ConditionValidation.validate(conditions.objects(), at.field("conditions"), problems);
    if (device.has("data")) {
      checks.raw(device, "data", LONGEST_DATA, at.field("data"));
    }
    if (device.has("networkData")) {
      network(device.object("networkData"), at.field("networkData"));
    }
  }

  /** A device as upstream's own type has it. */
  private static JsonObject shown(JsonObject device) {
    return new JsonObject.Builder()
        .put("Driver", device.text("driver", ""))
        .put("Pool", device.text("pool", ""))
        .put("Device", device.text("device", ""))
        .put("ShareID", device.text("shareID", ""))
        .build();
  }

  private void network(JsonObject network, FieldPath at) {
    checks.notLonger(
        network.text("interfaceName", ""), LONGEST_INTERFACE, at.field("interfaceName"));
    checks.notLonger(
        network.text("hardwareAddress", ""), LONGEST_HARDWARE_ADDRESS, at.field("hardwareAddress"));
    List<String> addresses = network.array("ips").texts();
    FieldPath place = at.field("ips");
    if (!problems.tooMany(place, addresses.size(), MOST_ADDRESSES)) {
      for (int i = 0; i < addresses.size(); i++) {
        problems.invalid(
            place.index(i), addresses.get(i), AddressRules.addressInRange(addresses.get(i)));
      }
      checks.notTwice(addresses, place);
    }
  }
}
