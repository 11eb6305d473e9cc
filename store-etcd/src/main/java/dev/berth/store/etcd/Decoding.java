package dev.berth.store.etcd;

import dev.berth.store.Store.Entry;
import dev.berth.time.FatalError;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes what was read from etcd while the store is in use already: so that a server need not wait
 * for that to answer, and what cannot be decoded is named in the log though nobody asks for it.
 * From the end on, since whoever lists everything begins at the beginning.
 */
final class Decoding implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("store");

  private volatile boolean isClosed;

  void begin(List<Entry> entries) {
    var _ = Thread.ofPlatform().daemon().name("berth-etcd-decoding").start(() -> decode(entries));
  }

  private void decode(List<Entry> entries) {
    for (int i = entries.size() - 1; i >= 0 && !isClosed; i--) {
      Entry entry = entries.get(i);
      try {
        var _ = entry.value();
      } catch (RuntimeException | Error e) {
        FatalError.check(e);
        LOG.atError()
            .addKeyValue("key", entry.key())
            .setCause(e)
            .log("a stored object could not be decoded because of a bug in Berth");
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
