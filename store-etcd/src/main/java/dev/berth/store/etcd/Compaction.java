package dev.berth.store.etcd;

import dev.berth.store.etcd.EtcdClient.Condition;
import dev.berth.store.etcd.EtcdClient.KeyValue;
import dev.berth.store.etcd.EtcdClient.Write;
import dev.berth.store.etcd.EtcdClient.WriteReply;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes etcd forget what is older than an interval, as one of all servers, kube-apiservers
 * included. They agree by a key outside of the prefix, whose version is the number of the round:
 * who can write it at the version that it knows has the round, and compacts up to the revision at
 * which its last round was. The others learn the version, and try again after an interval.
 */
final class Compaction implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("store");
  private static final byte[] KEY = "compact_rev_key".getBytes(StandardCharsets.UTF_8);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final EtcdClient client;
  private final Duration interval;
  private final Loop loop;

  /** What this server knows of the rounds. */
  private record Known(long version, long revision) {}

  private Known known = new Known(0, 0);

  private Compaction(EtcdClient client, Duration interval, Loop loop) {
    this.client = client;
    this.interval = interval;
    this.loop = loop;
  }

  static Compaction start(EtcdClient client, Duration interval, Time time) {
    var compaction = new Compaction(client, interval, time.start("etcd-compaction"));
    compaction.schedule(compaction.known);
    return compaction;
  }

  private void schedule(Known next) {
    known = next;
    loop.after(
        interval,
        () -> {
          if (!loop.call(() -> round(known), this::schedule)) {
            schedule(known);
          }
        });
  }

  private Known round(Known last) {
    try {
      byte[] value = Long.toString(last.revision).getBytes(StandardCharsets.UTF_8);
      WriteReply reply =
          Replies.await(
              client.write(new Write(KEY, value, new Condition.Version(last.version), 0), TIMEOUT),
              TIMEOUT.plusSeconds(1));
      if (!reply.succeeded()) {
        return new Known(reply.current().map(KeyValue::version).orElse(0L), reply.revision());
      }
      if (last.revision > 0) {
        Replies.await(client.compact(last.revision, TIMEOUT), TIMEOUT.plusSeconds(1));
        LOG.atDebug().addKeyValue("revision", last.revision).log("compacted etcd");
      }
      return new Known(last.version + 1, reply.revision());
    } catch (EtcdException e) {
      LOG.atWarn().addKeyValue("reason", e.getMessage()).log("etcd was not compacted");
      return last;
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
