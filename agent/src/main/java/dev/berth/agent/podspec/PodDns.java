package dev.berth.agent.podspec;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.podspec.SpecSettings.ClusterNames;
import dev.berth.agent.runtime.SandboxSpec.Dns;
import dev.berth.model.core.PodPlatform;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What stands in a pod's /etc/resolv.conf.
 *
 * <ul>
 *   <li>{@code ClusterFirst}: the cluster's servers, and its domains before the machine's. With the
 *       machine's network, or if the cluster has no servers: as {@code Default}.
 *   <li>{@code ClusterFirstWithHostNet}: the same, whatever the network.
 *   <li>{@code Default}: what the machine has.
 *   <li>{@code None}: what {@code dnsConfig} says, which is added to all others.
 * </ul>
 */
final class PodDns {
  private static final int MOST_SERVERS = 3;
  private static final int MOST_SEARCHES = 32;
  private static final List<String> CLUSTER_OPTIONS = List.of("ndots:5");

  private PodDns() {}

  /** Reads the machine's settings, so that it may block. */
  static Dns of(JsonObject pod, SpecSettings settings) throws SpecFailure {
    JsonObject spec = pod.object("spec");
    String policy = spec.text("dnsPolicy", "ClusterFirst");
    boolean isCluster =
        policy.equals("ClusterFirstWithHostNet")
            || (policy.equals("ClusterFirst") && !spec.flag("hostNetwork", false));
    ClusterNames cluster = cluster(pod, settings);
    Dns dns;
    if (policy.equals("None")) {
      dns = new Dns(List.of(), List.of(), List.of());
    } else if (isCluster && !cluster.servers().isEmpty()) {
      dns = cluster(pod, cluster, machine(settings));
    } else {
      dns = machine(settings);
    }
    return limited(with(dns, spec.object("dnsConfig")));
  }

  /** Pods that are in no cluster's books do not wait for a cluster. */
  private static ClusterNames cluster(JsonObject pod, SpecSettings settings) throws SpecFailure {
    Optional<ClusterNames> known = settings.cluster().get();
    if (known.isEmpty() && !PodPlatform.isStatic(Metadata.of(pod))) {
      throw new SpecFailure(
          "services have not yet been read at least once, cannot construct envvars");
    }
    return known.orElse(ClusterNames.NONE);
  }

  private static Dns cluster(JsonObject pod, ClusterNames cluster, Dns machine) {
    List<String> searches = new ArrayList<>();
    String domain = cluster.domain();
    if (!domain.isEmpty()) {
      searches.add(Metadata.of(pod).namespace() + ".svc." + domain);
      searches.add("svc." + domain);
      searches.add(domain);
    }
    searches.addAll(machine.searches());
    return new Dns(cluster.servers(), distinct(searches), CLUSTER_OPTIONS);
  }

  private static Dns with(Dns dns, JsonObject config) {
    List<String> servers = new ArrayList<>(dns.servers());
    servers.addAll(config.array("nameservers").texts());
    List<String> searches = new ArrayList<>(dns.searches());
    searches.addAll(config.array("searches").texts());
    Map<String, String> options = new LinkedHashMap<>();
    for (String option : dns.options()) {
      options.put(option.split(":", 2)[0], option);
    }
    for (JsonObject option : config.array("options").objects()) {
      String name = option.text("name", "");
      String value = option.text("value", "");
      options.put(name, value.isEmpty() ? name : name + ":" + value);
    }
    return new Dns(distinct(servers), distinct(searches), List.copyOf(options.values()));
  }

  private static Dns limited(Dns dns) {
    return new Dns(
        first(dns.servers(), MOST_SERVERS), first(dns.searches(), MOST_SEARCHES), dns.options());
  }

  private static List<String> first(List<String> all, int most) {
    return all.subList(0, Math.min(most, all.size()));
  }

  private static List<String> distinct(List<String> all) {
    return List.copyOf(new LinkedHashSet<>(all));
  }

  private static Dns machine(SpecSettings settings) throws SpecFailure {
    List<String> servers = new ArrayList<>();
    List<String> searches = new ArrayList<>();
    List<String> options = new ArrayList<>();
    if (!settings.resolverConfig().isEmpty()) {
      try {
        for (String line : Files.readAllLines(Path.of(settings.resolverConfig()), UTF_8)) {
          List<String> words = List.of(line.strip().split("\\s+", -1));
          List<String> rest = words.subList(1, words.size());
          switch (words.getFirst()) {
            case "nameserver" -> servers.addAll(first(rest, 1));
            case "search" -> {
              searches.clear(); // the last one counts
              rest.forEach(domain -> searches.add(withoutDot(domain)));
            }
            case "options" -> options.addAll(rest);
            default -> {} // what else there may be is the machine's own business
          }
        }
      } catch (IOException e) {
        throw new SpecFailure("cannot read " + settings.resolverConfig() + ": " + e.getMessage());
      }
    }
    return new Dns(servers, distinct(searches), distinct(options));
  }

  private static String withoutDot(String domain) {
    return domain.endsWith(".") ? domain.substring(0, domain.length() - 1) : domain;
  }
}
