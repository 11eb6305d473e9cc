package dev.berth.sim.disruption;

import static dev.berth.sim.VirtualCluster.podName;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;

/** Pods that run, what manages them, and budgets, all labelled {@code app: web}, made by hand. */
final class BudgetFixture {
  private static final String TEMPLATE =
      "'template':{'metadata':{'labels':{'app':'web'}},"
          + "'spec':{'containers':[{'name':'c','image':'i'}]}}";

  private final VirtualCluster cluster;

  BudgetFixture(VirtualCluster cluster) {
    this.cluster = cluster;
  }

  /** A workload of so many replicas, managed by another one or by nobody. */
  JsonObject managed(GroupVersionResource resource, String name, int replicas, JsonObject manager) {
    String labels = "{'app':'web'}";
    String selector =
        resource.equals(Resources.REPLICATION_CONTROLLERS)
            ? labels
            : "{'matchLabels':" + labels + "}";
    return cluster.create(
        resource,
        "{'metadata':{'namespace':'default','name':'%s','ownerReferences':%s},'spec':{'replicas':%d,'selector':%s,%s,'serviceName':'s'}}"
            .formatted(name, owners(manager), replicas, selector, TEMPLATE)
            .replace(
                resource.equals(Resources.STATEFUL_SETS) ? "\u0000" : ",'serviceName':'s'", ""));
  }

  JsonObject managed(GroupVersionResource resource, String name, int replicas) {
    return managed(resource, name, replicas, JsonObject.EMPTY);
  }

  private static String owners(JsonObject manager) {
    if (manager.isEmpty()) {
      return "[]";
    }
    return "[{'apiVersion':'%s','kind':'%s','name':'%s','uid':'%s','controller':true}]"
        .formatted(
            manager.text("apiVersion", ""),
            manager.text("kind", ""),
            Metadata.of(manager).name(),
            Metadata.of(manager).uid());
  }

  /** A pod that runs and is ready, managed by something or by nobody. */
  void ready(String name, JsonObject manager) {
    create(name, manager);
    ready(name, true);
  }

  void create(String name, JsonObject manager) {
    cluster.create(
        Resources.PODS,
        "{'metadata':{'namespace':'default','name':'%s','labels':{'app':'web'},'ownerReferences':%s},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}"
            .formatted(name, owners(manager)));
  }

  void ready(String name, boolean ready) {
    cluster.patchStatus(
        Resources.PODS,
        podName(name),
        "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'%s'}]}}"
            .formatted(ready ? "True" : "False"));
  }

  /** A budget with a field of its specification, such as {@code 'minAvailable':2}. */
  void budget(String field) {
    cluster.create(
        Resources.POD_DISRUPTION_BUDGETS,
        "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{'matchLabels':{'app':'web'}},%s}}"
            .formatted(field));
  }

  JsonObject budget() {
    ApiResult result =
        cluster.admin().get(Resources.POD_DISRUPTION_BUDGETS, new ObjectName("default", "web"));
    return result instanceof ApiResult.Done(JsonObject budget) ? budget : JsonObject.EMPTY;
  }

  /** The budget's counts: {@code allowed of current healthy, desired of expected}. */
  String counts() {
    JsonObject status = budget().object("status");
    return "allowed %d, healthy %d, desired %d, expected %d"
        .formatted(
            status.integer("disruptionsAllowed").orElse(-1),
            status.integer("currentHealthy").orElse(-1),
            status.integer("desiredHealthy").orElse(-1),
            status.integer("expectedPods").orElse(-1));
  }

  /** What the budget's condition says: {@code status reason message}. */
  String condition() {
    JsonObject condition = budget().object("status").array("conditions").objects().getFirst();
    return "%s %s %s"
        .formatted(
            condition.text("status", ""),
            condition.text("reason", ""),
            condition.text("message", ""))
        .strip();
  }

  ApiResult evict(String pod) {
    return Evictions.evict(cluster.admin(), pod);
  }
}
