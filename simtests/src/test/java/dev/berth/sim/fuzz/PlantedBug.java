package dev.berth.sim.fuzz;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiWatch;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.controllers.disruption.DisruptionController;
import dev.berth.controllers.job.JobController;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.ZoneSettings;
import dev.berth.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A bug as somebody might write it, put in where only tests can; one for each invariant. */
enum PlantedBug {
  /** A store that comes back from a crash without its last write. */
  LOSES_THE_LAST_WRITE("no acknowledged write is lost", 2, ForgetfulStore::new),

  /** A scheduler that binds now and then to another node than the one it has chosen. */
  BINDS_TO_ANOTHER_NODE(
      "no node is over-committed",
      1,
      () -> sending(FuzzCluster.SCHEDULER, new Every(3), PlantedBug::toTheFirstNode)),

  /** Controllers that take a toleration for half as long as it is. */
  HALVES_TOLERATIONS(
      "no toleration is ignored or cut short",
      1,
      () ->
          reading(api ->
              TamperedApi.showing(
                  api, Resources.PODS, pod -> Optional.of(withHalfTolerations(pod))))),

  /** A rate that is taken for a hundred times of what it is. */
  EVICTS_TOO_FAST("no zone is emptied faster than its rate", 2, TooFast::new),

  /** Budgets that allow two disruptions more than there may be. */
  ALLOWS_TOO_MANY_DISRUPTIONS(
      "disruption budgets are kept",
      3,
      () ->
          sending(
              DisruptionController.ACCOUNT,
              new Every(1),
              request -> withStatus(request, status -> plus(status, "disruptionsAllowed", 2)))),

  /** Controllers that delete pods by force. */
  DELETES_BY_FORCE(
      "a StatefulSet's pod runs once", 1, () -> sending("", new Every(1), PlantedBug::byForce)),

  /** A controller that counts one pod too many now and then. */
  COUNTS_TWICE(
      "jobs count each pod once",
      1,
      () ->
          sending(
              JobController.ACCOUNT,
              new Every(4),
              request -> withStatus(request, status -> plus(status, "succeeded", 1)))),

  /** Controllers that take what is being detached for detached. */
  ATTACHES_TOO_EARLY(
      "no volume is attached twice",
      2,
      () ->
          reading(api ->
              TamperedApi.showing(
                  api,
                  Resources.VOLUME_ATTACHMENTS,
                  attachment ->
                      Metadata.of(attachment).isBeingDeleted()
                          ? Optional.empty()
                          : Optional.of(attachment)))),

  /** A watch that leaves out an event now and then. */
  MISSES_EVENTS(
      "caches equal the store when all is quiet",
      1,
      () -> {
        Every fifth = new Every(5);
        return reading(api ->
            TamperedApi.telling(
                api,
                Resources.NODES,
                event -> event.change() != ApiWatch.Change.MODIFIED || !fifth.now()));
      }),

  /** A scheduler that is not told that some pods have ended. */
  KEEPS_PODS_THAT_ENDED(
      "caches equal the store when all is quiet",
      1,
      () ->
          clients((account, api) ->
              account.equals(FuzzCluster.SCHEDULER)
                  ? TamperedApi.telling(api, Resources.PODS, event -> !isEndOfSomePod(event))
                  : api)),

  /** A watch that says nothing more after a while, and does not end. */
  STOPS_LISTENING(
      "everything converges once faults end",
      2,
      () -> {
        int[] told = {0};
        return reading(api -> TamperedApi.telling(api, Resources.PODS, _ -> told[0]++ < 300));
      });

  private final String invariant;
  private final long seed;

  @SuppressWarnings("ImmutableEnumChecker") // What it makes is made anew for each history.
  private final Supplier<FuzzSeams> seams;

  PlantedBug(String invariant, long seed, Supplier<FuzzSeams> seams) {
    this.invariant = invariant;
    this.seed = seed;
    this.seams = seams;
  }

  /** What it breaks. */
  String invariant() {
    return invariant;
  }

  /** A seed that finds it quickly. */
  long seed() {
    return seed;
  }

