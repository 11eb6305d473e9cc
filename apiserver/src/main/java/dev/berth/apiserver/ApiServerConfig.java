package dev.berth.apiserver;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.http.FailureListener;
import dev.berth.http.HttpLimits;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.serving.audit.AuditConfig;
import dev.berth.serving.flowcontrol.FlowControlSettings;
import dev.berth.store.Store;
import dev.berth.time.Time;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to run an API server.
 *
 * @param address where to listen; port 0 picks a free one
 * @param pki the directory of the cluster's certificates, which are made where they are missing;
 *     null if they are to be made anew and kept in memory only
 * @param store where objects are kept; whoever opened it closes it, after the server
 * @param access who is let in, besides those with certificates
 * @param gates the features that are on
 * @param admission the policies that are on
 * @param audit where requests are recorded, if anywhere; whoever opened it closes it, after the
 *     server
 * @param flowControl how many requests run at once
 * @param limits what one client may ask for
 * @param nodes how nodes are reached
 */
public record ApiServerConfig(
    InetSocketAddress address,
    @Nullable Path pki,
    Store store,
    Time time,
    FailureListener failures,
    AccessConfig access,
    FeatureGates gates,
    AdmissionPlugins admission,
    Optional<AuditConfig> audit,
    FlowControlSettings flowControl,
    HttpLimits limits,
    NodeSettings nodes) {

  /** With certificates and tokens of its own making, the standard policies, and no audit log. */
  public ApiServerConfig(
      InetSocketAddress address, Path pki, Store store, Time time, FailureListener failures) {
    this(
        address,
        pki,
        store,
        time,
        failures,
        AccessConfig.DEFAULT,
        FeatureGates.DEFAULT,
        AdmissionPlugins.standard(),
        Optional.empty(),
        FlowControlSettings.DEFAULT,
        HttpLimits.DEFAULT,
        NodeSettings.DEFAULT);
  }
}
