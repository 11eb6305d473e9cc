package dev.berth.agent.pod;

import dev.berth.agent.pod.RunningPods.Eviction;
import dev.berth.agent.podspec.RecursiveReadOnly;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ContainerUser;
import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodCondition;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ReportedStatus;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.podrun.PodReport;
import dev.berth.policy.podrun.PodSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Puts together what the status of a pod says. */
final class PodStatuses {
  private PodStatuses() {}

  static JsonObject of(
      PodWorker worker,
      PodSnapshot shown,
      Map<String, ContainerState.Waiting> waiting,
      Optional<Eviction> eviction,
      PodContext context) {
    JsonObject spec = worker.pod().object("spec");
    String qos = Qos.of(PodSpecView.read(spec)).text();
    return PodReport.of(
        new PodReport.Inputs(
            shown,
            ReportedStatus.read(withGates(worker), context.time().now()),
            worker.stage(),
            waiting,
            eviction.map(why -> new PodReport.Failure(why.reason(), why.message())),
            conditions(eviction, worker),
            new PodReport.Addresses(context.node().addresses(), worker.addresses()),
            worker.startTime(),
            details(worker, context),
            phase -> PodLevelStatus.of(worker.resize(), worker.pod(), phase).with("qosClass", qos),
            context.time().now()));
  }

  /** What was said before, with the conditions that others set, as the server shows them. */
  private static JsonObject withGates(PodWorker worker) {
    JsonArray own = worker.status().array("conditions");
    JsonArray all = own;
    for (JsonObject condition : worker.pod().object("status").array("conditions").objects()) {
      String type = condition.text("type", "");
      int at = indexOf(own, type);
      boolean isGate = worker.rules().readinessGates().contains(type);
      if (at < 0) {
        all = all.append(condition);
      } else if (isGate) {
        all = all.with(at, condition);
      }
    }
    return all.isEmpty() ? worker.status() : worker.status().with("conditions", all);
  }

  private static int indexOf(JsonArray conditions, String type) {
    List<JsonObject> all = conditions.objects();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).text("type", "").equals(type)) {
        return i;
      }
    }
    return -1;
  }

  private static List<PodCondition> conditions(Optional<Eviction> eviction, PodWorker worker) {
    List<PodCondition> conditions = new ArrayList<>(worker.resize().conditions());
    eviction
        .flatMap(Eviction::disruption)
        .ifPresent(message ->
            conditions.add(
                new PodCondition(
                    PodCondition.DISRUPTION_TARGET, true, "TerminationByKubelet", message)));
    return conditions;
  }

  /** The resources, mounts and user of each container that was ever started. */
  private static Map<String, JsonObject> details(PodWorker worker, PodContext context) {
    Map<String, JsonObject> details = new HashMap<>();
    for (ContainerStatus container : worker.observation().containers()) {
      // Of several of one name, the newest.
      details.put(container.name(), details(worker, context, container));
    }
    return details;
  }

  private static JsonObject details(PodWorker worker, PodContext context, ContainerStatus started) {
    String name = started.name();
    JsonObject container = PodContainers.spec(worker.pod(), name);
    JsonObject requests = worker.resize().allocated(name).object("requests");
    JsonObject.Builder details = new JsonObject.Builder();
    if (!requests.isEmpty()) {
      details.put("allocatedResources", requests);
    }
    details.put("resources", worker.resize().actual(name));
    JsonArray devices = context.devices().health(worker.id().uid(), name);
    if (!devices.isEmpty() && PodContainers.isMain(worker.pod(), name)) {
      details.put("allocatedResourcesStatus", devices);
    }
    boolean areDeeplyReadOnly =
        RecursiveReadOnly.isSupported(worker.pod(), context.runtime().handlers());
    List<JsonObject> mounts = new ArrayList<>();
    for (JsonObject mount : container.array("volumeMounts").objects()) {
      JsonObject.Builder shown =
          new JsonObject.Builder()
              .put("name", mount.text("name", ""))
              .put("mountPath", mount.text("mountPath", ""));
      if (mount.flag("readOnly", false)) {
        shown
            .put("readOnly", true)
            .put("recursiveReadOnly", RecursiveReadOnly.status(mount, areDeeplyReadOnly));
      }
      mounts.add(shown.build());
    }
    if (!mounts.isEmpty()) {
      details.put("volumeMounts", JsonArray.copyOf(mounts));
    }
    user(worker, context, started, container)
        .ifPresent(user ->
            details.put(
                "user",
                JsonObject.of(
                    "linux",
                    new JsonObject.Builder()
                        .put("uid", user.user())
                        .put("gid", user.group())
                        .put("supplementalGroups", JsonArray.copyOf(user.groups()))
                        .build())));
    return details.build();
  }

  /** Who its first process is: as the runtime says, or else where the specification does. */
  private static Optional<ContainerUser> user(
      PodWorker worker, PodContext context, ContainerStatus started, JsonObject container) {
    Optional<ContainerUser> known = context.runtime().user(started.id());
    if (known.isPresent()) {
      return known;
    }
    JsonObject pods = worker.pod().object("spec").object("securityContext");
    JsonObject own = container.object("securityContext");
    OptionalLong user = own.integer("runAsUser");
    user = user.isPresent() ? user : pods.integer("runAsUser");
    if (user.isEmpty()) {
      return Optional.empty();
    }
    List<Long> groups = new ArrayList<>();
    for (Object group : pods.array("supplementalGroups").values()) {
      if (group instanceof Long number) {
        groups.add(number);
      }
    }
    return Optional.of(
        new ContainerUser(
            user.getAsLong(),
            own.integer("runAsGroup").orElse(pods.integer("runAsGroup").orElse(0)),
            groups));
  }
}
