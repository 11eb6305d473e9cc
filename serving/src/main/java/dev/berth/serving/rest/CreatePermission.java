package dev.berth.serving.rest;

import dev.berth.access.AccessControl;
import dev.berth.access.Action;

/**
 * Who makes an object by an update or by applying it must be allowed to create it, too; so must who
 * opens a WebSocket to a pod, which begins with GET.
 */
record CreatePermission(AccessControl access) {

  /** Fails unless the client may create the object that its path names. */
  void check(Call call) {
    access.check(
        call.user(),
        new Action.OnResource(
            "create",
            call.resource().groupResource(),
            call.namespace(),
            call.name().name(),
            call.subresource()));
  }
}
