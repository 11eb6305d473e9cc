package dev.berth.model.core;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WireTime;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A pod, read where it stands in the tree, each field when it is asked for. This is for those who
 * look at a few fields of each of many pods; {@link PodView} reads a pod once for those who look at
 * most of them.
 */
public record PodTree(JsonObject tree) {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final String CONTAINERS = "containerStatuses";
  private static final String INIT_CONTAINERS = "initContainerStatuses";

  public Metadata metadata() {
    return Metadata.of(tree);
  }

  public ObjectName name() {
    return ObjectName.of(tree);
  }

  public String uid() {
    return metadata().uid();
  }

  /** Empty until the pod is bound. */
  public String nodeName() {
    return spec().text("nodeName", "");
  }

  public boolean isBound() {
    return !nodeName().isEmpty();
  }

  /** Whether its deletion was requested. */
  public boolean terminating() {
    return metadata().isBeingDeleted();
  }

  /** Whether it is being deleted with a grace period of zero: only finalizers hold it. */
  public boolean deletedWithoutGrace() {
    return terminating() && metadata().deletionGracePeriodSeconds().orElse(1) == 0;
  }

  /** The specification, read as a whole. */
  public PodSpecView readSpec() {
    return PodSpecView.read(spec());
  }

  /** Which nodes it must and would like to be on; empty if all are the same to it. */
  public Optional<NodeAffinity> nodeAffinity() {
    JsonObject affinity = spec().object("affinity").object("nodeAffinity");
    return affinity.isEmpty() ? Optional.empty() : Optional.of(NodeAffinity.read(affinity));
  }

  /** Whether it uses its node's network. */
  public boolean hostNetwork() {
    return spec().flag("hostNetwork", false);
  }

  /** Whether it uses its node's network with users of its own. */
  public boolean hasUsersInHostNetwork() {
    return hostNetwork() && !spec().flag("hostUsers", true);
  }

  /** Whether the end of one of its containers may restart all of them. */
  public boolean mayRestartAll() {
    return mayRestartAll(spec().array("containers"))
        || mayRestartAll(spec().array("initContainers"));
  }

  private static boolean mayRestartAll(JsonArray containers) {
    for (JsonObject container : containers.objects()) {
      for (JsonObject rule : container.array("restartPolicyRules").objects()) {
        if (rule.text("action", "").equals("RestartAllContainers")) {
          return true;
        }
      }
    }
    return false;
  }

  /** What it wants as a whole, as the tree has it. */
  public JsonObject resources() {
    return spec().object("resources");
  }

  /** What its init containers want, but for sidecars, as the tree has it. */
  public List<JsonObject> initContainerResources() {
    return spec().array("initContainers").objects().stream()
        .filter(container -> !container.text("restartPolicy", "").equals("Always"))
        .map(container -> container.object("resources"))
        .toList();
  }

  /** Whether the pod may run for a limited time only. */
  public boolean hasActiveDeadline() {
    return spec().has("activeDeadlineSeconds");
  }

  /** Empty if it has none. */
  public String priorityClassName() {
    return spec().text("priorityClassName", "");
  }

  /** A term of pod affinity or of pod anti-affinity. */
  public record AffinityTerm(JsonArray namespaces, boolean hasNamespaceSelector) {
    private static AffinityTerm read(JsonObject term) {
      return new AffinityTerm(term.array("namespaces"), term.has("namespaceSelector"));
    }
  }