  FuzzSeams plant() {
    return seams.get();
  }

  /** Now and then. */
  private static final class Every {
    private final int times;
    private int asked;

    Every(int times) {
      this.times = times;
    }

    boolean now() {
      asked++;
      return asked % times == 0;
    }
  }

  /** In what is between a client of the server, and the server. */
  private static FuzzSeams clients(BiFunction<String, Api, Api> between) {
    return new FuzzSeams() {
      @Override
      public Api client(String process, String account, Api network) {
        return process.equals(FuzzCluster.HOLLOW) || process.equals(FuzzCluster.USER)
            ? network
            : between.apply(account, network);
      }
    };
  }

  /** In what controllers are told. */
  private static FuzzSeams reading(UnaryOperator<Api> tampering) {
    return clients(
        (account, api) -> account.equals(Controllers.INFORMERS) ? tampering.apply(api) : api);
  }

  /** In what one of them says; in what all of them say, if the account is empty. */
  private static FuzzSeams sending(String account, Every when, UnaryOperator<ApiRequest> change) {
    return clients((own, api) ->
        account.isEmpty() || own.equals(account)
            ? TamperedApi.sending(
                api,
                request -> {
                  ApiRequest changed = change.apply(request);
                  return changed.equals(request) || !when.now() ? request : changed;
                })
            : api);
  }

  private static boolean isEndOfSomePod(ApiWatch.Event event) {
    PodTree pod = new PodTree(event.object());
    return pod.uid().hashCode() % 4 == 0
        && (event.change() == ApiWatch.Change.DELETED || pod.phase().finished());
  }

  private static ApiRequest toTheFirstNode(ApiRequest request) {
    return request instanceof ApiRequest.Create(Target target, JsonObject binding)
            && target.subresource().equals("binding")
        ? new ApiRequest.Create(
            target, binding.update("target", node -> node.with("name", "hollow-0")))
        : request;
  }

  private static ApiRequest byForce(ApiRequest request) {
    return request instanceof ApiRequest.Delete(Target target, DeleteOptions options)
            && target.resource().equals(Resources.PODS)
        ? new ApiRequest.Delete(target, options.grace(0))
        : request;
  }

  private static ApiRequest withStatus(ApiRequest request, UnaryOperator<JsonObject> change) {
    return request instanceof ApiRequest.Update(Target target, JsonObject object)
            && target.subresource().equals("status")
        ? new ApiRequest.Update(target, object.update("status", change))
        : request;
  }

  private static JsonObject plus(JsonObject status, String field, long more) {
    return status.has(field) ? status.with(field, status.integer(field).orElse(0) + more) : status;
  }

  private static JsonObject withHalfTolerations(JsonObject pod) {
    List<JsonObject> halves =
        pod.object("spec").array("tolerations").objects().stream()
            .map(toleration ->
                toleration.has("tolerationSeconds")
                    ? toleration.with(
                        "tolerationSeconds", toleration.integer("tolerationSeconds").orElse(0) / 2)
                    : toleration)
            .toList();
    return pod.update("spec", spec -> spec.with("tolerations", JsonArray.copyOf(halves)));
  }

  private static final class TooFast implements FuzzSeams {
    @Override
    public ControllerSettings controllers(ControllerSettings settings) {
      ZoneSettings zones = settings.lifecycle().zones();
      return settings.lifecycle(
          new NodeLifecycleSettings(
              settings.lifecycle().monitorPeriod(),
              settings.lifecycle().health(),
              new ZoneSettings(
                  100 * zones.nodesPerSecond(),
                  zones.secondaryNodesPerSecond(),
                  zones.unhealthyThreshold(),
                  zones.largeZone())));
    }
  }

  /** Undoes its latest write of a pod when a server is started again. */
  private static final class ForgetfulStore implements FuzzSeams {
    private Optional<LatestWrite> latest = Optional.empty();

    @Override
    public Store store(Store store) {
      LatestWrite watched = new LatestWrite(store);
      latest = Optional.of(watched);
      return watched;
    }

    @Override
    public void serverStarted() {
      latest.ifPresent(LatestWrite::undo);
    }
  }
}
