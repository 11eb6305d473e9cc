package dev.berth.sim;

import dev.berth.apiserver.InitialContent;
import dev.berth.apiserver.LocalApi;
import dev.berth.apiserver.LocalApiConfig;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.component.Supervisor;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.log.Log;
import dev.berth.log.LogLevels;
import dev.berth.log.LogSink;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.policy.taint.DefaultTolerations;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.event.Level;

/**
 * An API server in memory, and whatever components a test or a simulation runs against it, on a
 * clock that it turns. All of it is a pure function of the seed.
 */
public final class VirtualCluster implements AutoCloseable {
  /**
   * Whoever watches keeps up here, and what is kept for nobody is carried through every collection.
   */
  private static final HistoryLimits PAST = new HistoryLimits(20_000, 32L << 20);

  private final FeatureGates gates;
  private final DefaultTolerations tolerations;
  private final VirtualTime time;
  private final MemoryStore store = new MemoryStore(PAST);
  private final RestartableServer server;
  private final Api admin;
  private final List<String> warnings = new ArrayList<>();
  private final Log.Attachment log;
  private final Map<String, Component> components = new LinkedHashMap<>();
  private final Map<String, Metrics> metrics = new LinkedHashMap<>();

  /** Something that runs, and how to start it again. */
  private record Component(Supplier<AutoCloseable> start, AutoCloseable running) {}

  public VirtualCluster(long seed) {
    this(seed, FeatureGates.DEFAULT);
  }

  /** One with features of one's choice. */
  public VirtualCluster(long seed, FeatureGates gates) {
    this(seed, gates, ClusterBeginning.EMPTY);
  }

  /** One that begins at some time with something in it. */
  public VirtualCluster(long seed, FeatureGates gates, ClusterBeginning beginning) {
    this(seed, gates, beginning, ServerFaults.NONE);
  }

  /** One whose server may fail. */
  public VirtualCluster(
      long seed, FeatureGates gates, ClusterBeginning beginning, ServerFaults faults) {
    this(seed, gates, beginning, faults, DefaultTolerations.FIVE_MINUTES);
  }

  /** One that gives pods tolerations of one's choice. */
  public VirtualCluster(
      long seed,
      FeatureGates gates,
      ClusterBeginning beginning,
      ServerFaults faults,
      DefaultTolerations tolerations) {
    this.gates = gates;
    this.tolerations = tolerations;
    time = new VirtualTime(seed, beginning.at(), ServerFaults.NONE.onFailure());
    InitialContent.put(store, gates, beginning.objects());
    log =
        Log.attach(
            LogLevels.of(Level.WARN), LogSink.on(time, line -> warnings.add(line.message())));
    Store served = faults.store().apply(store, time);
    server = new RestartableServer(() -> open(served, faults));
    admin = server.api(User.authenticated("admin", List.of("system:masters")), "test");
  }

  private LocalApi open(Store served, ServerFaults faults) {
    return LocalApi.open(
        LocalApiConfig.inProcess(
                served,
                faults.time().apply(time),
                (method, path, cause) -> {
                  throw new AssertionError(method + " " + path, cause);
                })
            .withGates(gates)
            .withTolerations(tolerations)
            .withLoopFailures(faults.onFailure()));
  }

  /** Ends the server as a crash would; its store keeps what was acknowledged. */
  public void crashServer() {
    server.crash();
  }

  /** Starts a server that was ended, with the store as it is. */
  public void startServer() {
    server.start();
  }

  public VirtualTime time() {
    return time;
  }

  /** Keeps components running, as it does in the server's process. */
  public Supervisor supervisor() {
    return server.running().supervisor();
  }

  /** What the server's process counts. */
  public Metrics serverMetrics() {
    return server.running().metrics();
  }

  /** What the components logged that somebody should look at. */
  public List<String> warnings() {
    return warnings;
  }

  /** The server as somebody sees it who may do everything. */
  public Api admin() {
    return admin;
  }

  /** The server as a user sees it. */
  public Api api(String user, String component) {
    return api(User.authenticated(user, List.of()), component);
  }

  /** The same for a user in certain groups. */
  public Api api(User user, String component) {
    return server.api(user, component);
  }

  /** What a controller is made of that works under a service account of kube-system. */
  public ControllerParts parts(String account) {
    ObjectName name = new ObjectName("kube-system", account);
    User user =
        User.authenticated(
            ServiceAccountUsers.userName(name), ServiceAccountUsers.groups(name.namespace()));
    return new ControllerParts(server.api(user, account), time, newMetrics(account), warnings::add);
  }

  /** Whoever starts again counts from the beginning. */
  private Metrics newMetrics(String component) {
    Metrics counted = new Metrics();
    metrics.put(component, counted);
    return counted;
  }

  /** Starts a component, in place of the one that runs under its name, if one does. */
  public void run(String name, Supplier<AutoCloseable> start) {
    crash(name);
    components.put(name, new Component(start, start.get()));
    settle();
  }

  /** Ends a component as a crash would: it forgets everything and says nothing. */
  public void crash(String name) {
    Component component = components.get(name);
    if (component != null) {
      close(component.running());
    }
  }

