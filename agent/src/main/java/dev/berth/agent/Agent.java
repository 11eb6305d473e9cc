package dev.berth.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.join.CertificateManager;
import dev.berth.agent.join.CertificatePurpose;
import dev.berth.agent.join.NodeBootstrap;
import dev.berth.agent.join.NodeFiles;
import dev.berth.agent.join.ServingNames;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.machine.NetworkAddresses;
import dev.berth.agent.node.NodeAgent;
import dev.berth.agent.node.NodeFactsReader;
import dev.berth.agent.node.NodeSources;
import dev.berth.client.Api;
import dev.berth.component.ComponentScope;
import dev.berth.component.Components;
import dev.berth.pki.NodeCredential;
import dev.berth.pki.RequestedNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The node agent, put together: makes this machine a node of a cluster, and keeps it one. Each of
 * its parts is a component, which is started afresh when it fails.
 */
public final class Agent implements AutoCloseable {

  /**
   * What to make it of.
   *
   * @param api the server as this node sees it
   * @param components where its parts are run
   * @param clientCertificate takes each new certificate that the node is known by; empty if it is
   *     known by something that needs no renewal here
   * @param refused told why this machine may not be the node that it is to be
   */
  public record Parts(
      Api api,
      Components components,
      Optional<Consumer<NodeCredential>> clientCertificate,
      Consumer<String> refused) {}

  private final AgentSettings settings;
  private final Parts parts;
  private final List<Components.Handle> running = new ArrayList<>();

  /** As it was last started. */
  private volatile Optional<NodeAgent> node = Optional.empty();

  private Agent(AgentSettings settings, Parts parts) {
    this.settings = settings;
    this.parts = parts;
  }

  public static Agent start(AgentSettings settings, Parts parts) {
    Agent agent = new Agent(settings, parts);
    agent.running.add(parts.components().run("node", agent::startNode));
    NodeFiles files = new NodeFiles(settings.root());
    if (settings.certificates().rotates() && parts.clientCertificate().isPresent()) {
      agent.running.add(
          parts
              .components()
              .run(
                  "client-certificate",
                  scope ->
                      CertificateManager.start(
                          new CertificateManager.Parts(
                              parts.api(),
                              scope.time(),
                              CertificatePurpose.CLIENT,
                              () -> Optional.of(NodeBootstrap.clientNames(settings.node().name())),
                              files.credential(CertificatePurpose.CLIENT),
                              parts.clientCertificate().get()))));
    }
    if (settings.certificates().serving() && settings.port().certificateFile().isEmpty()) {
      agent.running.add(
          parts
              .components()
              .run(
                  "serving-certificate",
                  scope ->
                      CertificateManager.start(
                          new CertificateManager.Parts(
                              parts.api(),
                              scope.time(),
                              CertificatePurpose.SERVING,
                              agent::servingNames,
                              files.credential(CertificatePurpose.SERVING),
                              _ -> {}))));
    }
    return agent;
  }

  private AutoCloseable startNode(ComponentScope scope) {
    NodeSources sources = NodeSources.NONE;
    NodeFactsReader facts =
        new NodeFactsReader(
            settings, MachineReader.ofThisMachine(), NetworkAddresses.ofThisMachine(), sources);
    NodeAgent started =
        NodeAgent.start(
            new NodeAgent.Parts(
                parts.api(), scope.time(), settings, facts, sources, parts.refused()));
    node = Optional.of(started);
    return started;
  }

  /** Known once the server shows the node's addresses, since a certificate is for these alone. */
  private Optional<RequestedNames> servingNames() {
    return node.flatMap(NodeAgent::node).flatMap(ServingNames::of);
  }

  @Override
  public void close() {
    running.reversed().forEach(Components.Handle::close);
  }
}
