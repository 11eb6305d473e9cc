package dev.berth.cli.server;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.machine.NetworkAddresses;
import dev.berth.apiserver.AccessConfig;
import dev.berth.apiserver.NodeSettings;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.http.HttpLimits;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.serving.audit.AuditPolicy;
import dev.berth.serving.audit.AuditWriter;
import dev.berth.serving.flowcontrol.FlowControlSettings;
import dev.berth.store.embedded.ValueTransformer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The settings of a server.
 *
 * @param address where to listen; port 0 picks a free one
 * @param advertiseAddress where machines that are to join find the server, if that was said
 * @param kubeconfig where to write the administrator's, if not at the usual place
 * @param access who is let in, besides those with certificates
 * @param watchHistory how long changes are kept for watches and lists
 * @param auditLog the name of a file, or - for standard output
 * @param auditPolicy what of which request is recorded there
 * @param auditMode what happens when the audit log is too slow
 * @param flowControl how many requests run at once
 * @param httpLimits how many connections there may be
 * @param nodes how nodes are reached
 * @param scheduler empty if none is to run
 * @param controllers empty if none are to run
 * @param cloud what has the machines of nodes; empty if nodes say all themselves
 * @param node how this machine is a node, by where its agent keeps its state; empty if it is none
 * @param stopsPods whether this machine's pods end with the server
 * @param nodeNames the domain of the names that nodes serve; empty if they serve none
 * @param encryption how objects are encrypted at rest
 * @param etcd where objects are kept; empty for the data directory
 * @param shutdownDelay how long a server that stops answers everything; empty if that depends on
 *     whether there are others
 * @param shared the options that all servers of a cluster need alike
 */
record ServerSettings(
    InetSocketAddress address,
    Optional<String> advertiseAddress,
    Optional<Path> kubeconfig,
    AccessConfig access,
    FeatureGates gates,
    AdmissionPlugins admission,
    Duration watchHistory,
    Optional<String> auditLog,
    AuditPolicy auditPolicy,
    AuditWriter.Mode auditMode,
    FlowControlSettings flowControl,
    HttpLimits httpLimits,
    NodeSettings nodes,
    Optional<SchedulerConfiguration> scheduler,
    Optional<ControllerSettings> controllers,
    Optional<CloudSettings> cloud,
    Optional<HollowSettings> hollow,
    Optional<Function<Path, AgentSettings>> node,
    boolean stopsPods,
    Optional<String> nodeNames,
    ValueTransformer encryption,
    Optional<EtcdSettings> etcd,
    Optional<Duration> shutdownDelay,
    Map<String, String> shared) {

  /** Where machines that are to join find the server. */
  URI advertised(int port) {
    String host =
        advertiseAddress.orElseGet(() ->
            address.getAddress().isAnyLocalAddress()
                ? NetworkAddresses.ofThisMachine().reachable().getFirst()
                : address.getAddress().getHostAddress());
    return URI.create(
        "https://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port));
  }
}