  /** Ends a component, and starts another like it. */
  public void restart(String name) {
    run(name, known(name).start());
  }

  private Component known(String name) {
    Component component = components.get(name);
    if (component == null) {
      throw new IllegalArgumentException(name + " does not run; there are " + components.keySet());
    }
    return component;
  }

  private static void close(AutoCloseable component) {
    try {
      component.close();
    } catch (Exception e) {
      throw new AssertionError("closing threw", e);
    }
  }

  /** Starts a scheduler, in place of the one that runs, if one does. */
  public VirtualCluster schedule(SchedulerConfiguration configuration) {
    return schedule(configuration, schedulersApi());
  }

  /** The server as a scheduler sees it. */
  public Api schedulersApi() {
    return api("system:kube-scheduler", "scheduler");
  }

  public VirtualCluster schedule(SchedulerConfiguration configuration, Api api) {
    run(
        "scheduler",
        () -> {
          Scheduler scheduler =
              Scheduler.start(
                  new Scheduler.Parts(
                      api, time, newMetrics("scheduler"), configuration.with(gates), "test"));
          scheduler.lead();
          return scheduler;
        });
    return this;
  }

  public VirtualCluster schedule() {
    return schedule(ConfigurationReader.defaults());
  }

  /** Runs everything that is to be done by now. */
  public void settle() {
    time.settle();
  }

  /** Lets time pass: everything that falls due in it happens, each at its instant. */
  public void advance(Duration duration) {
    time.advance(duration);
  }

  public static JsonObject tree(String json) {
    return JsonReader.object(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  public void node(String name, String cpu) {
    node(name, cpu, "{}");
  }

  /** A ready node of 4 Gi and 110 pods. */
  public void node(String name, String cpu, String labels) {
    create(
        Resources.NODES,
        "{'metadata':{'name':'%s','labels':%s},'status':{'allocatable':{'cpu':'%s','memory':'4Gi','pods':'110'},'conditions':[{'type':'Ready','status':'True'}]}}"
            .formatted(name, labels, cpu));
    // The server taints what is new; whoever watches nodes would take that away again.
    patch(Resources.NODES, ObjectName.of(name), "{'spec':{'taints':null}}");
  }

  public void taint(String node, String taints) {
    patch(Resources.NODES, ObjectName.of(node), "{'spec':{'taints':" + taints + "}}");
  }

  public void pod(String name, String cpu) {
    pod(name, cpu, "{}");
  }

  /** A pod that asks for some cpu, with further fields of its specification. */
  public void pod(String name, String cpu, String spec) {
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

  public void priority(String name, long value) {
    create(
        Resources.PRIORITY_CLASSES, "{'metadata':{'name':'%s'},'value':%d}".formatted(name, value));
  }

  public JsonObject create(GroupVersionResource resource, String json) {
    return done(admin.create(resource, tree(json)));
  }

  public JsonObject patch(GroupVersionResource resource, ObjectName name, String json) {
    return done(admin.patch(Target.of(resource, name), PatchType.MERGE, tree(json)));
  }

  public void patchStatus(GroupVersionResource resource, ObjectName name, String json) {
    done(admin.patch(Target.of(resource, name).subresource("status"), PatchType.MERGE, tree(json)));
  }

  public void delete(GroupVersionResource resource, ObjectName name) {
    done(admin.delete(resource, name, DeleteOptions.NONE.grace(0)));
  }

  public static ObjectName podName(String name) {
    return new ObjectName("default", name);
  }

  public JsonObject getPod(String name) {
    return done(admin.get(Resources.PODS, podName(name)));
  }

  public List<JsonObject> list(GroupVersionResource resource) {
    return switch (admin.list(ListRequest.of(resource))) {
      case ListResult.Page page -> page.items();
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  /** The revision of the latest write. */
  public String revision() {
    return ((ListResult.Page) admin.list(ListRequest.of(Resources.PODS))).revision();
  }

  public boolean exists(String pod) {
    return admin.get(Resources.PODS, podName(pod)).isDone();
  }

  public String nodeOf(String pod) {
    return getPod(pod).object("spec").text("nodeName", "");
  }

  /** What the PodScheduled condition says. */
  public JsonObject scheduled(String pod) {
    return Conditions.find(getPod(pod).object("status").array("conditions"), "PodScheduled")
        .orElse(JsonObject.EMPTY);
  }

  public List<String> events(String pod, String reason) {
    return list(Resources.EVENTS).stream()
        .filter(e -> e.object("regarding").text("name", "").equals(pod))
        .filter(e -> e.text("reason", "").equals(reason))
        .map(e -> e.text("note", ""))
        .toList();
  }

  /** What a component has counted since it was last started, as Prometheus reads it. */
  public String metrics(String component) {
    Metrics counted = metrics.getOrDefault(component, new Metrics());
    return counted.text(MetricsText.Format.PROMETHEUS);
  }

  private static JsonObject done(ApiResult result) {
    return switch (result) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  @Override
  public void close() {
    components.values().forEach(component -> close(component.running()));
    server.close();
    store.close();
    log.close();
  }
}
