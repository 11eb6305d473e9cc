package dev.berth.grpc.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.berth.grpc.etcdapi.CompactionRequest;
import dev.berth.grpc.etcdapi.CompactionResponse;
import dev.berth.grpc.etcdapi.Compare;
import dev.berth.grpc.etcdapi.Compare.CompareResult;
import dev.berth.grpc.etcdapi.Compare.CompareTarget;
import dev.berth.grpc.etcdapi.DeleteRangeRequest;
import dev.berth.grpc.etcdapi.KVGrpc;
import dev.berth.grpc.etcdapi.LeaseGrantRequest;
import dev.berth.grpc.etcdapi.LeaseGrantResponse;
import dev.berth.grpc.etcdapi.LeaseGrpc;
import dev.berth.grpc.etcdapi.MaintenanceGrpc;
import dev.berth.grpc.etcdapi.PutRequest;
import dev.berth.grpc.etcdapi.RangeRequest;
import dev.berth.grpc.etcdapi.RangeResponse;
import dev.berth.grpc.etcdapi.RequestOp;
import dev.berth.grpc.etcdapi.StatusRequest;
import dev.berth.grpc.etcdapi.StatusResponse;
import dev.berth.grpc.etcdapi.TxnRequest;
import dev.berth.grpc.etcdapi.TxnResponse;
import dev.berth.grpc.etcdapi.WatchCreateRequest;
import dev.berth.grpc.etcdapi.WatchGrpc;
import dev.berth.grpc.etcdapi.WatchRequest;
import dev.berth.store.etcd.EtcdClient;
import dev.berth.store.etcd.EtcdException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A client of etcd over gRPC. All requests go to one member while it answers. One that has lost its
 * leader refuses them instead of waiting for it.
 */
final class GrpcEtcdClient implements EtcdClient {
  private static final ClientInterceptor REQUIRES_LEADER = requiresLeader();

  private final EtcdChannels channels;

  GrpcEtcdClient(EtcdChannels channels) {
    this.channels = channels;
  }

  private static ClientInterceptor requiresLeader() {
    var headers = new Metadata();
    headers.put(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER), "true");
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  @Override
  public CompletableFuture<RangeReply> range(Range range, Duration timeout) {
    RangeRequest request =
        RangeRequest.newBuilder()
            .setKey(bytes(range.from()))
            .setRangeEnd(bytes(range.to()))
            .setLimit(range.limit())
            .setRevision(range.revision())
            .setCountOnly(range.limit() == 0)
            .build();
    return call(KVGrpc.getRangeMethod(), request, timeout).thenApply(GrpcEtcdClient::reply);
  }

  private static RangeReply reply(RangeResponse response) {
    return new RangeReply(
        response.getKvsList().stream().map(GrpcEtcdClient::entry).toList(),
        response.getMore(),
        response.getHeader().getRevision());
  }

  static KeyValue entry(dev.berth.grpc.etcdapi.KeyValue stored) {
    return new KeyValue(
        stored.getKey().toByteArray(),
        stored.getValue().toByteArray(),
        stored.getModRevision(),
        stored.getVersion());
  }

