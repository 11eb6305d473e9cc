package dev.berth.kinds.networking;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Network policies: who may talk to the pods that they select. */
final class NetworkPolicyRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");
  private static final List<String> TYPES = List.of("Ingress", "Egress");

  /** Both directions of traffic: where its rules stand, and where their peers. */
  private enum Direction {
    INGRESS("ingress", "from"),
    EGRESS("egress", "to");

    private final String rules;
    private final String peers;

    Direction(String rules, String peers) {
      this.rules = rules;
      this.peers = peers;
    }
  }

  @Override
  public JsonObject defaults(JsonObject policy) {
    return FieldRules.within(
        policy,
        "spec",
        spec -> {
          JsonObject filled = spec;
          for (Direction direction : Direction.values()) {
            if (spec.has(direction.rules)) {
              filled =
                  filled.with(
                      direction.rules,
                      spec.array(direction.rules).mapObjects(NetworkPolicyRules::filledRule));
            }
          }
          if (!spec.array("policyTypes").isEmpty()) {
            return filled;
          }
          return filled.with(
              "policyTypes",
              spec.array("egress").isEmpty()
                  ? JsonArray.of("Ingress")
                  : JsonArray.of("Ingress", "Egress"));
        });
  }

  private static JsonObject filledRule(JsonObject rule) {
    return rule.has("ports")
        ? rule.with(
            "ports",
            rule.array("ports").mapObjects(p -> FieldRules.orDefault(p, "protocol", "TCP")))
        : rule;
  }

  @Override
  public List<FieldError> validate(JsonObject policy) {
    return spec(policy.object("spec"), Set.of());
  }

  /** Ranges that were there before they were checked may stay, wherever they stand now. */
  @Override
  public List<FieldError> validateReplacing(JsonObject policy, JsonObject old) {
    Set<String> known = new HashSet<>();
    for (Direction direction : Direction.values()) {
      for (JsonObject rule : old.object("spec").array(direction.rules).objects()) {
        for (JsonObject peer : rule.array(direction.peers).objects()) {
          if (peer.has("ipBlock")) {
            known.add(peer.object("ipBlock").text("cidr", ""));
            known.addAll(peer.object("ipBlock").array("except").texts());
          }
        }
      }
    }
    return spec(policy.object("spec"), known);
  }

  private static List<FieldError> spec(JsonObject spec, Set<String> knownRanges) {
    FieldErrorList problems = new FieldErrorList();
    selector(spec, "podSelector", SPEC, problems);
    for (Direction direction : Direction.values()) {
      List<JsonObject> rules = spec.array(direction.rules).objects();
      for (int i = 0; i < rules.size(); i++) {
        FieldPath at = SPEC.field(direction.rules).index(i);
        List<JsonObject> ports = rules.get(i).array("ports").objects();
        for (int j = 0; j < ports.size(); j++) {
          port(ports.get(j), at.field("ports").index(j), problems);
        }
        List<JsonObject> peers = rules.get(i).array(direction.peers).objects();
        for (int j = 0; j < peers.size(); j++) {
          peer(peers.get(j), at.field(direction.peers).index(j), knownRanges, problems);
        }
      }
    }
    List<String> types = spec.array("policyTypes").texts();
    if (types.size() > TYPES.size()) {
      problems.invalid(
          SPEC.field("policyTypes"),
          spec.array("policyTypes"),
          "may not specify more than two policyTypes");
      return problems.all();
    }
    for (int i = 0; i < types.size(); i++) {
      problems.oneOf(SPEC.field("policyTypes").index(i), types.get(i), TYPES);
    }
    return problems.all();
  }

  private static void selector(
      JsonObject holder, String field, FieldPath at, FieldErrorList problems) {
    problems.addAll(LabelSelectorForm.validate(holder.object(field), at.field(field).toString()));
  }

  private static void port(JsonObject port, FieldPath at, FieldErrorList problems) {
    problems.oneOf(at.field("protocol"), port.text("protocol", ""), PROTOCOLS);
    FieldPath endAt = at.field("endPort");
    OptionalLong end = port.integer("endPort");
    switch (port.get("port")) {
      case Long number -> {
        problems.portNumber(number, at.field("port"));
        if (end.isPresent()) {
          if (end.getAsLong() < number) {
            problems.invalid(endAt, number, "must be greater than or equal to `port`");
          }
          problems.portNumber(end.getAsLong(), endAt);
        }
      }
      case String name -> {
        end.ifPresent(number ->
            problems.invalid(endAt, number, "may not be specified when `port` is non-numeric"));
        problems.invalid(at.field("port"), name, FieldErrorList.portNameProblems(name));
      }
      case null, default ->
          end.ifPresent(number ->
              problems.invalid(endAt, number, "may not be specified when `port` is not specified"));
    }
  }

  private static void peer(
      JsonObject peer, FieldPath at, Set<String> knownRanges, FieldErrorList problems) {
    boolean labels = peer.has("podSelector") || peer.has("namespaceSelector");
    selector(peer, "podSelector", at, problems);
    selector(peer, "namespaceSelector", at, problems);
    if (peer.has("ipBlock")) {
      block(peer.object("ipBlock"), at.field("ipBlock"), knownRanges, problems);
      if (labels) {
        problems.forbidden(at, "may not specify both ipBlock and another peer");
      }
    } else if (!labels) {
      problems.required(at, "must specify a peer");
    }
  }

  private static void block(
      JsonObject block, FieldPath at, Set<String> knownRanges, FieldErrorList problems) {
    String text = block.text("cidr", "");
    if (!problems.present(block, "cidr", at)) {
      return;
    }
    range(text, at.field("cidr"), knownRanges, problems);
    Optional<Cidr> range = Cidr.parse(text);
    if (range.isEmpty()) {
      return;
    }
    List<String> exceptions = block.array("except").texts();
    for (int i = 0; i < exceptions.size(); i++) {
      FieldPath place = at.field("except").index(i);
      range(exceptions.get(i), place, knownRanges, problems);
      Optional<Cidr> exception = Cidr.parse(exceptions.get(i));
      boolean within =
          exception.isEmpty()
              || (range.get().contains(exception.get())
                  && range.get().length() < exception.get().length());
      if (!within) {
        problems.invalid(place, exceptions.get(i), "must be a strict subset of `cidr`");
      }
    }
  }

  private static void range(
      String text, FieldPath at, Set<String> knownRanges, FieldErrorList problems) {
    if (!knownRanges.contains(text)) {
      problems.invalid(at, text, AddressRules.range(text));
    }
  }
}
