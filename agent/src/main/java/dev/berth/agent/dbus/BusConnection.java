package dev.berth.agent.dbus;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.nativecalls.UnixSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to a bus, as whoever this process is run by.
 *
 * <p>Threads: one of its own receives, a real one, since it waits in the kernel. Calls may be made
 * by any thread, and wait for their answers.
 */
public final class BusConnection implements AutoCloseable {
  private static final String BUS = "org.freedesktop.DBus";
  private static final String BUS_PATH = "/org/freedesktop/DBus";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final UnixSocket socket;
  private final Listener listener;
  private final Map<Long, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();

  /** Received and not handed on yet. */
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();

  private final Deque<Integer> descriptors = new ArrayDeque<>();
  private long lastSerial;
  private volatile boolean isClosed;

  /** Is told what comes, by the thread that receives. Nothing may block. */
  public interface Listener {
    /** A signal, or a call of something that this process serves. */
    void received(BusMessage message);

    /** Nothing comes any more. Not told to whoever closes the connection. */
    void lost(String why);
  }

  /**
   * An answer.
   *
   * @param descriptors those that came with it, which are the caller's to close
   */
  public record Answer(List<Object> body, List<Integer> descriptors) {}

  private BusConnection(UnixSocket socket, Listener listener) {
    this.socket = socket;
    this.listener = listener;
  }

  /** Connects to the first of the bus's sockets that answers, and takes part in it. */
  public static BusConnection open(String address, Listener listener) throws IOException {
    NativeFailure last = null;
    for (String path : BusAddress.sockets(address)) {
      try {
        BusConnection connection = new BusConnection(UnixSocket.connect(path, PATIENCE), listener);
        connection.begin();
        return connection;
      } catch (NativeFailure e) {
        last = e;
      }
    }
    throw last == null ? new IOException("no bus at " + address) : last;
  }

  private void begin() throws IOException {
    try {
      authenticate();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    Thread.ofPlatform().daemon().name("dbus").start(this::receive);
    try {
      call(BusMessage.call(BUS, BUS_PATH, BUS + ".Hello", ""));
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** The kernel tells the bus who this is; all that is to be said is that it shall believe it. */
  private void authenticate() throws IOException {
    socket.send("\0AUTH EXTERNAL\r\nDATA\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n".getBytes(US_ASCII));
    for (String expected : List.of("DATA", "OK", "AGREE_UNIX_FD")) {
      String line = line();
      if (!line.startsWith(expected)) {
        throw new IOException("the bus says \"%s\" and not %s".formatted(line, expected));
      }
    }
  }

  private String line() throws IOException {
    while (true) {
      String text = received.toString(US_ASCII);
      int end = text.indexOf("\r\n");
      if (end >= 0) {
        received.reset();
        received.writeBytes(text.substring(end + 2).getBytes(US_ASCII));
        return text.substring(0, end);
      }
      byte[] more = socket.receive(descriptors::add);
      if (more.length == 0) {
        throw new IOException("the bus has closed the connection");
      }
      received.writeBytes(more);
    }
  }

  /**
   * Asks something.
   *
   * @throws BusErrorException if that is refused
   */
  public Answer call(BusMessage message) throws IOException {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    long serial = send(message, answer);
    try {
      return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "%s has not answered %s in %d s"
              .formatted(
                  message.text(BusMessage.Field.DESTINATION),
                  message.text(BusMessage.Field.MEMBER),
                  PATIENCE.toSeconds()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      waiting.remove(serial);
    }
  }

  /** Sends something that has no answer. */
  public void send(BusMessage message) throws IOException {
    send(message, new CompletableFuture<>());
  }

  private synchronized long send(BusMessage message, CompletableFuture<Answer> answer)
      throws IOException {
    lastSerial++;
    if (message.type() == BusMessage.Type.CALL) {
      waiting.put(lastSerial, answer);
    }
    if (isClosed) {
      waiting.remove(lastSerial);
      throw new IOException("the connection to the bus is closed");
    }
    socket.send(message.withSerial(lastSerial).encode());
    return lastSerial;
  }

  /** Asks for signals; by a rule such as {@code type='signal',member='PrepareForShutdown'}. */
  public void match(String rule) throws IOException {
    call(BusMessage.call(BUS, BUS_PATH, BUS + ".AddMatch", "s", rule));
  }

  /** Takes a name on the bus, so that others can call this process. */
  public void own(String name) throws IOException {
    call(BusMessage.call(BUS, BUS_PATH, BUS + ".RequestName", "su", name, 0));
  }

  private void receive() {
    String why = "the bus has closed the connection";
    try {
      while (true) {
        takeMessages();
        byte[] more = receiveSome();
        if (more.length == 0) {
          break;
        }
        received.writeBytes(more);
      }
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    }
    end(why);
  }

  private byte[] receiveSome() throws IOException {
    while (true) {
      try {
        return socket.receive(descriptors::add);
      } catch (NativeFailure e) {
        if (!e.is(NativeFailure.EAGAIN)) {
          throw e;
        }
      }
    }
  }

  private void takeMessages() throws IOException {
    byte[] bytes = received.toByteArray();
    int at = 0;
    while (true) {
      byte[] rest = at == 0 ? bytes : Arrays.copyOfRange(bytes, at, bytes.length);
      OptionalInt length = BusMessage.length(rest, rest.length);
      if (length.isEmpty() || length.getAsInt() > rest.length) {
        received.reset();
        received.writeBytes(rest);
        return;
      }
      take(BusMessage.decode(Arrays.copyOf(rest, length.getAsInt())));
      at += length.getAsInt();
    }
  }

  private void take(BusMessage message) {
    List<Integer> own = new ArrayList<>();
    for (long i = message.number(BusMessage.Field.UNIX_FDS); i > 0; i--) {
      Integer next = descriptors.poll();
      if (next != null) {
        own.add(next);
      }
    }
    CompletableFuture<Answer> asked =
        switch (message.type()) {
          case ANSWER, ERROR -> waiting.get(message.number(BusMessage.Field.REPLY_SERIAL));
          case CALL, SIGNAL -> null;
        };
    boolean isTaken = false;
    switch (message.type()) {
      case ANSWER -> isTaken = asked != null && asked.complete(new Answer(message.body(), own));
      case ERROR -> {
        if (asked != null) {
          asked.completeExceptionally(
              new BusErrorException(
                  message.text(BusMessage.Field.ERROR_NAME),
                  message.body().isEmpty() ? "" : String.valueOf(message.body().getFirst())));
        }
      }
      case CALL, SIGNAL -> listener.received(message);
    }
    if (!isTaken) {
      own.forEach(Descriptors::close);
    }
  }

  private void end(String why) {
    synchronized (this) {
      boolean wasClosed = isClosed;
      isClosed = true;
      socket.close();
      descriptors.forEach(Descriptors::close);
      if (wasClosed) {
        return;
      }
    }
    IOException lost = new IOException(why);
    waiting.values().forEach(each -> each.completeExceptionally(lost));
    listener.lost(why);
  }

  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      socket.shutDown();
    }
  }
}
