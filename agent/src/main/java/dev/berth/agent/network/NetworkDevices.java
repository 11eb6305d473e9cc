package dev.berth.agent.network;

import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.nativecalls.Netlink;
import java.net.InetAddress;

/**
 * Network devices, addresses and routes of the network namespace that the calling thread is in. The
 * kernel is asked itself, since {@code ip} would be two processes for each pod.
 */
final class NetworkDevices implements AutoCloseable {
  static final int LOOPBACK = 1;

  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;

  private static final int IFLA_IFNAME = 3;
  private static final int IFLA_MASTER = 10;
  private static final int IFLA_LINKINFO = 18;
  private static final int IFLA_NET_NS_FD = 28;
  private static final int IFLA_INFO_KIND = 1;
  private static final int IFLA_INFO_DATA = 2;
  private static final int VETH_INFO_PEER = 1;

  private static final int IFA_ADDRESS = 1;
  private static final int IFA_LOCAL = 2;
  private static final int NO_DUPLICATE_DETECTION = 2;

  private static final int RTA_OIF = 4;
  private static final int RTA_GATEWAY = 5;
  private static final int MAIN_TABLE = 254;
  private static final int BY_ADMINISTRATOR = 3;
  private static final int UNICAST = 1;
  private static final int GATEWAY_IS_ON_LINK = 4;

  private final Netlink kernel = new Netlink();

  NetworkDevices() throws NativeFailure {}

  /** The number of a device. */
  int index(String name) throws NativeFailure {
    byte[] message =
        new LinkMessage(LinkMessage.GET_LINK, 0)
            .device(0, false)
            .attribute(IFLA_IFNAME, name)
            .toBytes();
    return LinkMessage.deviceIn(kernel.request("finding device " + name, message));
  }

  void addBridge(String name) throws NativeFailure {
    LinkMessage message =
        new LinkMessage(LinkMessage.NEW_LINK, LinkMessage.CREATE)
            .device(0, true)
            .attribute(IFLA_IFNAME, name);
    message.nested(IFLA_LINKINFO, () -> message.attribute(IFLA_INFO_KIND, "bridge"));
    kernel.request("making bridge " + name, message.toBytes());
  }

  /**
   * Makes two connected devices: one here, which is up and on a bridge, and one elsewhere.
   *
   * @param namespace a descriptor of the network namespace of the other one
   */
  void addPair(String name, int bridge, String peer, int namespace) throws NativeFailure {
    LinkMessage message =
        new LinkMessage(LinkMessage.NEW_LINK, LinkMessage.CREATE)
            .device(0, true)
            .attribute(IFLA_IFNAME, name)
            .attribute(IFLA_MASTER, bridge);
    Runnable other =
        () ->
            message
                .device(0, false)
                .attribute(IFLA_IFNAME, peer)
                .attribute(IFLA_NET_NS_FD, namespace);
    message.nested(
        IFLA_LINKINFO,
        () ->
            message
                .attribute(IFLA_INFO_KIND, "veth")
                .nested(IFLA_INFO_DATA, () -> message.nested(VETH_INFO_PEER, other)));
    kernel.request("making device " + name, message.toBytes());
  }

  void setUp(int device) throws NativeFailure {
    byte[] message = new LinkMessage(LinkMessage.NEW_LINK, 0).device(device, true).toBytes();
    kernel.request("starting device " + device, message);
  }

  /** Gives a device an address, unless it has it. */
  void addAddress(int device, InetAddress address, int prefix) throws NativeFailure {
    byte[] bytes = address.getAddress();
    boolean isIpv6 = bytes.length == 16;
    byte[] message =
        new LinkMessage(LinkMessage.NEW_ADDRESS, LinkMessage.CREATE_OR_REPLACE)
            .raw(isIpv6 ? AF_INET6 : AF_INET, prefix, isIpv6 ? NO_DUPLICATE_DETECTION : 0, 0)
            .number(device)
            .attribute(IFA_LOCAL, bytes)
            .attribute(IFA_ADDRESS, bytes)
            .toBytes();
    kernel.request("adding address " + address.getHostAddress(), message);
  }

  /** Sends everything through a gateway that has no route of its own. */
  void addDefaultRoute(int device, InetAddress gateway) throws NativeFailure {
    byte[] bytes = gateway.getAddress();
    byte[] message =
        new LinkMessage(LinkMessage.NEW_ROUTE, LinkMessage.CREATE)
            .raw(bytes.length == 16 ? AF_INET6 : AF_INET, 0, 0, 0)
            .raw(MAIN_TABLE, BY_ADMINISTRATOR, 0, UNICAST)
            .number(GATEWAY_IS_ON_LINK)
            .attribute(RTA_GATEWAY, bytes)
            .attribute(RTA_OIF, device)
            .toBytes();
    kernel.request("adding a route by " + gateway.getHostAddress(), message);
  }

  /** Removes a device, if it is there; it may go with its namespace at this moment. */
  void delete(String name) throws NativeFailure {
    byte[] message =
        new LinkMessage(LinkMessage.DELETE_LINK, 0)
            .device(0, false)
            .attribute(IFLA_IFNAME, name)
            .toBytes();
    try {
      kernel.request("removing device " + name, message);
    } catch (NativeFailure e) {
      if (e.errno() != NativeFailure.ENODEV) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    kernel.close();
  }
}
