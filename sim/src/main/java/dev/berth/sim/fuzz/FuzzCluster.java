package dev.berth.sim.fuzz;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.informer.SharedInformers;
import dev.berth.client.leaderelection.LeaderElected;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.component.Supervisor;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.controllers.nodelifecycle.KnownHeartbeats;
import dev.berth.hollow.fleet.HollowNodes;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.StandbyScheduler;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.sim.ClusterBeginning;
import dev.berth.sim.ProcessTime;
import dev.berth.sim.ServerFaults;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.run.UnwrittenEvents;
import dev.berth.store.Store;
import dev.berth.store.StoreException;
import dev.berth.time.LoopFailure;
import dev.berth.time.Time;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A control plane as it is run for availability, on virtual time: a server with its store, two
 * processes of all controllers and two schedulers, of each of which one leads, and the nodes in a
 * process of their own. Each has its own clock and its own way to the server, and can crash.
 */
final class FuzzCluster implements AutoCloseable {
  static final String SERVER = "server";
  static final String HOLLOW = "hollow";
  static final String CONTROLLERS = "controllers";
  static final String SCHEDULER = "scheduler";

  /** Of what there are two processes each, of which one leads. */
  static final List<String> ROLES = List.of(CONTROLLERS, SCHEDULER);

  static final List<String> PROCESSES =
      List.of("controllers-a", "controllers-b", "scheduler-a", "scheduler-b", HOLLOW);

  /** Users and operators, whose requests always arrive. */
  static final String USER = "user";

  /** How soon a server whose disk failed at its start is started again. */
  private static final Duration RESTART = Duration.ofSeconds(5);

  /** Many times as many steps as ever were needed at one instant: more are taken for no end. */
  private static final long MOST_STEPS = 1_000_000;

  private static final User ADMIN = User.authenticated("admin", List.of("system:masters"));

  private final FuzzSeams seams;
  private final FuzzWorkload workload;
  private final VirtualCluster cluster;
  private final UnwrittenEvents withoutEvents =
      new UnwrittenEvents((process, server) -> network().between(process, server));
  private final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
  private final Map<String, SharedInformers> informers = new HashMap<>();
  private final Map<String, Scheduler> schedulers = new HashMap<>();
  private final Api user;
  private @Nullable Surroundings surroundings;
  private @Nullable ProcessTime serverTime;
  private Duration serverClock = Duration.ZERO;
  private int serverStarts;
  private boolean serverIsUp = true;

  FuzzCluster(long seed, FuzzSettings settings, FuzzSeams seams) {
    this.seams = seams;
    this.workload = new FuzzWorkload(settings);
    this.cluster =
        new VirtualCluster(
            seed,
            FeatureGates.DEFAULT,
            ClusterBeginning.EMPTY,
            new ServerFaults(this::timeOfServer, this::storeOfServer, this::serverFailed));
    cluster.time().atMostAtOneInstant(MOST_STEPS);
    user = api(USER, USER, ADMIN);
    for (String name : PROCESSES) {
      processes.put(
          name,
          new SimulatedProcess(
              name,
              cluster.time(),
              network(),
              this::failed,
              (own, identity) -> run(name, own, identity)));
    }
    processes.values().forEach(SimulatedProcess::start);
  }

  private Time timeOfServer(Time virtual) {
    serverStarts++;
    ProcessTime own = new ProcessTime(virtual, SERVER + "_" + serverStarts);
    own.stepWallClock(serverClock);
    serverTime = own;
    return own;
  }

  /** What stands around the server. */
  private record Surroundings(FaultyStore store, FuzzNetwork network, Referee referee) {}

  /** The first thing that a cluster asks for: all that needs its time is made here. */
  private Store storeOfServer(Store memory, VirtualTime time) {
    Referee judges = new Referee(time, () -> network().sender());
    FaultyStore faulty =
        new FaultyStore(seams.store(memory), time.random("store"), judges::written);
    surroundings = new Surroundings(faulty, new FuzzNetwork(time, judges::answered), judges);
    return faulty;
  }

  private Surroundings surroundings() {
    if (surroundings == null) {
      throw new IllegalStateException("there is no server yet");
    }
    return surroundings;
  }

  FuzzNetwork network() {
    return surroundings().network();
  }

  FaultyStore store() {
    return surroundings().store();
  }

  Referee referee() {
    return surroundings().referee();
  }

  private Api api(String process, String account, User as) {
    return seams.client(
        process, account, withoutEvents.between(process, seams.server(cluster.api(as, account))));
  }

  private void run(String name, Supervisor supervisor, String identity) {
    if (name.equals(HOLLOW)) {
      supervisor.run(
          HOLLOW,
          scope ->
              HollowNodes.start(
                  new HollowNodes.Parts(
                      api(name, HOLLOW, ADMIN), scope.time(), new Metrics(), workload.nodes())));
    } else if (name.startsWith(SCHEDULER)) {
      User as = User.authenticated("system:kube-scheduler", List.of());
      LeaderElected.run(
          supervisor,
          api(name, "leader-election", as),
          election(SCHEDULER, identity),
          (scope, leader) ->
              StandbyScheduler.prepare(
                  scope,
                  time ->
                      new Scheduler.Parts(
                          leader.apply(api(name, SCHEDULER, as)),
                          time,
                          new Metrics(),
                          ConfigurationReader.defaults(),
                          identity),
                  started -> schedulers.put(name, started)),
          new LeaderElected.Observer() {});
    } else {
      User as = User.authenticated("system:kube-controller-manager", List.of());
      LeaderElected.run(
          supervisor,
          api(name, "leader-election", as),
          election(CONTROLLERS, identity),
          (scope, leader) ->
              () ->
                  Controllers.run(
                      scope,
                      new Controllers.Parts(
                              account -> api(name, account, serviceAccount(account)),
                              api(name, Controllers.INFORMERS, as),
                              new Metrics(),
                              KnownHeartbeats.NONE,
                              (reader, time) -> {
                                SharedInformers made = new SharedInformers(reader, time);
                                informers.put(name, made);
                                return made;
                              })
                          .as(leader),
                      seams.controllers(ControllerSettings.standard())),
          new LeaderElected.Observer() {});
    }
  }

