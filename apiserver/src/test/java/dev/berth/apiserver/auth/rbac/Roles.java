package dev.berth.apiserver.auth.rbac;

import dev.berth.apiserver.registry.DeleteOptions;
import dev.berth.apiserver.registry.World;
import dev.berth.apiserver.registry.WriteOptions;
import dev.berth.apiserver.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;

/** Writes roles and bindings into a world, in few words. Single quotes stand for double ones. */
final class Roles {
  private final World world;

  Roles(World world) {
    this.world = world;
  }

  Resource resource(String plural) {
    return world.registry.catalog().get(RoleIndex.GROUP, "v1", plural);
  }

  void write(String plural, String namespace, String json) {
    world.registry.create(resource(plural), namespace, World.json(json), WriteOptions.DEFAULT);
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
    return world.registry.get(resource(plural), ObjectName.parse(name)).tree();
  }

  void delete(String plural, String name) {
    world.registry.delete(resource(plural), ObjectName.parse(name), DeleteOptions.DEFAULT);
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
