package dev.berth.agent.network;

import dev.berth.agent.runtime.SandboxSpec.HostPort;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** Passes datagrams to a port of the machine on to a pod, and the answers back. */
final class UdpForwarder implements AutoCloseable {
  private static final int LARGEST = 65_535;

  /** Of more clients, the one that was heard of longest ago is forgotten. */
  private static final int CLIENTS = 256;

  private final DatagramSocket server;
  private final InetSocketAddress target;
  private final Map<SocketAddress, DatagramSocket> clients = new LinkedHashMap<>(16, 0.75f, true);

  UdpForwarder(HostPort port, String address) throws IOException {
    target = new InetSocketAddress(InetAddress.getByName(address), port.containerPort());
    server = new DatagramSocket(TcpForwarder.listening(port));
    Thread.ofVirtual().name("host-port-" + port.hostPort()).start(this::receive);
  }

  private void receive() {
    byte[] buffer = new byte[LARGEST];
    while (!server.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        server.receive(packet);
        clientOf(packet.getSocketAddress())
            .send(new DatagramPacket(packet.getData(), packet.getLength(), target));
      } catch (IOException e) {
        // Closed, or a datagram that is lost, as datagrams may be.
      }
    }
  }

  private synchronized DatagramSocket clientOf(SocketAddress client) throws IOException {
    DatagramSocket known = clients.get(client);
    if (known != null && !known.isClosed()) {
      return known;
    }
    DatagramSocket fresh = new DatagramSocket();
    clients.put(client, fresh);
    if (clients.size() > CLIENTS) {
      DatagramSocket oldest = clients.remove(clients.keySet().iterator().next());
      if (oldest != null) {
        oldest.close();
      }
    }
    Thread.ofVirtual().start(() -> answer(fresh, client));
    return fresh;
  }

  private void answer(DatagramSocket from, SocketAddress client) {
    byte[] buffer = new byte[LARGEST];
    while (!from.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        from.receive(packet);
        server.send(new DatagramPacket(packet.getData(), packet.getLength(), client));
      } catch (IOException e) {
        // Closed, or lost.
      }
    }
  }

  @Override
  public synchronized void close() {
    server.close();
    clients.values().forEach(DatagramSocket::close);
  }
}
