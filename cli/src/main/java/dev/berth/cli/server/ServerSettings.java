package dev.berth.cli.server;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.apiserver.AccessConfig;
import dev.berth.controllers.ControllerSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.serving.audit.AuditPolicy;
import dev.berth.store.embedded.ValueTransformer;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of a server.
 *
 * @param address where to listen; port 0 picks a free one
 * @param kubeconfig where to write the administrator's, if not at the usual place
 * @param access who is let in, besides those with certificates
 * @param auditLog the name of a file, or - for standard output
 * @param auditPolicy what of which request is recorded there
 * @param scheduler empty if none is to run
 * @param controllers empty if none are to run
 * @param encryption how objects are encrypted at rest
 */
record ServerSettings(
    InetSocketAddress address,
    Optional<Path> kubeconfig,
    AccessConfig access,
    FeatureGates gates,
    AdmissionPlugins admission,
    Optional<String> auditLog,
    AuditPolicy auditPolicy,
    Optional<SchedulerConfiguration> scheduler,
    Optional<ControllerSettings> controllers,
    Optional<HollowSettings> hollow,
    ValueTransformer encryption) {}
