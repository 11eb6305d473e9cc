package dev.berth.http.jetty;

import dev.berth.http.ResponseStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.util.Callback;

/**
 * A streamed response. The lock guards the state; it is never held while waiting for the client or
 * while listeners run.
 */
final class JettyStream implements ResponseStream, Endable {

  private enum State {
    OPEN,
    CLOSING,
    CLOSED
  }

  private final Callback callback;
  private final BlockingWriter writer;
  private final BodySink body;
  private final Consumer<JettyStream> whenClosed;
  private final StuckConnection stuck;

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Runnable> listeners = new ArrayList<>();
  private State state = State.OPEN;
  private boolean told;

  JettyStream(
      Callback callback,
      BlockingWriter writer,
      BodySink body,
      Consumer<JettyStream> whenClosed,
      StuckConnection stuck) {
    this.callback = callback;
    this.writer = writer;
    this.body = body;
    this.whenClosed = whenClosed;
    this.stuck = stuck;
  }

  @Override
  public boolean write(byte[] bytes) {
    return wentWell(body.write(bytes, 0, bytes.length));
  }

  @Override
  public boolean flush() {
    return wentWell(body.flush());
  }

  private boolean wentWell(boolean success) {
    if (!success) {
      gone();
    }
    return success;
  }

  @Override
  public void onGone(Runnable listener) {
    lock.lock();
    try {
      if (!told) {
        listeners.add(listener);
        return;
      }
    } finally {
      lock.unlock();
    }
    listener.run();
  }

  /** The client has gone. */
  void gone() {
    writer.release();
    tell();
  }

  /** Asks the writer to end the stream. */
  @Override
  public void tell() {
    List<Runnable> run;
    lock.lock();
    try {
      if (told || state != State.OPEN) {
        return;
      }
      told = true;
      run = List.copyOf(listeners);
      listeners.clear();
    } finally {
      lock.unlock();
    }
    run.forEach(Runnable::run);
  }

  @Override
  public void abort() {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return;
      }
      // Within the lock: Jetty uses the request's parts again once it was closed.
      stuck.request().fail(new EofException("aborted"));
      if (writer.isWriting()) {
        var _ = stuck.watch(writer);
      }
    } finally {
      lock.unlock();
    }
    gone();
  }

  @Override
  public void close() {
    if (!advance(State.OPEN, State.CLOSING)) {
      return;
    }
    boolean sent = body.finish();
    body.release();
    var _ = advance(State.CLOSING, State.CLOSED);
    whenClosed.accept(this);
    if (sent) {
      callback.succeeded();
    } else {
      callback.failed(new EofException("nobody reads"));
    }
  }

  private boolean advance(State from, State to) {
    lock.lock();
    try {
      if (state != from) {
        return false;
      }
      state = to;
      return true;
    } finally {
      lock.unlock();
    }
  }
}
