package dev.berth.controllers.garbagecollector;

import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;

/** An owner as somebody refers to it: where it should be, and which one it should be. */
record OwnerKey(GroupVersionResource resource, ObjectName name, String uid) {}
