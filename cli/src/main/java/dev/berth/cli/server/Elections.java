package dev.berth.cli.server;

import dev.berth.apiserver.ApiServer;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.client.Api;
import dev.berth.client.leaderelection.LeaderElected;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.component.Components;
import dev.berth.model.resource.ObjectName;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.StandbyScheduler;
import dev.berth.scheduler.profile.LeaderElectionSettings;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.time.Time;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where several servers share a store, one of them runs the scheduler and one the controllers, by
 * the leases of Kubernetes' own components. Who loses a lease ends what it ran, and goes on to
 * serve.
 */
final class Elections {
  private static final Logger LOG = LoggerFactory.getLogger("leader-election");
  private static final String NAMESPACE = "kube-system";
  private static final String CONTROLLERS = "kube-controller-manager";
  private static final String CLOUD = "cloud-controller-manager";

  private final ApiServer server;
  private final String identity;

  /** Filled while the server starts, and read when it ends. */
  private final List<Components.Handle> candidacies = new CopyOnWriteArrayList<>();

  private Elections(ApiServer server, String identity) {
    this.server = server;
    this.identity = identity;
  }

  static Elections of(ApiServer server, RandomGenerator random) {
    return new Elections(server, ClusterOptions.host() + "_" + Long.toHexString(random.nextLong()));
  }

  void runScheduler(SchedulerConfiguration configuration, Function<Time, Scheduler.Parts> parts) {
    LeaderElectionSettings settings = configuration.leaderElection();
    run(
        "system:kube-scheduler",
        new LeaderElection.Config(
            new ObjectName(settings.resourceNamespace(), settings.resourceName()),
            identity,
            settings.leaseDuration(),
            settings.renewDeadline(),
            settings.retryPeriod()),
        (scope, leader) -> StandbyScheduler.prepare(scope, time -> parts.apply(time).as(leader)));
  }

  void runControllers(BiConsumer<Components, UnaryOperator<Api>> controllers) {
    run(
        "system:kube-controller-manager",
        LeaderElection.Config.standard(new ObjectName(NAMESPACE, CONTROLLERS), identity),
        (scope, leader) -> () -> controllers.accept(scope, leader));
  }

  void runCloud(BiConsumer<Components, UnaryOperator<Api>> controllers) {
    run(
        "system:kube-controller-manager",
        LeaderElection.Config.standard(new ObjectName(NAMESPACE, CLOUD), identity),
        (scope, leader) -> () -> controllers.accept(scope, leader));
  }

  private void run(String user, LeaderElection.Config config, LeaderElected.Led led) {
    String name = config.lease().name();
    candidacies.add(
        LeaderElected.run(
            "leader-election-" + name,
            server.supervisor(),
            server.api(user, "leader-election"),
            config,
            led,
            new LeaderElected.Observer() {
              @Override
              public void lost() {
                LOG.atWarn()
                    .addKeyValue("lease", name)
                    .log("lost the lease; others lead from now on");
              }

              @Override
              public void observed(String leader) {
                LOG.atInfo().addKeyValue("lease", name).addKeyValue("leader", leader).log("leads");
              }
            }));
  }

  /** Ends what runs here because this server leads, and begins to give the leases back. */
  void resign() {
    candidacies.forEach(Components.Handle::stop);
  }
}
