package dev.berth.apiserver.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.apiserver.auth.AccessControl;
import dev.berth.apiserver.auth.Authenticator;
import dev.berth.apiserver.auth.Authorizer;
import dev.berth.apiserver.auth.BuiltInAuthorizer;
import dev.berth.apiserver.auth.User;
import dev.berth.apiserver.health.Health;
import dev.berth.apiserver.observe.Observers;
import dev.berth.apiserver.registry.World;
import dev.berth.component.ComponentHealth;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.ArrayList;
import java.util.List;

/** Sends requests to a handler over a world, without a network, as root unless somebody else. */
final class Requests implements AutoCloseable {
  private final ApiHandler handler;

  Requests(World world, Authorizer... others) {
    Authenticator byHeader =
        exchange ->
            exchange
                .header("User")
                .<Authenticator.Answer>map(name ->
                    new Authenticator.Answer.Known(
                        User.authenticated(
                            name, name.equals("root") ? List.of(User.MASTERS) : List.of())))
                .orElseGet(Authenticator.Answer.NoProof::new);
    List<Authorizer> authorizers = new ArrayList<>(List.of(others));
    authorizers.add(new BuiltInAuthorizer());
    this.handler =
        new ApiHandler(
            world.registry, new AccessControl(List.of(byHeader), authorizers), unwatched(world));
  }

  /** Nobody looks at the requests. */
  static Instruments unwatched(World world) {
    return new Instruments(
        new Observers(world.time, List.of()),
        new Health(world.store, new ComponentHealth(), List.of()),
        new Metrics());
  }

  /** An answer: its status and its object. */
  record Answer(int status, JsonObject json, FakeExchange exchange) {
    String message() {
      return json.text("message", "");
    }
  }

  Answer send(String method, String path, String body) {
    return as("root", method, path, body);
  }

  Answer as(String user, String method, String path, String body) {
    String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    FakeExchange exchange =
        new FakeExchange(method, path).with("User", user).with("Content-Type", type).body(body);
    try {
      handler.handle(exchange);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return new Answer(
        exchange.status(),
        JsonReader.object(exchange.answer().getBytes(UTF_8), JsonLimits.TRUSTED),
        exchange);
  }

  Answer get(String path) {
    return send("GET", path, "");
  }

  @Override
  public void close() {
    handler.close();
  }
}
