package dev.berth.cli.machines;

import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.resource.ObjectName;
import dev.berth.time.FatalError;
import dev.berth.time.Loop;
import dev.berth.time.WallTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Candidates for one lease, each at a server of its own: of them, one at most leads at a time. */
final class RecordedLeaders implements AutoCloseable {
  private static final ObjectName LEASE = new ObjectName("default", "recorded-leader");

  private final WallTime time = new WallTime(FatalError::end);
  private final Deque<Runnable> closing = new ArrayDeque<>();
  private final List<String> leading = new ArrayList<>();
  final List<String> wrongs = new ArrayList<>();
  private int terms;

  RecordedLeaders(EtcdHosts hosts) {
    for (String host : EtcdHosts.NAMES) {
      Connection local = Kubeconfig.read(hosts.kubeconfig(host)).connection();
      URI server = URI.create("https://%s:6443".formatted(hosts.address(host)));
      // Named twice, so that it may take ten seconds to answer and no more.
      Connection connection =
          new Connection(
              List.of(server, server), local.trust(), local.identity(), local.namespace());
      HttpApi api = new HttpApi(connection, time, "candidate-" + host);
      closing.push(api::close);
      Loop loop = time.start("candidate-" + host);
      closing.push(loop::close);
      LeaderElection election =
          new LeaderElection(
              api,
              loop,
              time,
              new LeaderElection.Config(
                  LEASE,
                  host,
                  Duration.ofSeconds(4),
                  Duration.ofSeconds(3),
                  Duration.ofMillis(500)),
              listener(host));
      closing.push(election::close);
      election.start();
    }
  }

  private LeaderElection.Listener listener(String host) {
    return new LeaderElection.Listener() {
      @Override
      public void started(LeaderTerm term) {
        begin(host);
      }

      @Override
      public void stopped() {
        end(host);
      }
    };
  }

  private synchronized void begin(String host) {
    if (!leading.isEmpty()) {
      wrongs.add("%s leads while %s does".formatted(host, leading));
    }
    leading.add(host);
    terms++;
  }

  private synchronized void end(String host) {
    leading.remove(host);
  }

  synchronized int terms() {
    return terms;
  }

  @Override
  public void close() {
    closing.forEach(Runnable::run);
    time.close();
  }
}
