package dev.berth.serving.rest;

import dev.berth.component.HealthCheck;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.status.Failures;
import dev.berth.serving.request.Representation;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Answers componentstatuses, which are deprecated and still asked for: how store, scheduler and
 * controllers are, under the names that they have upstream. What does not run in this process is
 * unknown.
 */
final class ComponentStatusEndpoint {
  private static final int OK = 200;

  /**
   * A component of a cluster.
   *
   * @param isPart whether a health check is about the component
   */
  private record Component(String name, Predicate<String> isPart) {}

  private static final List<Component> COMPONENTS =
      List.of(
          new Component(
              "controller-manager",
              check -> check.startsWith("component/") && check.endsWith("-controller")),
          new Component("etcd-0", "store"::equals),
          new Component("scheduler", "component/scheduler"::equals));

  private final Registry registry;
  private final Supplier<List<HealthCheck>> checks;

  ComponentStatusEndpoint(Registry registry, Supplier<List<HealthCheck>> checks) {
    this.registry = registry;
    this.checks = checks;
  }

  static boolean answers(Resource resource) {
    return resource.toString().equals("componentstatuses");
  }

  void answer(Call call) {
    List<HealthCheck> now = checks.get();
    List<JsonObject> all = COMPONENTS.stream().map(component -> status(component, now)).toList();
    if (call.hasName()) {
      String name = call.name().name();
      JsonObject found =
          all.stream()
              .filter(status -> status.object("metadata").text("name", "").equals(name))
              .findFirst()
              .orElseThrow(() -> Failures.notFound(new GroupResource("", "componentstatus"), name));
      respond(call, List.of(found), found);
      return;
    }
    Selection selection = selection(call);
    List<JsonObject> selected =
        all.stream().filter(status -> selection.matches(call.resource(), status)).toList();
    respond(
        call,
        selected,
        JsonObject.of("kind", "ComponentStatusList")
            .with("apiVersion", "v1")
            .with("metadata", JsonObject.EMPTY)
            .with("items", JsonArray.copyOf(selected)));
  }

  private static Selection selection(Call call) {
    try {
      Selection selection =
          new Selection(
              "",
              LabelSelector.parse(call.query().text("labelSelector")),
              FieldSelector.parse(call.query().text("fieldSelector")));
      selection.check(call.resource());
      return selection;
    } catch (SelectorException e) {
      throw Failures.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private void respond(Call call, List<JsonObject> rows, JsonObject plain) {
    Representation form = call.representation();
    call.respond(
        OK,
        form.form() == Representation.Form.TABLE
            ? new Table(
                    call.resource().columns(),
                    form.apiVersion(),
                    Table.Include.METADATA,
                    registry.now())
                .of(rows, JsonObject.EMPTY, true)
            : plain);
  }

  private static JsonObject status(Component component, List<HealthCheck> checks) {
    List<HealthCheck> own =
        checks.stream().filter(check -> component.isPart().test(check.name())).toList();
    Optional<String> problem =
        own.stream()
            .flatMap(check -> check.problem().get().map(p -> check.name() + ": " + p).stream())
            .findFirst();
    JsonObject condition = JsonObject.of("type", "Healthy");
    if (own.isEmpty()) {
      condition =
          condition
              .with("status", Conditions.UNKNOWN)
              .with("error", "does not run in this process");
    } else if (problem.isPresent()) {
      condition = condition.with("status", Conditions.FALSE).with("error", problem.get());
    } else {
      condition = condition.with("status", Conditions.TRUE).with("message", "ok");
    }
    return JsonObject.of("kind", "ComponentStatus")
        .with("apiVersion", "v1")
        .with("metadata", JsonObject.of("name", component.name()))
        .with("conditions", JsonArray.of(condition));
  }
}
