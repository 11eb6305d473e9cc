package dev.berth.serving.rest;

import dev.berth.access.Requester;
import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.Listing;
import dev.berth.registry.Stored;
import dev.berth.registry.admission.AdmissionNotices;
import dev.berth.registry.status.Status;
import dev.berth.serving.connect.WebSocketStream;
import dev.berth.serving.local.LocalExchange;
import dev.berth.serving.observe.Observed;
import dev.berth.serving.request.Query;
import dev.berth.serving.request.Representation;
import dev.berth.serving.request.RequestPath;
import dev.berth.serving.wire.WireFormat;
import dev.berth.wire.Protobuf;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One request about a resource, parsed and authorized, and what its response must carry. */
final class Call {
  private final Observed exchange;
  private final RequestPath.OfResource path;
  private final Resource resource;
  private final Query query;
  private final Requester requester;
  private final @Nullable LocalExchange local;
  private final Warnings warnings = new Warnings();
  private @Nullable Representation representation;

  Call(
      Observed exchange,
      RequestPath.OfResource path,
      Resource resource,
      Query query,
      Requester requester,
      @Nullable LocalExchange local) {
    this.exchange = exchange;
    this.path = path;
    this.resource = resource;
    this.query = query;
    this.requester = requester;
    this.local = local;
  }

  Exchange exchange() {
    return exchange;
  }

  Resource resource() {
    return resource;
  }

  Query query() {
    return query;
  }

  /** The user whose permissions count. */
  User user() {
    return requester.user();
  }

  /** Whose rights count, and who sent the request. */
  Requester requester() {
    return requester;
  }

  /** The namespace of a resource that has them; empty for all. */
  String namespace() {
    return resource.isNamespaced() ? path.namespace() : "";
  }

  ObjectName name() {
    return new ObjectName(namespace(), path.name());
  }

  boolean hasName() {
    return !path.name().isEmpty();
  }

  String subresource() {
    return path.subresource();
  }

  /** Says which object the call was about, where the path did not. */
  void concerns(String objectName) {
    exchange.concerns(objectName);
  }

  /** Says what the client sent, as it was understood. */
  void sent(Object tree) {
    exchange.bodies().sent(tree);
  }

  /** Who asks from within this process, and gives and takes trees; null for all others. */
  @Nullable LocalExchange local() {
    return local;
  }

  /** Says something to the client beside the answer. */
  void warn(String text) {
    warnings.add(text);
  }

  /** What policies have to say goes to the client and into the audit log. */
  AdmissionNotices notices() {
    return new AdmissionNotices() {
      @Override
      public void warn(String text) {
        Call.this.warn(text);
      }

      @Override
      public void annotate(String key, String value) {
        exchange.annotate(key, value);
      }

      @Override
      public void annotateContent(String key, String value) {
        if (exchange.bodies().keepsSent()) {
          exchange.annotate(key, value);
        }
      }
    };
  }

  /**
   * What the client wants to see. Asked for before anything is changed, so that a client whose
   * wishes cannot be met has changed nothing.
   */
  Representation representation() {
    if (representation == null) {
      List<String> accept = exchange.headers("Accept");
      representation =
          resource.custom().isPresent()
              ? Representation.negotiateCustom(accept)
              : Representation.negotiate(
                  accept,
                  () -> Protobuf.has(resource.kind()),
                  path.name().isEmpty() && exchange.method().equals("GET"));
    }
    return representation;
  }

  /** The header fields of an answer in the format that the client wants. */
  Headers headers() {
    return headers(representation().format().mediaType());
  }

  Headers headers(String contentType) {
    return warnings.addTo(
        Headers.of("Content-Type", contentType).with("Cache-Control", "no-cache, private"));
  }

  /** An answer that something failed, with what else there was to say. */
  Response warned(Response failure) {
    return new Response(failure.status(), warnings.addTo(failure.headers()), failure.body());
  }

  /** Begins to answer a watch: by a stream of events, or over a WebSocket if the client asks. */
  ResponseStream watchStream() {
    WireFormat format = representation().format();
    if (!WebSocketStream.isRequested(exchange)) {
      return exchange.stream(200, headers(format.streamType()), Streaming.WATCH);
    }
    return exchange.watchStream(
        WebSocketStream.ofEvents(
            exchange,
            format == WireFormat.JSON
                ? WebSocketStream.Frames.TEXT
                : WebSocketStream.Frames.WITHOUT_LENGTH));
  }

  /** Answers with a tree that says its kind and version, in the format that the client wants. */
  void respond(int status, JsonObject tree) {
    if (local == null) {
      respond(status, representation().format().bytes(tree));
    } else {
      exchange.answered(status);
      exchange.bodies().answered(status, tree);
      local.answer(status, tree);
    }
  }

  /** Answers with an object of the resource. */
  void respond(int status, Rendering rendering, Stored object) {
    if (local == null) {
      respond(status, rendering.object(object));
    } else {
      respond(status, object.served());
    }
  }

  /** Answers with bytes that are in the format that the client wants. */
  void respond(int status, byte[] body) {
    boolean pretty = query.flag("pretty") && representation().format() == WireFormat.JSON;
    exchange.respond(new Response(status, headers(), List.of(pretty ? PrettyJson.of(body) : body)));
  }

  /** Answers whoever asks from within this process with objects that it shares with the store. */
  void respond(Listing.Page page) {
    exchange.answered(200);
    if (exchange.bodies().keepsAnswer()) {
      exchange.bodies().answered(200, ListEndpoint.tree(resource, page));
    }
    Objects.requireNonNull(local).answer(resource, page);
  }

  void respond(Status status) {
    respond(status.code(), status.toTree());
  }
}
