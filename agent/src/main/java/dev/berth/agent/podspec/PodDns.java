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
import java.util.Collection;
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
 *   <li>{@code Default}: what the machine has; if nothing is to be taken from the machine, its own
 *       server and no domain.
 *   <li>{@code None}: what {@code dnsConfig} says, which is added to all others.
 * </ul>
 *
 * <p>There are three servers at most, and 32 domains of 253 characters each and 2048 in all: what
 * is more is left out, with a warning.
 *
 * @param warnings what the pod does not get
 */
record PodDns(Dns dns, List<SpecWarning> warnings) {
  private static final int MOST_SERVERS = 3;
  private static final int MOST_SEARCHES = 32;
  private static final int LONGEST_SEARCH = 253;
  private static final int LONGEST_SEARCHES = 2048;
  private static final List<String> CLUSTER_OPTIONS = List.of("ndots:5");
  private static final Dns NO_LOOKUPS = new Dns(List.of("127.0.0.1"), List.of("."), List.of());

  PodDns {
    warnings = List.copyOf(warnings);
  }

  /** Reads the machine's settings, so that it may block. */
  static PodDns of(JsonObject pod, SpecSettings settings) throws SpecFailure {
    JsonObject spec = pod.object("spec");
    String policy = spec.text("dnsPolicy", "ClusterFirst");
    boolean isCluster =
        policy.equals("ClusterFirstWithHostNet")
            || (policy.equals("ClusterFirst") && !spec.flag("hostNetwork", false));
    ClusterNames cluster = cluster(pod, settings);
    List<SpecWarning> warnings = new ArrayList<>();
    Dns dns;
    if (policy.equals("None")) {
      dns = new Dns(List.of(), List.of(), List.of());
    } else if (isCluster && !cluster.servers().isEmpty()) {
      dns = cluster(pod, cluster, machine(settings));
    } else {
      if (isCluster) {
        warnings.add(missingServer(pod));
      }
      dns = settings.resolverConfig().isEmpty() ? NO_LOOKUPS : machine(settings);
    }
    return new PodDns(limited(with(dns, spec.object("dnsConfig")), warnings), warnings);
  }

  private static SpecWarning missingServer(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    return new SpecWarning(
        "MissingClusterDNS",
        ("pod: \"%s_%s(%s)\". kubelet does not have ClusterDNS IP configured and cannot create Pod"
                + " using \"ClusterFirst\" policy. Falling back to \"Default\" policy.")
            .formatted(metadata.name(), metadata.namespace(), metadata.uid()));
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
    List<String> options = new ArrayList<>(dns.options());
    for (JsonObject option : config.array("options").objects()) {
      String name = option.text("name", "");
      String value = option.text("value", "");
      options.add(value.isEmpty() ? name : name + ":" + value);
    }
    return new Dns(distinct(servers), distinct(searches), lastOfEach(options));
  }

  /** Of options of one name, the last counts. */
  private static List<String> lastOfEach(Collection<String> options) {
    Map<String, String> last = new LinkedHashMap<>();
    options.forEach(option -> last.put(option.split(":", 2)[0], option));
    return List.copyOf(last.values());
  }

  private static Dns limited(Dns dns, List<SpecWarning> warnings) {
    List<String> servers = first(dns.servers(), MOST_SERVERS);
    if (servers.size() < dns.servers().size()) {
      warnings.add(forming("Nameserver", "nameservers", "nameserver line is: " + words(servers)));
    }
    List<String> searches = new ArrayList<>(first(dns.searches(), MOST_SEARCHES));
    searches.removeIf(domain -> domain.length() > LONGEST_SEARCH);
    while (words(searches).length() > LONGEST_SEARCHES) {
      searches.removeLast();
    }
    if (searches.size() < dns.searches().size()) {
      warnings.add(forming("Search Line", "search paths", "search line is: " + words(searches)));
    }
    return new Dns(servers, searches, dns.options());
  }

  private static SpecWarning forming(String of, String omitted, String applied) {
    return new SpecWarning(
        "DNSConfigForming",
        "%s limits were exceeded, some %s have been omitted, the applied %s"
            .formatted(of, omitted, applied));
  }

  private static String words(List<String> all) {
    return String.join(" ", all);
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
              rest.stream()
                  .filter(domain -> !domain.equals("."))
                  .forEach(domain -> searches.add(withoutDot(domain)));
            }
            case "options" -> options.addAll(rest);
            default -> {} // what else there may be is the machine's own business
          }
        }
      } catch (IOException e) {
        throw new SpecFailure("cannot read " + settings.resolverConfig() + ": " + e.getMessage());
      }
    }
    return new Dns(servers, distinct(searches), lastOfEach(options));
  }

  private static String withoutDot(String domain) {
    return domain.endsWith(".") ? domain.substring(0, domain.length() - 1) : domain;
  }
}
