package dev.berth.agent.dns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.dns.ClusterZone;
import dev.berth.policy.dns.DnsRecord;
import dev.berth.time.VirtualTime;
import dev.berth.time.fixture.SeededTest;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server on loopback, asked over real sockets; another name server behind it. */
class DnsServerTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int TYPE_A = DnsRecord.A;
  private static final int MANY = 60;

  @TempDir private Path folder;

  private final ClusterRecords records = new ClusterRecords();
  private final RandomGenerator random = new VirtualTime(1, _ -> {}).random("dns");
  private DatagramSocket other;
  private DnsForwarder forwarder;
  private DnsResponder responder;
  private DnsServer server;
  private boolean isServed = true;

  @BeforeEach
  void start() throws IOException {
    service("web", "{'clusterIP':'10.96.0.5','ports':[{'name':'http','port':80}]}");
    service("away", "{'type':'ExternalName','externalName':'elsewhere.example'}");
    service("loop", "{'type':'ExternalName','externalName':'loop.ns.svc.cluster.local'}");
    service("many", "{'clusterIP':'None'}");
    StringBuilder endpoints = new StringBuilder();
    for (int i = 1; i <= MANY; i++) {
      endpoints.append(i > 1 ? "," : "").append("{'addresses':['10.1.0.%d']}".formatted(i));
    }
    records.sliceChanged(
        new ObjectName("ns", "many"),
        "s",
        json("{'addressType':'IPv4','ports':[],'endpoints':[%s]}".formatted(endpoints)));
    records.namespaceChanged("ns", true);
    other = new DatagramSocket(0, LOOPBACK);
    Thread.ofVirtual().start(this::serveOthers);
    Path resolvConf =
        Files.writeString(
            folder.resolve("resolv.conf"),
            "# first\nsearch x\nnameserver %s\n".formatted(LOOPBACK.getHostAddress()));
    forwarder =
        new DnsForwarder(
            new UpstreamServers(resolvConf.toString()), _ -> false, random, other.getLocalPort());
    responder = new DnsResponder(new ClusterZone("cluster.local", records), forwarder);
    server = new DnsServer(LOOPBACK, _ -> isServed, responder);
  }

  @AfterEach
  void stop() {
    server.close();
    other.close();
  }

  private static JsonObject json(String text) {
    return JsonReader.object(text.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private void service(String name, String spec) {
    records.serviceChanged(
        new ObjectName("ns", name),
        json("{'metadata':{'namespace':'ns','name':'%s'},'spec':%s}".formatted(name, spec)));
  }

  /** Answers everything with 192.0.2.7, under the name that was asked. */
  private void serveOthers() {
    byte[] buffer = new byte[512];
    while (!other.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        other.receive(packet);
        byte[] message = Arrays.copyOf(buffer, packet.getLength());
        if (DnsQuery.read(message) instanceof DnsQuery.Read.Question(DnsQuery query)) {
          byte[] answer =
              DnsReply.of(
                  query,
                  new DnsReply.Sections(
                      DnsReply.NO_ERROR,
                      List.of(new DnsRecord.Address(query.name(), "192.0.2.7")),
                      List.of(),
                      List.of()),
                  false);
          other.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
      } catch (IOException e) {
        return;
      }
    }
  }

  /**
   * A question.
   *
   * @param payload of EDNS; 0 for none
   */
  private static byte[] question(String name, int type, int payload) {
    ByteBuffer bytes = ByteBuffer.allocate(512);
    bytes.putShort((short) 0x1234).putShort((short) 0x0100).putShort((short) 1);
    bytes.putInt(0).putShort((short) (payload > 0 ? 1 : 0));
    for (String label : name.split("\\.", -1)) {
      bytes.put((byte) label.length()).put(label.getBytes(UTF_8));
    }
    bytes.put((byte) 0).putShort((short) type).putShort((short) 1);
    if (payload > 0) {
      bytes.put((byte) 0).putShort((short) 41).putShort((short) payload).putInt(0);
      bytes.putShort((short) 0);
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private byte[] ask(byte[] question) throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
      socket.setSoTimeout(60_000);
      socket.send(new DatagramPacket(question, question.length, LOOPBACK, server.udpPort()));
      DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
      socket.receive(packet);
      return Arrays.copyOf(packet.getData(), packet.getLength());
    }
  }

  private static int code(byte[] answer) {
    return answer[3] & 0xf;
  }

  private static boolean isTruncated(byte[] answer) {
    return (answer[2] & 2) != 0;
  }

  private static List<String> addresses(byte[] answer) {
    return AnswerReader.records(answer).stream()
        .map(each ->
            switch (each) {
              case DnsRecord.Address is -> is.name() + " " + is.address();
              case DnsRecord.Alias is -> is.name() + " is " + is.target();
              default -> "";
            })
        .toList();
  }

  @Test
  void answersUnderTheNumberAndTheQuestionOfWhoAsked() throws IOException {
    byte[] question = question("WEB.ns.svc.cluster.local", TYPE_A, 0);
    byte[] answer = ask(question);
    assertThat(answer).startsWith(0x12, 0x34);
    assertThat(Arrays.copyOfRange(answer, 12, question.length))
        .isEqualTo(Arrays.copyOfRange(question, 12, question.length));
    assertThat(addresses(answer)).containsExactly("web.ns.svc.cluster.local 10.96.0.5");
  }

  @Test
  void whatIsNotThereIsSaidWithTheZonesBeginning() throws IOException {
    byte[] answer = ask(question("none.ns.svc.cluster.local", TYPE_A, 0));
    assertThat(code(answer)).isEqualTo(DnsReply.NO_NAME);
    assertThat(answer[9]).as("records of authority").isEqualTo((byte) 1);
  }

  @Test
  void whatIsTooLargeIsCutAndComesWholeByTcp() throws IOException {
    byte[] question = question("many.ns.svc.cluster.local", TYPE_A, 0);
    byte[] cut = ask(question);
    assertThat(isTruncated(cut)).isTrue();
    assertThat(cut).hasSizeLessThanOrEqualTo(512);
    byte[] large = ask(question("many.ns.svc.cluster.local", TYPE_A, 4096));
    assertThat(isTruncated(large)).as("60 records of 16 bytes").isFalse();
    assertThat(large).hasSizeLessThanOrEqualTo(1232);
    assertThat(addresses(large)).hasSize(MANY);
    assertThat(addresses(askByTcp(question))).hasSize(MANY);
  }

  private byte[] askByTcp(byte[] question) throws IOException {
    try (Socket socket = new Socket(LOOPBACK, server.tcpPort())) {
      socket.setSoTimeout(60_000);
      byte[] answer = new byte[0];
      // Two on one connection.
      for (int i = 0; i < 2; i++) {
        socket
            .getOutputStream()
            .write(
                ByteBuffer.allocate(question.length + 2)
                    .putShort((short) question.length)
                    .put(question)
                    .array());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        answer = new byte[in.readUnsignedShort()];
        in.readFully(answer);
      }
      return answer;
    }
  }

  @Test
  void otherNamesAreAskedOfTheMachinesOwnServers() throws IOException {
    byte[] answer = ask(question("www.example", TYPE_A, 0));
    assertThat(answer).startsWith(0x12, 0x34);
    assertThat(addresses(answer)).containsExactly("www.example 192.0.2.7");
  }

  @Test
  void anAliasComesWithWhatItStandsFor() throws IOException {
    assertThat(addresses(ask(question("away.ns.svc.cluster.local", TYPE_A, 0))))
        .containsExactly(
            "away.ns.svc.cluster.local is elsewhere.example", "elsewhere.example 192.0.2.7");
    assertThat(code(ask(question("loop.ns.svc.cluster.local", TYPE_A, 0))))
        .isEqualTo(DnsReply.SERVER_FAILURE);
  }

  @Test
  void refusesWhatIsMuchForLittle() throws IOException {
    assertThat(code(ask(question("many.ns.svc.cluster.local", DnsRecord.ANY, 0))))
        .isEqualTo(DnsReply.REFUSED);
    assertThat(code(ask(question("cluster.local", 252, 0)))).isEqualTo(DnsReply.REFUSED);
  }

  @Test
  void strangersGetNoAnswer() throws IOException {
    isServed = false;
    try (Socket socket = new Socket(LOOPBACK, server.tcpPort())) {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  /** Bytes that are a question or nearly one are answered, ignored or refused, and do no harm. */
  @SeededTest(fixed = 40, fresh = 10)
  void noBytesDoHarm(long seed) throws IOException {
    RandomGenerator bytes = new VirtualTime(seed, _ -> {}).random("packets");
    for (int i = 0; i < 200; i++) {
      byte[] message = question("web.ns.svc.cluster.local", TYPE_A, i % 2 == 0 ? 1232 : 0);
      if (i % 10 == 0) {
        message = new byte[bytes.nextInt(600)];
        bytes.nextBytes(message);
      } else {
        message = Arrays.copyOf(message, bytes.nextInt(message.length) + bytes.nextInt(40));
        for (int j = 0; j < 1 + i % 5 && message.length > 0; j++) {
          message[bytes.nextInt(message.length)] = (byte) bytes.nextInt();
        }
      }
      if (responder.answer(message, i % 3 == 0) instanceof DnsResponder.Response.Now(byte[] now)) {
        assertThat(now.length).isBetween(12, i % 3 == 0 ? 65_535 : 1232);
        assertThat(now[2] & 0x80).as("an answer").isNotZero();
      }
      AnswerReader.records(message);
    }
    byte[] after = ask(question("web.ns.svc.cluster.local", TYPE_A, 0));
    assertThat(addresses(after)).hasSize(1);
  }

  @Test
  void aServiceThatChangesIsFoundUnderItsNewAddressAlone() {
    ObjectName name = new ObjectName("ns", "web");
    assertThat(records.withAddress("10.96.0.5")).hasSize(1);
    service("web", "{'clusterIP':'10.96.0.6'}");
    assertThat(records.withAddress("10.96.0.5")).isEmpty();
    assertThat(records.withAddress("10.96.0.6")).hasSize(1);
    records.serviceChanged(name, null);
    assertThat(records.withAddress("10.96.0.6")).isEmpty();
    assertThat(records.service(name)).isEmpty();
  }
}
