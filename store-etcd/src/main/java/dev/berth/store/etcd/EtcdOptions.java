package dev.berth.store.etcd;

import dev.berth.store.HistoryLimits;
import dev.berth.store.embedded.ValueTransformer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * How a store uses etcd.
 *
 * @param prefix what all its keys begin with in etcd, without a slash at the end
 * @param ttl how long what is written to a key stays unless it is written again; empty: for ever
 * @param patience after which a request fails whose answer does not come
 * @param compactionInterval how often one of all stores makes etcd forget what is older than that
 */
public record EtcdOptions(
    String prefix,
    EtcdLayout layout,
    HistoryLimits history,
    ValueTransformer transformer,
    Function<String, Optional<Duration>> ttl,
    Duration patience,
    Duration compactionInterval) {

  public static final String DEFAULT_PREFIX = "/registry";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration COMPACTION_INTERVAL = Duration.ofMinutes(5);

  /** Everything stays, and nothing is encrypted. */
  public static EtcdOptions of(String prefix, EtcdLayout layout) {
    return new EtcdOptions(
        prefix,
        layout,
        HistoryLimits.DEFAULT,
        ValueTransformer.NONE,
        _ -> Optional.empty(),
        PATIENCE,
        COMPACTION_INTERVAL);
  }

  public EtcdOptions history(HistoryLimits limits) {
    return new EtcdOptions(prefix, layout, limits, transformer, ttl, patience, compactionInterval);
  }

  public EtcdOptions transformer(ValueTransformer other) {
    return new EtcdOptions(prefix, layout, history, other, ttl, patience, compactionInterval);
  }

  public EtcdOptions ttl(Function<String, Optional<Duration>> other) {
    return new EtcdOptions(
        prefix, layout, history, transformer, other, patience, compactionInterval);
  }

  public EtcdOptions patience(Duration other) {
    return new EtcdOptions(prefix, layout, history, transformer, ttl, other, compactionInterval);
  }

  public EtcdOptions compactionInterval(Duration other) {
    return new EtcdOptions(prefix, layout, history, transformer, ttl, patience, other);
  }
}