  private static User serviceAccount(String account) {
    ObjectName name = new ObjectName("kube-system", account);
    return User.authenticated(
        ServiceAccountUsers.userName(name), ServiceAccountUsers.groups(name.namespace()));
  }

  /** By what the processes of a role elect their leader. */
  static ObjectName lease(String role) {
    return new ObjectName(
        "kube-system", role.equals(SCHEDULER) ? "kube-scheduler" : "kube-controller-manager");
  }

  /** Twice as long as usual: half as many renewals, and messages may be slow by as much. */
  private static LeaderElection.Config election(String role, String identity) {
    return new LeaderElection.Config(
        lease(role),
        identity,
        Duration.ofSeconds(30),
        Duration.ofSeconds(20),
        Duration.ofSeconds(5));
  }

  /** The process of a role that leads, as the lease says. */
  Optional<String> leader(String role) {
    return user.get(Resources.LEASES, lease(role)) instanceof ApiResult.Done(JsonObject held)
        ? Optional.of(held.object("spec").text("holderIdentity", ""))
            .filter(holder -> !holder.isEmpty())
            .map(holder -> holder.substring(0, holder.indexOf('_')))
        : Optional.empty();
  }

  /** Has the caches of the controllers and of the scheduler that lead compared with the store. */
  void compareCaches() {
    leader(CONTROLLERS)
        .map(informers::get)
        .ifPresent(leading -> referee().compareCaches(CONTROLLERS, leading.held()));
    leader(SCHEDULER)
        .map(schedulers::get)
        .ifPresent(leading -> referee().compareScheduler(leading.known()));
  }

  /** A loop of a process has thrown, which none should, whatever fails around it. */
  private void failed(LoopFailure failure) {
    referee().violated("no component throws", failure + "\n" + trace(failure.cause()));
  }

  /** A server's own loops may say that its disk has failed. */
  private void serverFailed(LoopFailure failure) {
    for (Throwable cause = failure.cause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof StoreException) {
        return;
      }
    }
    failed(failure);
  }

  static String trace(Throwable cause) {
    StringBuilder lines = new StringBuilder(cause.toString());
    for (int i = 0; i < Math.min(12, cause.getStackTrace().length); i++) {
      lines.append("\n    at ").append(cause.getStackTrace()[i]);
    }
    return cause.getCause() == null
        ? lines.toString()
        : lines + "\n  because of " + trace(cause.getCause());
  }

  VirtualTime time() {
    return cluster.time();
  }

  FuzzWorkload workload() {
    return workload;
  }

  /** The server as users and operators see it. */
  Api user() {
    return user;
  }

  SimulatedProcess process(String name) {
    SimulatedProcess process = processes.get(name);
    if (process == null) {
      throw new IllegalArgumentException("there is no process " + name);
    }
    return process;
  }

  /** Ends the server as by kill -9; its store keeps what it acknowledged. */
  void crashServer() {
    if (serverIsUp) {
      serverIsUp = false;
      cluster.crashServer();
      if (serverTime != null) {
        serverTime.kill();
      }
    }
  }

  /** Starts the server, again and again if its disk fails. */
  void startServer() {
    if (serverIsUp) {
      return;
    }
    store().reopen();
    try {
      cluster.startServer();
      serverIsUp = true;
      seams.serverStarted();
      referee().compare(store());
    } catch (StoreException _) {
      if (serverTime != null) {
        serverTime.kill();
      }
      network().loop().after(RESTART, this::startServer);
    }
  }

  /** Sets the clock of a process's machine to be off by some time. */
  void setClock(String process, Duration offset) {
    if (process.equals(SERVER)) {
      if (serverTime != null) {
        serverTime.stepWallClock(offset.minus(serverClock));
      }
      serverClock = offset;
    } else {
      process(process).setClock(offset);
    }
    Duration least = serverClock;
    Duration most = serverClock;
    for (SimulatedProcess one : processes.values()) {
      least = one.clockOffset().compareTo(least) < 0 ? one.clockOffset() : least;
      most = one.clockOffset().compareTo(most) > 0 ? one.clockOffset() : most;
    }
    referee().state().clocksDiffer(most.minus(least));
  }

  Duration clockOffset(String process) {
    return process.equals(SERVER) ? serverClock : process(process).clockOffset();
  }

  /** Ends all faults of processes, network, disk and clocks. */
  void heal() {
    network().healAll();
    store().failOneIn(0);
    store().reopen();
    startServer();
    processes.values().forEach(SimulatedProcess::start);
    PROCESSES.forEach(process -> setClock(process, Duration.ZERO));
    setClock(SERVER, Duration.ZERO);
  }

  @Override
  public void close() {
    processes.values().forEach(SimulatedProcess::kill);
    cluster.close();
  }
}
