package dev.berth.kinds;

import dev.berth.kinds.admissionregistration.AdmissionRegistrationResources;
import dev.berth.kinds.apiregistration.ApiRegistrationResources;
import dev.berth.kinds.apps.AppsResources;
import dev.berth.kinds.authentication.AuthenticationResources;
import dev.berth.kinds.authorization.AuthorizationResources;
import dev.berth.kinds.autoscaling.AutoscalingResources;
import dev.berth.kinds.batch.BatchResources;
import dev.berth.kinds.certificates.CertificatesResources;
import dev.berth.kinds.coordination.CoordinationResources;
import dev.berth.kinds.core.CoreResources;
import dev.berth.kinds.devices.DeviceResources;
import dev.berth.kinds.discovery.DiscoveryResources;
import dev.berth.kinds.events.EventResources;
import dev.berth.kinds.flowcontrol.FlowControlResources;
import dev.berth.kinds.networking.NetworkingResources;
import dev.berth.kinds.node.NodeResources;
import dev.berth.kinds.policy.PolicyResources;
import dev.berth.kinds.rbac.RbacResources;
import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.scheduling.SchedulingResources;
import dev.berth.kinds.storage.StorageResources;
import dev.berth.policy.gate.FeatureGates;
import java.util.ArrayList;
import java.util.List;

/** All resources that are built in. */
public final class BuiltIns {
  private BuiltIns() {}

  /** As they are while all gates are as by default. */
  public static Catalog catalog() {
    return catalog(FeatureGates.DEFAULT);
  }

  public static Catalog catalog(FeatureGates gates) {
    List<Resource> all = new ArrayList<>(CoreResources.all(gates.tolerations()));
    all.addAll(AppsResources.all(gates.tolerations()));
    all.addAll(BatchResources.all(gates.tolerations()));
    all.addAll(CoordinationResources.all());
    all.addAll(DiscoveryResources.all());
    all.addAll(NodeResources.all());
    all.addAll(PolicyResources.all());
    all.addAll(SchedulingResources.all());
    all.addAll(StorageResources.all());
    all.add(EventResources.newer(coreEvents(all)));
    all.addAll(AdmissionRegistrationResources.all());
    all.addAll(ApiRegistrationResources.all());
    all.addAll(CertificatesResources.all());
    all.addAll(FlowControlResources.all());
    all.addAll(RbacResources.all());
    all.addAll(NetworkingResources.all());
    all.addAll(AutoscalingResources.all());
    all.addAll(DeviceResources.all());
    all.addAll(AuthenticationResources.all());
    all.addAll(AuthorizationResources.all());
    return new Catalog(all);
  }

  private static Resource coreEvents(List<Resource> all) {
    return all.stream().filter(r -> r.toString().equals("events")).findFirst().orElseThrow();
  }
}
