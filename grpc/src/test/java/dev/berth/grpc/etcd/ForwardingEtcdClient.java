package dev.berth.grpc.etcd;

import dev.berth.store.etcd.EtcdClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A client that has another do everything, for those that change some of it. */
class ForwardingEtcdClient implements EtcdClient {
  private final EtcdClient client;

  ForwardingEtcdClient(EtcdClient client) {
    this.client = client;
  }

  @Override
  public CompletableFuture<RangeReply> range(Range range, Duration timeout) {
    return client.range(range, timeout);
  }

  @Override
  public CompletableFuture<WriteReply> write(Write write, Duration timeout) {
    return client.write(write, timeout);
  }

  @Override
  public CompletableFuture<Long> grantLease(Duration ttl, Duration timeout) {
    return client.grantLease(ttl, timeout);
  }

  @Override
  public CompletableFuture<Void> compact(long revision, Duration timeout) {
    return client.compact(revision, timeout);
  }

  @Override
  public CompletableFuture<String> version(Duration timeout) {
    return client.version(timeout);
  }

  @Override
  public Watching watch(byte[] from, byte[] to, long startRevision, WatchListener listener) {
    return client.watch(from, to, startRevision, listener);
  }

  @Override
  public void moveOn() {
    client.moveOn();
  }

  @Override
  public String endpoints() {
    return client.endpoints();
  }

  @Override
  public void close() {
    client.close();
  }
}