  /** The terms of pod affinity and of pod anti-affinity, required and preferred. */
  public List<AffinityTerm> podAffinityTerms() {
    List<AffinityTerm> terms = new ArrayList<>();
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      JsonObject affinity = spec().object("affinity").object(kind);
      for (JsonObject required : affinity.array(REQUIRED).objects()) {
        terms.add(AffinityTerm.read(required));
      }
      for (JsonObject preferred : affinity.array(PREFERRED).objects()) {
        terms.add(AffinityTerm.read(preferred.object("podAffinityTerm")));
      }
    }
    return terms;
  }

  /** The tolerations as the tree has them; {@link Toleration#list} reads them. */
  public JsonArray tolerations() {
    return spec().array("tolerations");
  }

  /** Whether it has a volume whose data are lost with it. */
  public boolean hasEmptyDir() {
    return spec().array("volumes").objects().stream().anyMatch(volume -> volume.has("emptyDir"));
  }

  public String hostname() {
    return spec().text("hostname", "");
  }

  public String subdomain() {
    return spec().text("subdomain", "");
  }

  /**
   * The ports that have names, of all containers that run side by side; sidecars are among them.
   */
  public List<NamedPort> namedPorts() {
    List<NamedPort> ports = new ArrayList<>();
    for (JsonObject container : spec().array("containers").objects()) {
      addNamedPorts(container, ports);
    }
    for (JsonObject container : spec().array("initContainers").objects()) {
      if (container.text("restartPolicy", "").equals("Always")) {
        addNamedPorts(container, ports);
      }
    }
    return List.copyOf(ports);
  }

  private static void addNamedPorts(JsonObject container, List<NamedPort> ports) {
    for (JsonObject port : container.array("ports").objects()) {
      String name = port.text("name", "");
      if (!name.isEmpty()) {
        ports.add(
            new NamedPort(
                name, port.text("protocol", "TCP"), port.integer("containerPort").orElse(0)));
      }
    }
  }

  /** When its node's agent first took note of it; empty if none has. */
  public Optional<Instant> startTime() {
    return Optional.ofNullable(WireTime.read(status(), "startTime"));
  }

  public PodPhase phase() {
    return PodPhase.of(status().text("phase", ""));
  }

  /** Why the pod is in its phase, in one word; empty if nobody said. */
  public String reason() {
    return status().text("reason", "");
  }

  /** The pod's addresses of both families, in its order. */
  public List<String> addresses() {
    List<String> all =
        status().array("podIPs").objects().stream().map(ip -> ip.text("ip", "")).toList();
    String only = status().text("podIP", "");
    return all.isEmpty() && !only.isEmpty() ? List.of(only) : all;
  }

  /** Whether the Ready condition is True. */
  public boolean ready() {
    return Conditions.isTrue(conditions(), Condition.READY);
  }

  /** Since when it is ready; empty if it is not, or does not say. */
  public Optional<Instant> readySince() {
    return Conditions.find(conditions(), Condition.READY)
        .filter(ready -> ready.text("status", "").equals(Conditions.TRUE))
        .map(ready -> WireTime.read(ready, "lastTransitionTime"));
  }

  /** The conditions as the tree has them. */
  public JsonArray conditions() {
    return status().array("conditions");
  }

  public List<Condition> readConditions() {
    return Views.list(conditions(), Condition::read);
  }

  public Optional<Condition> condition(String type) {
    return Conditions.find(conditions(), type).map(Condition::read);
  }

  /** The pod with other conditions. */
  public JsonObject withConditions(JsonArray conditions) {
    return tree.update("status", status -> status.with("conditions", conditions));
  }

  public boolean hasRunningContainer() {
    return status().array(CONTAINERS).objects().stream()
        .anyMatch(container -> container.object("state").has("running"));
  }

  /** The containers that run side by side; {@link #initContainerStatuses} has the sidecars. */
  public List<ContainerStatus> containerStatuses() {
    return Views.list(status().array(CONTAINERS), ContainerStatus::read);
  }

  public List<ContainerStatus> initContainerStatuses() {
    return Views.list(status().array(INIT_CONTAINERS), ContainerStatus::read);
  }

  /** How often the containers that run side by side were restarted, counted together. */
  public long restarts() {
    return restarts(CONTAINERS);
  }

  /** The same of the containers that start first, of which sidecars go on. */
  public long initRestarts() {
    return restarts(INIT_CONTAINERS);
  }

  private long restarts(String list) {
    long restarts = 0;
    for (JsonObject container : status().array(list).objects()) {
      restarts += container.integer("restartCount").orElse(0);
    }
    return restarts;
  }

  private JsonObject spec() {
    return tree.object("spec");
  }

  private JsonObject status() {
    return tree.object("status");
  }
}
