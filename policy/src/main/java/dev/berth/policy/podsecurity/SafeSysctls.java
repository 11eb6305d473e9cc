package dev.berth.policy.podsecurity;

import java.util.List;

/**
 * Kernel parameters that a pod may set without harm to others on its node, in the order in which
 * they were added.
 */
public final class SafeSysctls {
  public static final List<String> NAMES =
      List.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_unprivileged_port_start",
          // From 1.27
          "net.ipv4.ip_local_reserved_ports",
          // From 1.29
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes",
          // From 1.32
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_wmem");

  private SafeSysctls() {}
}