  @Override
  public CompletableFuture<WriteReply> write(Write write, Duration timeout) {
    ByteString key = bytes(write.key());
    TxnRequest.Builder request =
        TxnRequest.newBuilder()
            .addSuccess(operation(write, key))
            .addFailure(
                RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(key)));
    condition(write.condition(), key).ifPresent(request::addCompare);
    for (Unchanged guard : write.guards()) {
      ByteString other = bytes(guard.key());
      condition(new Condition.ModRevision(guard.modRevision()), other)
          .ifPresent(request::addCompare);
      request.addFailure(
          RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(other)));
    }
    return call(KVGrpc.getTxnMethod(), request.build(), timeout).thenApply(GrpcEtcdClient::reply);
  }

  private static RequestOp operation(Write write, ByteString key) {
    byte[] value = write.value();
    return value == null
        ? RequestOp.newBuilder()
            .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
            .build()
        : RequestOp.newBuilder()
            .setRequestPut(
                PutRequest.newBuilder().setKey(key).setValue(bytes(value)).setLease(write.lease()))
            .build();
  }

  private static Optional<Compare> condition(Condition condition, ByteString key) {
    Compare.Builder compare = Compare.newBuilder().setKey(key);
    return switch (condition) {
      case Condition.Always _ -> Optional.empty();
      case Condition.Exists _ ->
          Optional.of(
              compare
                  .setTarget(CompareTarget.MOD)
                  .setResult(CompareResult.GREATER)
                  .setModRevision(0)
                  .build());
      case Condition.ModRevision(long revision) ->
          Optional.of(compare.setTarget(CompareTarget.MOD).setModRevision(revision).build());
      case Condition.Version(long version) ->
          Optional.of(compare.setTarget(CompareTarget.VERSION).setVersion(version).build());
    };
  }

  private static WriteReply reply(TxnResponse response) {
    long revision = response.getHeader().getRevision();
    if (response.getSucceeded()) {
      return new WriteReply(true, revision, Optional.empty(), List.of());
    }
    List<Optional<KeyValue>> read =
        response.getResponsesList().stream()
            .map(operation ->
                operation.getResponseRange().getKvsList().stream()
                    .map(GrpcEtcdClient::entry)
                    .findFirst())
            .toList();
    return new WriteReply(false, revision, read.getFirst(), read.subList(1, read.size()));
  }

  @Override
  public CompletableFuture<Long> grantLease(Duration ttl, Duration timeout) {
    LeaseGrantRequest request = LeaseGrantRequest.newBuilder().setTTL(ttl.toSeconds()).build();
    return call(LeaseGrpc.getLeaseGrantMethod(), request, timeout)
        .thenApply(LeaseGrantResponse::getID);
  }

  @Override
  public CompletableFuture<Void> compact(long revision, Duration timeout) {
    CompactionRequest request = CompactionRequest.newBuilder().setRevision(revision).build();
    CompletableFuture<CompactionResponse> done = call(KVGrpc.getCompactMethod(), request, timeout);
    return done.thenApply(_ -> null);
  }

  @Override
  public CompletableFuture<String> version(Duration timeout) {
    return version(timeout, channels.size());
  }

  private CompletableFuture<String> version(Duration timeout, int attempts) {
    CompletableFuture<StatusResponse> answer =
        call(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), timeout);
    return attempts == 1
        ? answer.thenApply(StatusResponse::getVersion)
        : answer
            .thenApply(StatusResponse::getVersion)
            .exceptionallyCompose(_ -> version(timeout, attempts - 1));
  }

  @Override
  public Watching watch(byte[] from, byte[] to, long startRevision, WatchListener listener) {
    int member = channels.current();
    var stream = new WatchStream(listener, () -> channels.moveOnFrom(member));
    StreamObserver<WatchRequest> requests =
        ClientCalls.asyncBidiStreamingCall(
            channel(member).newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT), stream);
    requests.onNext(
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder()
                    .setKey(bytes(from))
                    .setRangeEnd(bytes(to))
                    .setStartRevision(startRevision)
                    .setFragment(true))
            .build());
    return stream;
  }

  private Channel channel(int member) {
    return ClientInterceptors.intercept(channels.channel(member), REQUIRES_LEADER);
  }

  private <Q, A> CompletableFuture<A> call(
      MethodDescriptor<Q, A> method, Q request, Duration timeout) {
    int member = channels.current();
    var answer = new CompletableFuture<A>();
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    ClientCalls.asyncUnaryCall(
        channel(member).newCall(method, options),
        request,
        new StreamObserver<A>() {
          @Override
          public void onNext(A value) {
            answer.complete(value);
          }

          @Override
          public void onError(Throwable failure) {
            var why = EtcdStatus.of(failure);
            if (why.kind() == EtcdException.Kind.NO_ANSWER) {
              channels.moveOnFrom(member);
            }
            answer.completeExceptionally(why);
          }

          @Override
          public void onCompleted() {
            // The answer came already.
          }
        });
    return answer;
  }

  @Override
  public void moveOn() {
    channels.moveOnFrom(channels.current());
  }

  @Override
  public String endpoints() {
    return channels.endpoints();
  }

  private static ByteString bytes(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  @Override
  public void close() {
    channels.close();
  }
}
