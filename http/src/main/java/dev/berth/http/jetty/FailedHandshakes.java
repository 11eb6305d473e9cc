package dev.berth.http.jetty;

import dev.berth.http.FailureListener;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;

/** Reports clients that speak no TLS, or another version of it, or do not trust the server. */
record FailedHandshakes(FailureListener listener) implements SslHandshakeListener {

  @Override
  public void handshakeFailed(Event event, Throwable failure) {
    listener.onHandshakeFailure(event.getEndPoint().getRemoteSocketAddress(), failure);
  }
}
