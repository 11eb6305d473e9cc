package dev.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.LocalApi;
import dev.berth.apiserver.auth.User;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An API server in memory and schedulers, on a clock that tests turn. */
final class VirtualCluster implements AutoCloseable {
  final VirtualTime time;
  final Metrics metrics = new Metrics();
  private final MemoryStore store = new MemoryStore();
  private final LocalApi server;
  private final Api admin;
  final List<String> complaints = new ArrayList<>();
  private @Nullable Scheduler scheduler;

  VirtualCluster(long seed) {
    time =
        new VirtualTime(
            seed,
            failure -> {
              throw new AssertionError(failure.toString(), failure.cause());
            });
    server =
        LocalApi.open(
            store,
            time,
            (method, path, cause) -> {
              throw new AssertionError(method + " " + path, cause);
            });
    admin = server.api(User.authenticated("admin", List.of("system:masters")), "test");
  }

  /** Starts a scheduler, in place of the one that runs, if one does. */
  VirtualCluster schedule(SchedulerConfiguration configuration) {
    return schedule(configuration, schedulersApi());
  }

  /** The server as a scheduler sees it. */
  Api schedulersApi() {
    return server.api("system:kube-scheduler", "scheduler");
  }

  VirtualCluster schedule(SchedulerConfiguration configuration, Api api) {
    stopScheduler();
    Metrics counted = scheduler == null ? metrics : new Metrics();
    scheduler =
        Scheduler.start(
            new Scheduler.Parts(api, time, counted, configuration, "test", complaints::add));
    scheduler.lead();
    settle();
    return this;
  }

  VirtualCluster schedule() {
    return schedule(ConfigurationReader.defaults());
  }

  /** The server as somebody sees it who may do everything. */
  Api admin() {
    return admin;
  }

  void stopScheduler() {
    if (scheduler != null) {
      scheduler.close();
    }
  }

  void settle() {
    time.settle();
  }

  void advance(Duration duration) {
    time.advance(duration);
  }

  static JsonObject tree(String json) {
    return JsonReader.object(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  void node(String name, String cpu) {
    node(name, cpu, "{}");
  }

  /** A ready node of 4 Gi and 110 pods. */
  void node(String name, String cpu, String labels) {
    create(
        Resources.NODES,
        "{'metadata':{'name':'%s','labels':%s},'status':{'allocatable':{'cpu':'%s','memory':'4Gi','pods':'110'},'conditions':[{'type':'Ready','status':'True'}]}}"
            .formatted(name, labels, cpu));
    // The server taints what is new; whoever watches nodes would take that away again.
    patch(Resources.NODES, ObjectName.of(name), "{'spec':{'taints':null}}");
  }

  void taint(String node, String taints) {
    patch(Resources.NODES, ObjectName.of(node), "{'spec':{'taints':" + taints + "}}");
  }

  void pod(String name, String cpu) {
    pod(name, cpu, "{}");
  }

  /** A pod that asks for some cpu, with further fields of its specification. */
  void pod(String name, String cpu, String spec) {
    JsonObject further = tree(spec);
    JsonObject own =
        tree(
            "{'terminationGracePeriodSeconds':0,'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'%s'}}}]}"
                .formatted(cpu));
    for (int i = 0; i < further.size(); i++) {
      own = own.with(further.name(i), further.value(i));
    }
    JsonObject metadata =
        tree("{'namespace':'default','name':'" + name + "','labels':{'app':'a'}}");
    done(
        admin.create(
            Resources.PODS,
            new JsonObject.Builder().put("metadata", metadata).put("spec", own).build()));
  }

  void priority(String name, long value) {
    create(
        Resources.PRIORITY_CLASSES, "{'metadata':{'name':'%s'},'value':%d}".formatted(name, value));
  }

  JsonObject create(GroupVersionResource resource, String json) {
    return done(admin.create(resource, tree(json)));
  }

  JsonObject patch(GroupVersionResource resource, ObjectName name, String json) {
    return done(admin.patch(Target.of(resource, name), PatchType.MERGE, tree(json)));
  }

  void patchStatus(GroupVersionResource resource, ObjectName name, String json) {
    done(admin.patch(Target.of(resource, name).part("status"), PatchType.MERGE, tree(json)));
  }

  void delete(GroupVersionResource resource, ObjectName name) {
    done(admin.delete(resource, name, DeleteOptions.NONE.grace(0)));
  }

  static ObjectName podName(String name) {
    return new ObjectName("default", name);
  }

  JsonObject getPod(String name) {
    return done(admin.get(Resources.PODS, podName(name)));
  }

  List<JsonObject> list(GroupVersionResource resource) {
    return switch (admin.list(ListRequest.of(resource))) {
      case ListResult.Page page -> page.items();
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  /** The revision of the latest write. */
  String revision() {
    return ((ListResult.Page) admin.list(ListRequest.of(Resources.PODS))).revision();
  }

  boolean exists(String pod) {
    return admin.get(Resources.PODS, podName(pod)).isDone();
  }

  String nodeOf(String pod) {
    return getPod(pod).object("spec").text("nodeName", "");
  }

  /** What the PodScheduled condition says. */
  JsonObject scheduled(String pod) {
    return Conditions.find(getPod(pod).object("status").array("conditions"), "PodScheduled")
        .orElse(JsonObject.EMPTY);
  }

  List<String> events(String pod, String reason) {
    return list(Resources.EVENTS).stream()
        .filter(e -> e.object("regarding").text("name", "").equals(pod))
        .filter(e -> e.text("reason", "").equals(reason))
        .map(e -> e.text("note", ""))
        .toList();
  }

  String metrics() {
    return metrics.text(MetricsText.Format.PROMETHEUS);
  }

  private static JsonObject done(ApiResult result) {
    assertThat(result).isInstanceOf(ApiResult.Done.class);
    return ((ApiResult.Done) result).object();
  }

  @Override
  public void close() {
    stopScheduler();
    server.close();
    store.close();
  }
}
