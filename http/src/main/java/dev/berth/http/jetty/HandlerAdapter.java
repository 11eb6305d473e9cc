package dev.berth.http.jetty;

import dev.berth.http.BodyTooLargeException;
import dev.berth.http.ClientGoneException;
import dev.berth.http.FailureListener;
import dev.berth.http.Handler;
import dev.berth.http.HttpLimits;
import dev.berth.time.FatalError;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/** Runs our handler as Jetty's, and turns what it throws into a response. */
final class HandlerAdapter extends org.eclipse.jetty.server.Handler.Abstract {
  /** What HTTP/1.1 writes between and after a field's name and value. */
  private static final int SEPARATORS = 4;

  private final Handler handler;
  private final FailureListener failures;
  private final OpenStreams streams;
  private final ConnectionGate gate;
  private final BulkTurns turns = new BulkTurns();
  private final HttpLimits limits;

  HandlerAdapter(
      Handler handler,
      FailureListener failures,
      OpenStreams streams,
      ConnectionGate gate,
      HttpLimits limits) {
    this.handler = handler;
    this.failures = failures;
    this.streams = streams;
    this.gate = gate;
    this.limits = limits;
  }

  @Override
  public boolean handle(
      Request request, org.eclipse.jetty.server.Response response, Callback callback) {
    var exchange = new JettyExchange(request, response, callback, streams, gate, turns, limits);
    try {
      if (hasTooLargeHeaders(request)) {
        end(exchange, HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431);
        return true;
      }
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
      FatalError.check(e);
      // Errors too: one request's stack overflow or failed assertion is not the end of the others.
      failures.onHandlerFailure(exchange.method(), exchange.path(), e);
      end(exchange, HttpStatus.INTERNAL_SERVER_ERROR_500, e);
    }
    return true;
  }

  /** Whether an HTTP/2 request's headers are larger than those of an HTTP/1.1 one may be. */
  private boolean hasTooLargeHeaders(Request request) {
    long bytes = 0;
    for (HttpField field : request.getHeaders()) {
      String value = field.getValue();
      bytes += field.getName().length() + (value == null ? 0 : value.length()) + SEPARATORS;
    }
    return bytes > limits.maxHeaderBytes();
  }

  private static void end(JettyExchange exchange, int status) {
    exchange.respond(PlainErrors.response(status));
  }

  private static void end(JettyExchange exchange, int status, Throwable cause) {
    if (exchange.answered()) {
      exchange.fail(cause);
    } else {
      end(exchange, status);
    }
  }
}
