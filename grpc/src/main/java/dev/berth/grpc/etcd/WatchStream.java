package dev.berth.grpc.etcd;

import dev.berth.grpc.etcdapi.Event.EventType;
import dev.berth.grpc.etcdapi.WatchRequest;
import dev.berth.grpc.etcdapi.WatchResponse;
import dev.berth.store.etcd.EtcdClient.Event;
import dev.berth.store.etcd.EtcdClient.WatchListener;
import dev.berth.store.etcd.EtcdClient.Watching;
import dev.berth.store.etcd.EtcdException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One watch on a stream of its own. Called by the thread that reads, but for {@link #more}. */
final class WatchStream implements ClientResponseObserver<WatchRequest, WatchResponse>, Watching {

  /** How many answers may wait to be taken. */
  private static final int AHEAD = 16;

  private final WatchListener listener;
  private final Runnable onFailure;
  private List<Event> fragments = new ArrayList<>();
  private volatile @Nullable ClientCallStreamObserver<WatchRequest> call;
  private boolean hasEnded;

  WatchStream(WatchListener listener, Runnable onFailure) {
    this.listener = listener;
    this.onFailure = onFailure;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
    call = stream;
    stream.disableAutoRequestWithInitial(AHEAD);
  }

  @Override
  public void onNext(WatchResponse response) {
    if (response.getCanceled()) {
      boolean isCompacted = response.getCompactRevision() > 0;
      end(
          new EtcdException(
              isCompacted ? EtcdException.Kind.COMPACTED : EtcdException.Kind.NO_ANSWER,
              response.getCancelReason().isEmpty()
                  ? "etcd cancelled the watch"
                  : response.getCancelReason(),
              null));
      close();
      return;
    }
    response.getEventsList().forEach(event -> fragments.add(event(event)));
    if (response.getFragment() || fragments.isEmpty()) {
      more();
      return;
    }
    List<Event> all = fragments;
    fragments = new ArrayList<>();
    listener.events(all);
  }

  private static Event event(dev.berth.grpc.etcdapi.Event event) {
    return new Event(event.getType() == EventType.DELETE, GrpcEtcdClient.entry(event.getKv()));
  }

  @Override
  public void onError(Throwable failure) {
    if (!hasEnded) {
      onFailure.run();
      end(EtcdStatus.of(failure));
    }
  }

  @Override
  public void onCompleted() {
    end(new EtcdException(EtcdException.Kind.NO_ANSWER, "etcd ended the watch", null));
  }

  private void end(EtcdException why) {
    if (!hasEnded) {
      hasEnded = true;
      listener.ended(why);
    }
  }

  @Override
  public void more() {
    ClientCallStreamObserver<WatchRequest> stream = call;
    if (stream != null) {
      stream.request(1);
    }
  }

  @Override
  public void close() {
    ClientCallStreamObserver<WatchRequest> stream = call;
    if (stream != null) {
      stream.cancel("nobody watches any more", null);
    }
  }
}
