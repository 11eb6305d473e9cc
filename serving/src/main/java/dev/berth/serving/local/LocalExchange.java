package dev.berth.serving.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.ListResult;
import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.model.user.User;
import dev.berth.registry.Listing;
import dev.berth.registry.StoredEncoding;
import dev.berth.serving.request.Query;
import dev.berth.serving.request.RequestPath;
import dev.berth.store.Store.Entry;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request of a component in this process. It passes where requests from the network pass, so that
 * it is allowed, counted, recorded and answered like them; but its body and its answer are trees,
 * and nobody writes or reads JSON for them. Used by one thread.
 */
public final class LocalExchange implements Exchange {
  private static final SocketAddress HERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int FIRST_ERROR = 400;
  private static final int BAD_GATEWAY = 502;
  private static final int SHOWN = 200;

  /**
   * Who asks: the user whose rights count, and how the component calls itself.
   *
   * @param term of the leader that asks, as its header says it; empty if none does
   */
  public record Caller(User user, String agent, String term) {
    public Caller leading(String by) {
      return new Caller(user, agent, by);
    }
  }

  private final Caller caller;
  private final String verb;
  private final RequestPath target;
  private final Query parameters;
  private final String contentType;
  private final Object sent;
  private @Nullable JsonObject answer;
  private ListResult.@Nullable Page page;
  private int status;

  /**
   * @param contentType tells patches apart
   * @param sent a value of a tree; an empty object if there is nothing to send
   */
  public LocalExchange(
      Caller caller,
      String verb,
      RequestPath target,
      Query parameters,
      String contentType,
      Object sent) {
    this.caller = caller;
    this.verb = verb;
    this.target = target;
    this.parameters = parameters;
    this.contentType = contentType;
    this.sent = sent;
  }

  public User user() {
    return caller.user();
  }

  public String verb() {
    return verb;
  }

  public RequestPath target() {
    return target;
  }

  public Query parameters() {
    return parameters;
  }

  public Object sent() {
    return sent;
  }

  public void answer(int code, JsonObject tree) {
    status = code;
    answer = tree;
  }

  public void answer(Resource resource, Listing.Page listed) {
    List<JsonObject> items = new ArrayList<>(listed.entries().size());
    for (Entry entry : listed.entries()) {
      items.add(resource.served(StoredEncoding.tree(resource, entry)));
    }
    page = new ListResult.Page(items, Long.toString(listed.revision()), listed.continueToken());
  }

  /** The answer, once there is one. */
  public ApiResult result() {
    JsonObject tree = answer == null ? JsonObject.EMPTY : answer;
    return status < FIRST_ERROR
        ? new ApiResult.Done(tree)
        : new ApiResult.Refused(ApiError.of(status, tree));
  }

  /** The result of a list. */
  public ListResult listed() {
    if (page != null) {
      return page;
    }
    JsonObject tree = answer == null ? JsonObject.EMPTY : answer;
    return status < FIRST_ERROR
        ? new ListResult.Page(
            tree.array("items").objects(),
            tree.object("metadata").text("resourceVersion", ""),
            tree.object("metadata").text("continue", ""))
        : new ApiResult.Refused(ApiError.of(status, tree));
  }

  @Override
  public String method() {
    return switch (verb) {
      case "create" -> "POST";
      case "update" -> "PUT";
      case "patch" -> "PATCH";
      case "delete", "deletecollection" -> "DELETE";
      default -> "GET";
    };
  }

  @Override
  public String path() {
    return switch (target) {
      case RequestPath.Other(String path) -> path;
      case RequestPath.OfResource resource -> path(resource);
    };
  }

  private static String path(RequestPath.OfResource target) {
    StringBuilder path = new StringBuilder();
    String group = target.version().group();
    path.append(group.isEmpty() ? "/api/" : "/apis/" + group + "/");
    path.append(target.version().version());
    boolean namespaces = RequestPath.isNamespaces(group, target.resource());
    if (!target.namespace().isEmpty() && !namespaces) {
      path.append("/namespaces/").append(target.namespace());
    }
    for (String part : List.of(target.resource(), target.name(), target.subresource())) {
      if (!part.isEmpty()) {
        path.append('/').append(part);
      }
    }
    return path.toString();
  }

  @Override
  public Optional<String> query() {
    return parameters.raw();
  }

  @Override
  public Optional<String> header(String name) {
    return switch (name) {
      case "User-Agent" -> Optional.of(caller.agent());
      case "Content-Type" -> Optional.of(contentType);
      case LeaderTerm.HEADER -> Optional.of(caller.term()).filter(term -> !term.isEmpty());
      default -> Optional.empty();
    };
  }

  @Override
  public List<String> headers(String name) {
    return header(name).map(List::of).orElse(List.of());
  }

  @Override
  public List<String> headerNames() {
    return caller.term().isEmpty()
        ? List.of("User-Agent", "Content-Type")
        : List.of("User-Agent", "Content-Type", LeaderTerm.HEADER);
  }

  @Override
  public List<X509Certificate> peerCertificates() {
    return List.of();
  }

  @Override
  public SocketAddress remoteAddress() {
    return HERE;
  }

  @Override
  public boolean acceptsGzip() {
    return false;
  }

  @Override
  public byte[] body(int maxBytes) {
    return JsonWriter.toBytes(sent);
  }

  @Override
  public void answerWith(String header, String value) {}

  /** An endpoint that answers with bytes all the same is understood too. */
  @Override
  public void respond(Response response) {
    var bytes = new ByteArrayOutputStream();
    response.body().forEach(bytes::writeBytes);
    answer(response.status(), bytes.toByteArray());
  }

  private void answer(int code, byte[] bytes) {
    try {
      answer(code, JsonReader.object(bytes, JsonLimits.REQUEST));
    } catch (JsonException e) {
      // Servers that answer for groups of their own may say anything.
      String text = new String(bytes, UTF_8).strip();
      answer(
          code < FIRST_ERROR ? BAD_GATEWAY : code,
          JsonObject.of("message", text.substring(0, Math.min(SHOWN, text.length()))));
    }
  }

  /** What another server answers comes in pieces; they make an answer when it ends. */
  @Override
  public ResponseStream stream(int code, Headers headers, Streaming streaming) {
    return new LocalStream(this::answer, code);
  }
}
