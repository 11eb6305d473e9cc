package dev.berth.apiserver.http;

import java.time.Duration;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/** Runs our handler as Jetty's, and makes an answer of what it throws. */
final class HandlerAdapter extends org.eclipse.jetty.server.Handler.Abstract {
  private final Handler handler;
  private final FailureListener failures;
  private final OpenStreams streams;
  private final Duration idle;

  HandlerAdapter(Handler handler, FailureListener failures, OpenStreams streams, Duration idle) {
    this.handler = handler;
    this.failures = failures;
    this.streams = streams;
    this.idle = idle;
  }

  @Override
  public boolean handle(
      Request request, org.eclipse.jetty.server.Response response, Callback callback) {
    var exchange = new JettyExchange(request, response, callback, streams, idle);
    try {
      handler.handle(exchange);
      if (!exchange.answered()) {
        throw new IllegalStateException("The handler returned without an answer.");
      }
      exchange.finish();
    } catch (BodyTooLargeException e) {
      end(exchange, HttpStatus.PAYLOAD_TOO_LARGE_413, e);
    } catch (ClientGoneException e) {
      end(exchange, HttpStatus.REQUEST_TIMEOUT_408, e);
    } catch (Throwable e) {
      // Errors too: one request's stack overflow or failed assertion is not the end of the others.
      failures.onHandlerFailure(exchange.method(), exchange.path(), e);
      end(exchange, HttpStatus.INTERNAL_SERVER_ERROR_500, e);
    }
    return true;
  }

  private static void end(JettyExchange exchange, int status, Throwable cause) {
    if (exchange.answered()) {
      exchange.fail(cause);
    } else {
      exchange.respond(PlainErrors.response(status));
    }
  }
}
