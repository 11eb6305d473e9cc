package dev.berth.kinds.pod;

import dev.berth.kinds.resource.AddressWarnings;
import dev.berth.kinds.resource.NodeLabelWarnings;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is odd about a pod or a template of pods: its metadata and its specification. */
public final class PodSpecWarnings {
  private static final String NO_SELECTOR = "a null labelSelector results in matching no pod";
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private final JsonObject spec;
  private final JsonObject annotations;
  private final FieldPath pod;
  private final FieldPath at;
  private final List<String> warnings;

  private PodSpecWarnings(JsonObject pod, FieldPath at, List<String> warnings) {
    this.spec = pod.object("spec");
    this.annotations = Metadata.of(pod).annotations();
    this.pod = at;
    this.at = at.field("spec");
    this.warnings = warnings;
  }

  /**
   * Adds all of them, in upstream's order.
   *
   * @param at where the template is; the root for a pod
   */
  public static void add(JsonObject pod, FieldPath at, List<String> warnings) {
    new PodSpecWarnings(pod, at, warnings).add();
  }

  private void add() {
    nodes();
    spread();
    AnnotationWarnings.deprecated(annotations, pod, warnings);
    VolumeWarnings.add(spec, at, warnings);
    duplicates("hostAliases", "ip");
    duplicates("imagePullSecrets", "name");
    namelessSecrets();
    JsonObject overhead = spec.object("overhead");
    ClaimSpecWarnings.fraction(overhead, ResourceList.MEMORY, at.field("overhead"), warnings);
    ClaimSpecWarnings.fraction(
        overhead, ResourceList.EPHEMERAL_STORAGE, at.field("overhead"), warnings);
    AnnotationWarnings.seccompOfPod(spec, annotations, pod, warnings);
    List<PodContainers.Placed> containers = PodContainers.of(spec, at);
    containers.forEach(placed -> container(placed.container(), placed.at()));
    PortWarnings.add(containers, warnings);
    if (spec.integer("terminationGracePeriodSeconds").orElse(0) < 0) {
      warnings.add(
          "%s: must be >= 0; negative values are invalid and will be treated as 1"
              .formatted(at.field("terminationGracePeriodSeconds")));
    }
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      affinity(spec.object("affinity").object(kind), at.field("affinity").field(kind));
    }
    addresses();
  }

  private void nodes() {
    PodWarnings.nodeSelector(spec.object("nodeSelector"), at.field("nodeSelector"), warnings);
    JsonObject affinity = spec.object("affinity").object("nodeAffinity");
    FieldPath place = at.field("affinity").field("nodeAffinity");
    List<JsonObject> terms = affinity.object(REQUIRED).array("nodeSelectorTerms").objects();
    for (int i = 0; i < terms.size(); i++) {
      FieldPath term = place.field(REQUIRED).field("nodeSelectorTerms").index(i);
      NodeLabelWarnings.term(terms.get(i), false, term, warnings);
    }
    List<JsonObject> weighted = affinity.array(PREFERRED).objects();
    for (int i = 0; i < weighted.size(); i++) {
      FieldPath term = place.field(PREFERRED).index(i).field("preference");
      NodeLabelWarnings.term(weighted.get(i).object("preference"), true, term, warnings);
    }
  }

  private void spread() {
    List<JsonObject> constraints = spec.array("topologySpreadConstraints").objects();
    for (int i = 0; i < constraints.size(); i++) {
      FieldPath place = at.field("topologySpreadConstraints").index(i);
      String key = constraints.get(i).text("topologyKey", "");
      NodeLabelWarnings.key(key, place.field("topologyKey"), warnings);
      selector(constraints.get(i), place);
    }
  }

  private void selector(JsonObject term, FieldPath place) {
    if (!term.has("labelSelector")) {
      warnings.add("%s: %s".formatted(place.field("labelSelector"), NO_SELECTOR));
    }
  }

  private void affinity(JsonObject affinity, FieldPath place) {
    List<JsonObject> required = affinity.array(REQUIRED).objects();
    for (int i = 0; i < required.size(); i++) {
      selector(required.get(i), place.field(REQUIRED).index(i));
    }
    List<JsonObject> preferred = affinity.array(PREFERRED).objects();
    for (int i = 0; i < preferred.size(); i++) {
      selector(
          preferred.get(i).object("podAffinityTerm"),
          place.field(PREFERRED).index(i).field("podAffinityTerm"));
    }
  }

  private void duplicates(String list, String key) {
    Set<String> seen = new HashSet<>();
    List<JsonObject> items = spec.array(list).objects();
    for (int i = 0; i < items.size(); i++) {
      String value = items.get(i).text(key, "");
      if (!seen.add(value)) {
        warnings.add(
            "%s: duplicate %s \"%s\"".formatted(at.field(list).index(i).field(key), key, value));
      }
    }
  }

  private void namelessSecrets() {
    List<JsonObject> secrets = spec.array("imagePullSecrets").objects();
    for (int i = 0; i < secrets.size(); i++) {
      if (secrets.get(i).text("name", "").isEmpty()) {
        warnings.add(
            "%s: invalid empty name \"\""
                .formatted(at.field("imagePullSecrets").index(i).field("name")));
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // There is one root.
  private void container(JsonObject container, FieldPath place) {
    AnnotationWarnings.seccomp(container, annotations, pod, warnings);
    boolean template = pod != FieldPath.ROOT;
    if (template) {
      AnnotationWarnings.appArmor(container, spec, annotations, pod, warnings);
    }
    JsonObject resources = container.object("resources");
    for (String name : List.of(ResourceList.MEMORY, ResourceList.EPHEMERAL_STORAGE)) {
      for (String list : List.of("limits", "requests")) {
        FieldPath amounts = place.field("resources").field(list);
        ClaimSpecWarnings.fraction(resources.object(list), name, amounts, warnings);
      }
    }
    environment(container.array("env").objects(), place.field("env"));
  }

  /** A variable may be set again by its own value and more, and in no other way. */
  private void environment(List<JsonObject> variables, FieldPath place) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < variables.size(); i++) {
      String name = variables.get(i).text("name", "");
      if (seen.add(name)) {
        continue;
      }
      String reference = "$(" + name + ")";
      String value = variables.get(i).text("value", "");
      boolean extended = value.contains(reference) && !value.equals(reference);
      if (variables.get(i).has("valueFrom") || !extended) {
        warnings.add(
            "%s: hides previous definition of \"%s\", which may be dropped when using apply"
                .formatted(place.index(i), name));
      }
    }
  }

  private void addresses() {
    List<String> servers = spec.object("dnsConfig").array("nameservers").texts();
    for (int i = 0; i < servers.size(); i++) {
      FieldPath place = at.field("dnsConfig").field("nameservers").index(i);
      AddressWarnings.address(place, servers.get(i), warnings);
    }
    List<JsonObject> aliases = spec.array("hostAliases").objects();
    for (int i = 0; i < aliases.size(); i++) {
      FieldPath place = at.field("hostAliases").index(i).field("ip");
      AddressWarnings.address(place, aliases.get(i).text("ip", ""), warnings);
    }
  }
}
