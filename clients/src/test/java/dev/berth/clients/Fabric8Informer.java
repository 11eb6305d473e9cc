package dev.berth.clients;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.TreeMap;

/** fabric8's informer of the leases in a namespace of its own, and its writers. */
final class Fabric8Informer implements AutoCloseable {
  private final KubernetesClient client;
  private final String namespace;
  private final SharedIndexInformer<Lease> informer;
  private final Seen seen = new Seen();

  private Fabric8Informer(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
    this.informer = client.leases().inNamespace(namespace).inform(handler(seen));
    seen.lookAt(() -> versions(informer.getStore().list()));
  }

  static Fabric8Informer start(KubernetesClient client, String namespace) {
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    return new Fabric8Informer(client, namespace);
  }

  private static ResourceEventHandler<Lease> handler(Seen seen) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(Lease lease) {
        seen.changed(lease.getMetadata().getName(), version(lease));
      }

      @Override
      public void onUpdate(Lease before, Lease lease) {
        seen.changed(lease.getMetadata().getName(), version(lease));
      }

      @Override
      public void onDelete(Lease lease, boolean stateUnknown) {
        seen.deleted(lease.getMetadata().getName());
      }
    };
  }

  Seen seen() {
    return seen;
  }

  /** What the server has, by name. */
  Map<String, String> listed() {
    return versions(client.leases().inNamespace(namespace).list().getItems());
  }

  Writers writers() {
    var leases = client.leases().inNamespace(namespace);
    return new Writers(
        namespace,
        new Writers.Leases() {
          @Override
          public String create(String name) {
            return version(leases.resource(Fabric8Objects.lease(name)).create());
          }

          @Override
          public String update(String name) {
            Lease lease = leases.withName(name).get();
            Integer transitions = lease.getSpec().getLeaseTransitions();
            lease.getSpec().setLeaseTransitions(transitions == null ? 1 : transitions + 1);
            return version(leases.resource(lease).update());
          }

          @Override
          public void delete(String name) {
            leases.withName(name).delete();
          }
        });
  }

  private static String version(HasMetadata object) {
    return object.getMetadata().getResourceVersion();
  }

  private static Map<String, String> versions(Iterable<Lease> leases) {
    Map<String, String> versions = new TreeMap<>();
    leases.forEach(lease -> versions.put(lease.getMetadata().getName(), version(lease)));
    return versions;
  }

  @Override
  public void close() {
    informer.close();
  }
}
