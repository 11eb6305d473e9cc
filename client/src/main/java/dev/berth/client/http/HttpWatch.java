package dev.berth.client.http;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.WatchRequest;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.time.FatalError;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch over HTTP. A virtual thread reads it into a bounded queue, and stops reading while that
 * is full, so that a slow reader slows down the server and not this process.
 *
 * <p>Servers send a bookmark every minute or so; one that is silent for longer than that is taken
 * for gone.
 */
final class HttpWatch implements ApiWatch {
  private static final Logger LOG = LoggerFactory.getLogger("client");

  private static final int QUEUE = 1_000;
  private static final Duration SILENCE = Duration.ofSeconds(100);
  private static final int FIRST_ERROR = 300;

  private final HttpApi api;
  private final WatchRequest request;
  private final Runnable onReady;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Queue<Event> events = new ArrayDeque<>();
  private String revision = "";
  private @Nullable Poll end;
  private boolean closed;

  /** Counts what was heard, and says whether the reader listens at all. */
  private final AtomicLong heard = new AtomicLong();

  private volatile boolean listening;

  private HttpWatch(HttpApi api, WatchRequest request, Runnable onReady) {
    this.api = api;
    this.request = request;
    this.onReady = onReady;
    this.thread = Thread.ofVirtual().name("watch-" + request.resource()).unstarted(this::run);
  }

  static HttpWatch open(HttpApi api, WatchRequest request, Runnable onReady) {
    HttpWatch watch = new HttpWatch(api, request, onReady);
    watch.thread.start();
    return watch;
  }

  @Override
  public Poll poll(int limit) {
    lock.lock();
    try {
      if (events.isEmpty() && end != null) {
        return end;
      }
      List<Event> taken = new ArrayList<>(Math.min(limit, events.size()));
      while (taken.size() < limit && !events.isEmpty()) {
        taken.add(events.remove());
      }
      room.signal();
      String seen =
          events.isEmpty() || taken.isEmpty()
              ? revision
              : Metadata.of(taken.getLast().object()).resourceVersion();
      return new Poll.Events(taken, seen);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      events.clear();
      end = end == null ? new Poll.Ended() : end;
    } finally {
      lock.unlock();
    }
    // The thread waits in queues alone; sockets are the client's, and not hurt by this.
    thread.interrupt();
  }

  private void run() {
    Connections.ForWatches connection = api.connections().take();
    Addresses server = api.server();
    try {
      HttpRequest.Builder message = api.message(server.of(request, api.watchTimeout()));
      if (request.onlyMetadata()) {
        message.setHeader("Accept", PartialMetadata.OBJECT);
      }
      HttpResponse<InputStream> response =
          connection.client().send(message.build(), BodyHandlers.ofInputStream(), SILENCE);
      try (InputStream body = response.body()) {
        if (response.statusCode() >= FIRST_ERROR) {
          api.answered(server, response.statusCode());
          end(
              refused(
                  Answers.error(response.statusCode(), response.headers(), body.readAllBytes())));
        } else {
          read(body);
        }
      }
    } catch (IOException e) {
      api.leave(server, e);
      end(new Poll.Failed(api.unreachable(e)));
    } catch (ConnectionException e) {
      end(new Poll.Failed(api.unreachable(e)));
    } catch (InterruptedException e) {
      end(new Poll.Ended());
    } catch (RuntimeException | Error e) {
      FatalError.check(e);
      LOG.atError()
          .addKeyValue("resource", request.resource())
          .setCause(e)
          .log("a watch broke because of a bug in Berth");
      // Whatever it was, nobody waits for ever for a watch that is no more.
      end(new Poll.Failed(new ApiResult.Unreachable("The watch broke: " + e)));
    } finally {
      api.connections().giveBack(connection);
    }
  }

  /** Checks at intervals that the server still sends something. */
  private void checkAfterAWhile() {
    long before = heard.get();
    var _ =
        api.timers()
            .after(
                SILENCE,
                () -> {
                  if (listening && heard.get() == before) {
                    silent();
                  } else if (!hasEnded()) {
                    checkAfterAWhile();
                  }
                });
  }

  private boolean hasEnded() {
    lock.lock();
    try {
      return end != null;
    } finally {
      lock.unlock();
    }
  }

  private void silent() {
    lock.lock();
    try {
      if (end == null) {
        end =
            new Poll.Failed(
                new ApiResult.Unreachable(
                    "The watch of %s was silent for %d s."
                        .formatted(request.resource(), SILENCE.toSeconds())));
      }
    } finally {
      lock.unlock();
    }
    thread.interrupt();
    onReady.run();
  }

  private void read(InputStream body) throws IOException, InterruptedException {
    Lines lines = new Lines(body);
    checkAfterAWhile();
    for (byte[] line = next(lines); line != null; line = next(lines)) {
      if (!take(line)) {
        return;
      }
    }
    end(new Poll.Ended());
  }

  private byte @Nullable [] next(Lines lines) throws IOException {
    listening = true;
    try {
      return lines.next();
    } finally {
      listening = false;
      heard.incrementAndGet();
    }
  }

  /** Returns false after the last event. */
  private boolean take(byte[] line) throws IOException, InterruptedException {
    JsonObject object;
    String type;
    try {
      JsonObject message = JsonReader.object(line, JsonLimits.TRUSTED);
      type = message.text("type", "");
      object = message.object("object");
    } catch (JsonException e) {
      throw new IOException("an event of the watch is malformed: " + e.getMessage(), e);
    }
    switch (type) {
      case "ADDED" -> add(Change.ADDED, object);
      case "MODIFIED" -> add(Change.MODIFIED, object);
      case "DELETED" -> add(Change.DELETED, object);
      case "BOOKMARK" -> bookmark(Metadata.of(object).resourceVersion());
      case "ERROR" -> {
        long code = object.integer("code").orElse(0);
        end(refused(ApiError.of((int) code, object)));
        return false;
      }
      default -> throw new IOException("the watch tells of \"" + type + "\", which is nothing");
    }
    return true;
  }

  private static Poll refused(ApiError error) {
    return error.isExpired()
        ? new Poll.Expired(error.message())
        : new Poll.Failed(new ApiResult.Refused(error));
  }

  private void add(Change change, JsonObject object) throws InterruptedException {
    Event event = new Event(change, request.onlyMetadata() ? PartialMetadata.of(object) : object);
    lock.lockInterruptibly();
    try {
      while (events.size() >= QUEUE && !closed) {
        room.await();
      }
      if (closed) {
        throw new InterruptedException();
      }
      events.add(event);
      revision = Metadata.of(event.object()).resourceVersion();
    } finally {
      lock.unlock();
    }
    onReady.run();
  }

  private void bookmark(String at) {
    lock.lock();
    try {
      revision = at;
    } finally {
      lock.unlock();
    }
    onReady.run();
  }

  private void end(Poll why) {
    lock.lock();
    try {
      end = end == null ? why : end;
    } finally {
      lock.unlock();
    }
    onReady.run();
  }
}
