package dev.berth.client;

import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * An API that logs every write of a component at debug: the verb, the object and the outcome. Never
 * what an object holds, nor the server's message about that.
 *
 * <p>Renewing a lease says only that the component is alive, and is logged at trace.
 */
public final class LoggedApi implements Api {
  private final Api api;
  private final Logger log;

  /**
   * @param component under whose name its writes are logged
   */
  public LoggedApi(Api api, String component) {
    this.api = api;
    this.log = LoggerFactory.getLogger(component);
  }

  @Override
  public ApiResult send(ApiRequest request) {
    ApiResult result = api.send(request);
    if (log.isDebugEnabled()) {
      log(request, result);
    }
    return result;
  }

  private void log(ApiRequest request, ApiResult result) {
    switch (request) {
      case ApiRequest.Get _, ApiRequest.Discover _ -> {}
      case ApiRequest.Create create ->
          log("created", create, ObjectName.of(create.object()), result);
      case ApiRequest.Update update -> log("updated", update, update.target().name(), result);
      case ApiRequest.Patch patch -> log("patched", patch, patch.target().name(), result);
      case ApiRequest.Apply apply -> log("applied", apply, apply.target().name(), result);
      case ApiRequest.Delete delete -> log("deleted", delete, delete.target().name(), result);
      case ApiRequest.DeleteAll all -> log("deleted all", all, all.target().name(), result);
      case ApiRequest.ByLeader led -> log(led.asked(), result);
    }
  }

  private void log(String done, ApiRequest request, ObjectName object, ApiResult result) {
    Target target = request.target();
    GroupVersionResource resource = target.resource();
    boolean isRenewal =
        resource.equals(Resources.LEASES)
            && (request instanceof ApiRequest.Patch || request instanceof ApiRequest.Update);
    LoggingEventBuilder line =
        log.atLevel(isRenewal ? Level.TRACE : Level.DEBUG)
            .addKeyValue("resource", name(target))
            .addKeyValue("object", name(target, object));
    switch (result) {
      case ApiResult.Done _ -> line.log(done);
      case ApiResult.Refused(ApiError error) ->
          line.addKeyValue("code", error.code())
              .addKeyValue("reason", error.reason())
              .log("not {}", done);
      case ApiResult.Unreachable(String message) ->
          line.addKeyValue("reason", message).log("not {}, as far as is known", done);
    }
  }

  private static String name(Target target) {
    String resource = target.resource().groupResource().toString();
    return target.subresource().isEmpty() ? resource : resource + "/" + target.subresource();
  }

  /** A part of an object is created under the object's name. */
  private static ObjectName name(Target target, ObjectName object) {
    return target.name().name().isEmpty() ? object : target.name();
  }

  @Override
  public ListResult list(ListRequest request) {
    return api.list(request);
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    return api.watch(request, onReady);
  }
}
