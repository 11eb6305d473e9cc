package dev.berth.scheduler.cluster.affinity;

import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelRequirement;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What services and controllers select. From these follows which pods belong together when a pod
 * says nothing of how it wants to be spread.
 */
public final class OwnerSelectors {
  private static final int REMEMBERED = 1_024;

  /** The kinds that count. Deployments select through their replica sets. */
  public enum Kind {
    SERVICE,
    REPLICATION_CONTROLLER,
    REPLICA_SET,
    STATEFUL_SET
  }

  private record Asker(String namespace, JsonObject labels, @Nullable OwnerReference controller) {}

  private final Map<Kind, Map<ObjectName, LabelSelector>> controllers = new EnumMap<>(Kind.class);
  private final Map<String, Map<String, LabelSelector>> services = new HashMap<>();
  private final Map<Asker, LabelSelector> answers = new HashMap<>();

  public void put(Kind kind, JsonObject tree) {
    answers.clear();
    ObjectName name = ObjectName.of(tree);
    LabelSelector selector = read(kind, tree.object("spec").get("selector"));
    if (kind == Kind.SERVICE) {
      services.computeIfAbsent(name.namespace(), _ -> new TreeMap<>()).put(name.name(), selector);
    } else {
      controllers.computeIfAbsent(kind, _ -> new HashMap<>()).put(name, selector);
    }
  }

  public void remove(Kind kind, ObjectName name) {
    answers.clear();
    if (kind == Kind.SERVICE) {
      services.getOrDefault(name.namespace(), new TreeMap<>()).remove(name.name());
    } else {
      controllers.getOrDefault(kind, new HashMap<>()).remove(name);
    }
  }

  private static LabelSelector read(Kind kind, @Nullable Object selector) {
    return switch (kind) {
      case SERVICE, REPLICATION_CONTROLLER ->
          selector instanceof JsonObject labels
              ? LabelSelector.ofLabels(labels)
              : LabelSelector.NOTHING;
      case REPLICA_SET, STATEFUL_SET -> {
        try {
          yield LabelSelector.fromTree(selector);
        } catch (SelectorException malformed) {
          yield LabelSelector.NOTHING;
        }
      }
    };
  }

  /**
   * The pods that belong together with a pod: what all services that select it and the controller
   * that manages it ask of their pods. Selects everything if there is none of these.
   */
  public LabelSelector selectorOf(PodInfo pod) {
    Asker asker = new Asker(pod.name().namespace(), pod.labels(), pod.view().controller());
    LabelSelector known = answers.get(asker);
    if (known == null) {
      known = find(asker);
      if (answers.size() >= REMEMBERED) {
        answers.clear();
      }
      answers.put(asker, known);
    }
    return known;
  }

  private LabelSelector find(Asker asker) {
    List<LabelRequirement> requirements = new ArrayList<>();
    for (LabelSelector service :
        services.getOrDefault(asker.namespace(), new TreeMap<>()).values()) {
      if (service.matches(asker.labels())) {
        add(service, requirements);
      }
    }
    OwnerReference controller = asker.controller();
    Kind kind = controller == null ? null : kind(controller);
    if (controller != null && kind != null) {
      ObjectName name = new ObjectName(asker.namespace(), controller.name());
      LabelSelector selector = controllers.getOrDefault(kind, new HashMap<>()).get(name);
      if (selector != null) {
        add(selector, requirements);
      }
    }
    return LabelSelector.of(requirements);
  }

  private static void add(LabelSelector selector, List<LabelRequirement> requirements) {
    for (LabelRequirement requirement : selector.requirements()) {
      if (!requirements.contains(requirement)) {
        requirements.add(requirement);
      }
    }
  }

  private static @Nullable Kind kind(OwnerReference controller) {
    return switch (controller.apiVersion() + " " + controller.kind()) {
      case "v1 ReplicationController" -> Kind.REPLICATION_CONTROLLER;
      case "apps/v1 ReplicaSet" -> Kind.REPLICA_SET;
      case "apps/v1 StatefulSet" -> Kind.STATEFUL_SET;
      default -> null;
    };
  }
}
