package dev.berth.agent.dns;

import dev.berth.policy.dns.ClusterZone;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves names at one address, by UDP and TCP, each at a port that happens to be free: rules lead
 * to it what pods send to the cluster's name server. Whoever is not a pod of the cluster or this
 * machine gets no answer at all.
 */
public final class DnsServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("cluster-dns");
  private static final int MOST_CONNECTIONS = 128;
  private static final int MOST_WAITING = 512;
  private static final int BACKLOG = 64;
  private static final Duration IDLE = Duration.ofSeconds(10);

  private final DatagramSocket datagrams;
  private final ServerSocket connections;
  private final Predicate<InetAddress> isClient;
  private final DnsResponder responder;
  private final Semaphore freeConnections = new Semaphore(MOST_CONNECTIONS);
  private final Semaphore freeQuestions = new Semaphore(MOST_WAITING);
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /**
   * How it answers.
   *
   * @param resolvConf the machine's, whose servers are asked for other names; empty for none
   * @param isOwnAddress whether an address is one at which the cluster's names are served
   * @param isClient who is answered
   */
  public record Manner(
      ClusterZone zone,
      String resolvConf,
      Predicate<String> isOwnAddress,
      Predicate<InetAddress> isClient,
      RandomGenerator random) {}

  private DnsServer(InetAddress address, Manner manner) throws IOException {
    this(
        address,
        manner.isClient(),
        new DnsResponder(
            manner.zone(),
            new DnsForwarder(
                new UpstreamServers(manner.resolvConf()), manner.isOwnAddress(), manner.random())));
  }

  DnsServer(InetAddress address, Predicate<InetAddress> isClient, DnsResponder responder)
      throws IOException {
    this.isClient = isClient;
    this.responder = responder;
    datagrams = new DatagramSocket(new InetSocketAddress(address, 0));
    connections = new ServerSocket();
    try {
      connections.setReuseAddress(true);
      connections.bind(new InetSocketAddress(address, 0), BACKLOG);
    } catch (IOException e) {
      datagrams.close();
      throw e;
    }
    Thread.ofVirtual().name("cluster-dns-udp").start(this::receive);
    Thread.ofVirtual().name("cluster-dns-tcp").start(this::accept);
  }

  /** Starts it at an address of this machine. */
  public static DnsServer start(InetAddress address, Manner manner) throws IOException {
    return new DnsServer(address, manner);
  }

  public int udpPort() {
    return datagrams.getLocalPort();
  }

  public int tcpPort() {
    return connections.getLocalPort();
  }

  private void receive() {
    byte[] buffer = new byte[DnsReply.LARGEST];
    while (!datagrams.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        datagrams.receive(packet);
        if (isClient.test(packet.getAddress())) {
          byte[] message = Arrays.copyOf(buffer, packet.getLength());
          answer(message, (InetSocketAddress) packet.getSocketAddress());
        }
      } catch (IOException e) {
        // Closed, or a datagram that is lost, as datagrams may be.
      } catch (RuntimeException e) {
        LOG.atWarn().setCause(e).log("a question could not be answered because of a bug in Berth");
      }
    }
  }

  private void answer(byte[] message, InetSocketAddress client) throws IOException {
    switch (responder.answer(message, false)) {
      case DnsResponder.Response.Now(byte[] answer) -> send(answer, client);
      case DnsResponder.Response.Later(DnsQuery query) -> {
        // Whoever asks for too much at once asks again, as resolvers do.
        if (freeQuestions.tryAcquire()) {
          Thread.ofVirtual()
              .start(() -> {
                try {
                  send(responder.ask(message, query, false), client);
                } catch (IOException e) {
                  // The client is gone, or the server.
                } finally {
                  freeQuestions.release();
                }
              });
        }
      }
      case DnsResponder.Response.None _ -> {}
    }
  }

  private void send(byte[] answer, InetSocketAddress client) throws IOException {
    datagrams.send(new DatagramPacket(answer, answer.length, client));
  }

  private void accept() {
    while (!connections.isClosed()) {
      try {
        Socket client = connections.accept();
        if (isClient.test(client.getInetAddress()) && freeConnections.tryAcquire()) {
          open.add(client);
          Thread.ofVirtual()
              .start(() -> {
                try (client) {
                  serve(client);
                } catch (IOException e) {
                  // It left, or said nothing for too long.
                } finally {
                  open.remove(client);
                  freeConnections.release();
                }
              });
        } else {
          client.close();
        }
      } catch (IOException e) {
        // Closed, or a client that left at once.
      }
    }
  }

  private void serve(Socket client) throws IOException {
    client.setSoTimeout((int) IDLE.toMillis());
    client.setTcpNoDelay(true);
    DataInputStream in = new DataInputStream(client.getInputStream());
    while (true) {
      byte[] message = new byte[in.readUnsignedShort()];
      in.readFully(message);
      Optional<byte[]> answer =
          switch (responder.answer(message, true)) {
            case DnsResponder.Response.Now(byte[] now) -> Optional.of(now);
            case DnsResponder.Response.Later(DnsQuery query) ->
                Optional.of(responder.ask(message, query, true));
            case DnsResponder.Response.None _ -> Optional.empty();
          };
      if (answer.isEmpty()) {
        return;
      }
      byte[] bytes = answer.get();
      client
          .getOutputStream()
          .write(
              ByteBuffer.allocate(bytes.length + 2)
                  .putShort((short) bytes.length)
                  .put(bytes)
                  .array());
    }
  }

  @Override
  public void close() {
    datagrams.close();
    try {
      connections.close();
      for (Socket client : open) {
        client.close();
      }
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("a port of the name server could not be closed");
    }
  }
}
