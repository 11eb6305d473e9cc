package dev.berth.agent.dns;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Passes questions about other names on to the machine's own name servers, one after the other
 * until one answers. Each question has a port and a number of its own, so that nobody who does not
 * see it can answer it.
 */
final class DnsForwarder {
  private static final int PORT = 53;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Whoever asks for more at once is told to ask again. */
  private static final int MOST = 256;

  private final UpstreamServers servers;
  private final Predicate<String> isOwn;
  private final RandomGenerator random;
  private final int port;
  private final Semaphore free = new Semaphore(MOST);

  /**
   * @param isOwn whether an address is that of this server, which would ask itself
   */
  DnsForwarder(UpstreamServers servers, Predicate<String> isOwn, RandomGenerator random) {
    this(servers, isOwn, random, PORT);
  }

  DnsForwarder(UpstreamServers servers, Predicate<String> isOwn, RandomGenerator random, int port) {
    this.servers = servers;
    this.isOwn = isOwn;
    this.random = random;
    this.port = port;
  }

  /**
   * Asks. It blocks.
   *
   * @param message the question as it came
   * @param query what was read of it
   * @return the answer, under the number of the question; empty if nobody has one
   */
  Optional<byte[]> ask(byte[] message, DnsQuery query, boolean isStream) {
    if (!free.tryAcquire()) {
      return Optional.empty();
    }
    try {
      List<String> usable = servers.addresses().stream().filter(each -> !isOwn.test(each)).toList();
      for (String server : usable) {
        Optional<byte[]> answer = ask(server, message, query, isStream);
        if (answer.isPresent()) {
          return answer;
        }
      }
      return Optional.empty();
    } finally {
      free.release();
    }
  }

  private Optional<byte[]> ask(String server, byte[] message, DnsQuery query, boolean isStream) {
    byte[] question = message.clone();
    int id;
    synchronized (random) {
      id = random.nextInt(1 << Short.SIZE);
    }
    ByteBuffer.wrap(question).putShort(0, (short) id);
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral(server), port);
      byte[] answer = isStream ? stream(address, question) : datagram(address, question);
      if (!isAnswer(answer, id, query)) {
        return Optional.empty();
      }
      ByteBuffer.wrap(answer).putShort(0, (short) query.id());
      return Optional.of(answer);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether an answer is one to this question. */
  private static boolean isAnswer(byte[] answer, int id, DnsQuery query) {
    int end = DnsQuery.HEADER + query.question().length;
    return answer.length >= DnsQuery.HEADER
        && (ByteBuffer.wrap(answer).getShort(0) & 0xffff) == id
        && (answer[2] & 0x80) != 0
        && (answer.length < end
            || Arrays.equals(
                answer, DnsQuery.HEADER, end, query.question(), 0, query.question().length));
  }

  private static byte[] datagram(InetSocketAddress server, byte[] question) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(server);
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.send(new DatagramPacket(question, question.length));
      byte[] buffer = new byte[DnsReply.LARGEST];
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      socket.receive(packet);
      return Arrays.copyOf(buffer, packet.getLength());
    }
  }

  private static byte[] stream(InetSocketAddress server, byte[] question) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.connect(server, (int) PATIENCE.toMillis());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      byte[] framed =
          ByteBuffer.allocate(question.length + 2)
              .putShort((short) question.length)
              .put(question)
              .array();
      out.write(framed);
      out.flush();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] answer = new byte[in.readUnsignedShort()];
      in.readFully(answer);
      return answer;
    }
  }
}
