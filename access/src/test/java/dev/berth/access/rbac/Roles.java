package dev.berth.access.rbac;

import static dev.berth.model.fixture.Fixtures.tree;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;

/** Writes roles and bindings into a cluster, in few words. Single quotes stand for double ones. */
final class Roles {
  private final TestCluster cluster;

  Roles(TestCluster cluster) {
    this.cluster = cluster;
  }

  Resource resource(String plural) {
    return cluster.registry.catalog().get(RoleIndex.GROUP, "v1", plural);
  }

  void write(String plural, String namespace, String json) {
    cluster.registry.create(resource(plural), namespace, tree(json), WriteOptions.DEFAULT);
  }

  void clusterRole(String name, String rules) {
    write("clusterroles", "", "{'metadata':{'name':'%s'},'rules':[%s]}".formatted(name, rules));
  }

  void role(String namespace, String name, String rules) {
    write("roles", namespace, "{'metadata':{'name':'%s'},'rules':[%s]}".formatted(name, rules));
  }

  void giveEverywhere(String role, String subject) {
    write(
        "clusterrolebindings",
        "",
        "{'metadata':{'name':'give-%s'},'roleRef':{'kind':'ClusterRole','name':'%s'},'subjects':[%s]}"
            .formatted(role, role, subject));
  }

  void give(String namespace, String kind, String role, String subject) {
    write(
        "rolebindings",
        namespace,
        "{'metadata':{'name':'give-%s'},'roleRef':{'kind':'%s','name':'%s'},'subjects':[%s]}"
            .formatted(role, kind, role, subject));
  }

  JsonObject get(String plural, String name) {
    return cluster.registry.get(resource(plural), ObjectName.parse(name)).tree();
  }

  void delete(String plural, String name) {
    cluster.registry.delete(resource(plural), ObjectName.parse(name), DeletionOptions.DEFAULT);
  }

  static String user(String name) {
    return "{'kind':'User','name':'%s'}".formatted(name);
  }

  static String group(String name) {
    return "{'kind':'Group','name':'%s'}".formatted(name);
  }

  static String rule(String verbs, String groups, String resources) {
    return "{'verbs':['%s'],'apiGroups':['%s'],'resources':['%s']}"
        .formatted(
            verbs.replace(",", "','"), groups.replace(",", "','"), resources.replace(",", "','"));
  }
}
