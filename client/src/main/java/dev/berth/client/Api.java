package dev.berth.client;

import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;

/**
 * A Kubernetes API server as somebody in particular sees it: over HTTP, or in the same process.
 *
 * <p>What may go wrong is a value, not an exception: a server that refuses ({@link
 * ApiResult.Refused}) and one that does not answer ({@link ApiResult.Unreachable}). Nothing is
 * tried again here; whoever asks knows better when, and whether.
 *
 * <p>{@link #send} and {@link #list} may block, so components run them by {@code Loop.call}; {@link
 * #watch} and all that a watch can do never do. All methods may be called from any thread.
 *
 * <p>Trees are shared: with the store when the server is in this process, and with whoever else was
 * given them.
 */
public interface Api {

  /** Reads or changes one object, or one of its parts. */
  ApiResult send(ApiRequest request);

  /** Reads many objects of a resource, or a page of them. */
  ListResult list(ListRequest request);

  /**
   * Watches objects of a resource. Whether the server lets it is found out by polling.
   *
   * <p>A reader polls until it finds nothing, beginning at once. It is told when there may be
   * something again, and perhaps now and then when there is not.
   *
   * @param onReady run whenever there may be something to poll, on any thread; it must be quick,
   *     and must not poll itself
   */
  ApiWatch watch(WatchRequest request, Runnable onReady);

  default ApiResult get(GroupVersionResource resource, ObjectName name) {
    return send(new ApiRequest.Get(Target.of(resource, name)));
  }

  /** Creates an object in the namespace that its metadata name. */
  default ApiResult create(GroupVersionResource resource, JsonObject object) {
    String namespace = ObjectName.of(object).namespace();
    return send(new ApiRequest.Create(Target.all(resource, namespace), object));
  }

  /** Creates what a part of an object is made for, such as a binding or an eviction. */
  default ApiResult create(Target part, JsonObject object) {
    return send(new ApiRequest.Create(part, object));
  }

  /** Replaces an object: only the revision that its metadata name, if they do. */
  default ApiResult update(GroupVersionResource resource, JsonObject object) {
    return send(new ApiRequest.Update(Target.of(resource, ObjectName.of(object)), object));
  }

  /** Replaces the status of an object, likewise. */
  default ApiResult updateStatus(GroupVersionResource resource, JsonObject object) {
    Target status = Target.of(resource, ObjectName.of(object)).subresource("status");
    return send(new ApiRequest.Update(status, object));
  }

  /**
   * Patches an object or a part of one.
   *
   * @param patch a value of a tree: an array of operations for {@link PatchType#JSON}, an object
   *     for the others
   */
  default ApiResult patch(Target target, PatchType type, Object patch) {
    return send(new ApiRequest.Patch(target, type, patch));
  }

  default ApiResult delete(GroupVersionResource resource, ObjectName name, DeleteOptions options) {
    return send(new ApiRequest.Delete(Target.of(resource, name), options));
  }

  default ApiResult delete(GroupVersionResource resource, ObjectName name) {
    return delete(resource, name, DeleteOptions.NONE);
  }
}
