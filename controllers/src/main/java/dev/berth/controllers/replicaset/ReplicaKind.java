package dev.berth.controllers.replicaset;

import dev.berth.client.Resources;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;

/** The kinds of objects that keep a number of like pods. */
public enum ReplicaKind {
  REPLICA_SET("apps/v1", "ReplicaSet", "replicaset-controller"),
  REPLICATION_CONTROLLER("v1", "ReplicationController", "replication-controller");

  private final String apiVersion;
  private final String kind;
  private final String component;

  ReplicaKind(String apiVersion, String kind, String component) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.component = component;
  }

  GroupVersionResource resource() {
    return switch (this) {
      case REPLICA_SET -> Resources.REPLICA_SETS;
      case REPLICATION_CONTROLLER -> Resources.REPLICATION_CONTROLLERS;
    };
  }

  /** Who reports its events, and the name of its loop. */
  String component() {
    return component;
  }

  /** An object that says what kind it is, which those in lists of some servers do not. */
  JsonObject named(JsonObject object) {
    return object.with("kind", kind).with("apiVersion", apiVersion);
  }

  boolean isOwner(OwnerReference reference) {
    return reference.kind().equals(kind) && reference.apiVersion().equals(apiVersion);
  }

  /** Which pods it is about; none if that cannot be told. */
  LabelSelector selector(JsonObject set) {
    Object selector = set.object("spec").get("selector");
    try {
      return switch (this) {
        case REPLICA_SET -> LabelSelector.fromTree(selector);
        case REPLICATION_CONTROLLER ->
            selector instanceof JsonObject labels && !labels.isEmpty()
                ? LabelSelector.ofLabels(labels)
                : LabelSelector.NOTHING;
      };
    } catch (SelectorException e) {
      return LabelSelector.NOTHING;
    }
  }
}
