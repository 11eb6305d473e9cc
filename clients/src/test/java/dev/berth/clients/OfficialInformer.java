package dev.berth.clients;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseList;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** The official Java client's informer of the leases in a namespace of its own, and its writers. */
final class OfficialInformer implements AutoCloseable {
  /** Is there before anybody looks. */
  private static final String FIRST = "first";

  private final CountDownLatch hasListed = new CountDownLatch(1);
  private final GenericKubernetesApi<V1Lease, V1LeaseList> leases;
  private final String namespace;
  private final SharedInformerFactory factory;
  private final Seen seen = new Seen();

  private OfficialInformer(
      GenericKubernetesApi<V1Lease, V1LeaseList> leases,
      String namespace,
      SharedInformerFactory factory) {
    this.leases = leases;
    this.namespace = namespace;
    this.factory = factory;
  }

  static OfficialInformer start(
      ApiClient client, GenericKubernetesApi<V1Lease, V1LeaseList> leases, String namespace)
      throws Exception {
    new CoreV1Api(client)
        .createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(namespace)))
        .execute();
    SharedInformerFactory factory = new SharedInformerFactory(client);
    SharedIndexInformer<V1Lease> informer =
        factory.sharedIndexInformerFor(leases, V1Lease.class, 0, namespace);
    OfficialInformer started = new OfficialInformer(leases, namespace, factory);
    started.create(FIRST);
    informer.addEventHandler(started.handler());
    started.seen.lookAt(() -> versions(informer.getIndexer().list()));
    factory.startAllRegisteredInformers();
    // Whoever writes before it has listed writes what it is not told of one by one.
    started.hasListed.await();
    return started;
  }

  private String create(String name) throws Exception {
    V1Lease lease = OfficialObjects.lease(name);
    lease.getMetadata().setNamespace(namespace);
    return version(leases.create(lease).throwsApiException().getObject());
  }

  private ResourceEventHandler<V1Lease> handler() {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(V1Lease lease) {
        if (name(lease).equals(FIRST)) {
          hasListed.countDown();
        } else {
          seen.changed(name(lease), version(lease));
        }
      }

      @Override
      public void onUpdate(V1Lease before, V1Lease lease) {
        seen.changed(name(lease), version(lease));
      }

      @Override
      public void onDelete(V1Lease lease, boolean stateUnknown) {
        seen.deleted(name(lease));
      }
    };
  }

  Seen seen() {
    return seen;
  }

  /** What the server has, by name. */
  Map<String, String> listed() throws Exception {
    return versions(leases.list(namespace).throwsApiException().getObject().getItems());
  }

  Writers writers() {
    return new Writers(
        namespace,
        new Writers.Leases() {
          @Override
          public String create(String name) throws Exception {
            return OfficialInformer.this.create(name);
          }

          @Override
          public String update(String name) throws Exception {
            V1Lease lease = leases.get(namespace, name).throwsApiException().getObject();
            Integer transitions = lease.getSpec().getLeaseTransitions();
            lease.getSpec().setLeaseTransitions(transitions == null ? 1 : transitions + 1);
            return version(leases.update(lease).throwsApiException().getObject());
          }

          @Override
          public void delete(String name) throws Exception {
            leases.delete(namespace, name).throwsApiException();
          }
        });
  }

  private static Map<String, String> versions(Iterable<V1Lease> leases) {
    Map<String, String> versions = new TreeMap<>();
    leases.forEach(lease -> versions.put(name(lease), version(lease)));
    return versions;
  }

  private static String name(V1Lease lease) {
    return lease.getMetadata().getName();
  }

  private static String version(V1Lease lease) {
    return lease.getMetadata().getResourceVersion();
  }

  @Override
  public void close() {
    factory.stopAllRegisteredInformers();
  }
}
