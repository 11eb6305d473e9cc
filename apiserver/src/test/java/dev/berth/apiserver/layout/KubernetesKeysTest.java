package dev.berth.apiserver.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Resource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every object has the key in etcd that a kube-apiserver gives it. */
class KubernetesKeysTest {
  private static final KubernetesLayout LAYOUT = new KubernetesLayout("/registry");

  /** All resources that are built in, as 1.36 stores them below its prefix. */
  private static final String UPSTREAM =
      """
      apiservices.apiregistration.k8s.io                            apiregistration.k8s.io/apiservices
      certificatesigningrequests.certificates.k8s.io                certificatesigningrequests
      clusterrolebindings.rbac.authorization.k8s.io                 clusterrolebindings
      clusterroles.rbac.authorization.k8s.io                        clusterroles
      configmaps                                                    configmaps
      controllerrevisions.apps                                      controllerrevisions
      cronjobs.batch                                                cronjobs
      csidrivers.storage.k8s.io                                     csidrivers
      csinodes.storage.k8s.io                                       csinodes
      csistoragecapacities.storage.k8s.io                           csistoragecapacities
      customresourcedefinitions.apiextensions.k8s.io                apiextensions.k8s.io/customresourcedefinitions
      daemonsets.apps                                               daemonsets
      deployments.apps                                              deployments
      deviceclasses.resource.k8s.io                                 deviceclasses
      endpoints                                                     services/endpoints
      endpointslices.discovery.k8s.io                               endpointslices
      events                                                        events
      flowschemas.flowcontrol.apiserver.k8s.io                      flowschemas
      horizontalpodautoscalers.autoscaling                          horizontalpodautoscalers
      ingressclasses.networking.k8s.io                              ingressclasses
      ingresses.networking.k8s.io                                   ingress
      ipaddresses.networking.k8s.io                                 ipaddresses
      jobs.batch                                                    jobs
      leases.coordination.k8s.io                                    leases
      limitranges                                                   limitranges
      mutatingadmissionpolicies.admissionregistration.k8s.io        mutatingadmissionpolicies
      mutatingadmissionpolicybindings.admissionregistration.k8s.io  mutatingadmissionpolicybindings
      mutatingwebhookconfigurations.admissionregistration.k8s.io    mutatingwebhookconfigurations
      namespaces                                                    namespaces
      networkpolicies.networking.k8s.io                             networkpolicies
      nodes                                                         minions
      persistentvolumeclaims                                        persistentvolumeclaims
      persistentvolumes                                             persistentvolumes
      poddisruptionbudgets.policy                                   poddisruptionbudgets
      pods                                                          pods
      podtemplates                                                  podtemplates
      priorityclasses.scheduling.k8s.io                             priorityclasses
      prioritylevelconfigurations.flowcontrol.apiserver.k8s.io      prioritylevelconfigurations
      replicasets.apps                                              replicasets
      replicationcontrollers                                        controllers
      resourceclaims.resource.k8s.io                                resourceclaims
      resourceclaimtemplates.resource.k8s.io                        resourceclaimtemplates
      resourcequotas                                                resourcequotas
      resourceslices.resource.k8s.io                                resourceslices
      rolebindings.rbac.authorization.k8s.io                        rolebindings
      roles.rbac.authorization.k8s.io                               roles
      runtimeclasses.node.k8s.io                                    runtimeclasses
      secrets                                                       secrets
      serviceaccounts                                               serviceaccounts
      servicecidrs.networking.k8s.io                                servicecidrs
      services                                                      services/specs
      statefulsets.apps                                             statefulsets
      storageclasses.storage.k8s.io                                 storageclasses
      validatingadmissionpolicies.admissionregistration.k8s.io      validatingadmissionpolicies
      validatingadmissionpolicybindings.admissionregistration.k8s.io validatingadmissionpolicybindings
      validatingwebhookconfigurations.admissionregistration.k8s.io  validatingwebhookconfigurations
      volumeattachments.storage.k8s.io                              volumeattachments
      volumeattributesclasses.storage.k8s.io                        volumeattributesclasses
      """;

  private static Map<String, String> upstream() {
    Map<String, String> prefixes = new TreeMap<>();
    UPSTREAM.lines().map(line -> line.split(" +", 2)).forEach(row -> prefixes.put(row[0], row[1]));
    return prefixes;
  }

  @Test
  void everyBuiltInResourceIsWhereAKubeApiserverHasIt() {
    Map<String, String> ours = new TreeMap<>();
    for (Resource resource : KubernetesLayout.stored(BuiltIns.catalog())) {
      String name = resource.isNamespaced() ? "/default/web" : "/web";
      String own = resource.groupResource().toString();
      String key = LAYOUT.etcdKey("/registry/" + own + name);
      assertThat(LAYOUT.storeKey(key)).as(key).contains("/registry/" + own + name);
      assertThat(key).startsWith("/registry/").endsWith(name);
      ours.put(own, key.substring("/registry/".length(), key.length() - name.length()));
    }
    assertThat(ours).isEqualTo(upstream());
  }

  @Test
  void customResourcesAreBelowTheirGroup() {
    assertThat(LAYOUT.etcdKey("/registry/foos.cr.bar.com/default/f1"))
        .isEqualTo("/registry/cr.bar.com/foos/default/f1");
    assertThat(LAYOUT.storeKey("/registry/cr.bar.com/foos/default/f1"))
        .contains("/registry/foos.cr.bar.com/default/f1");
    assertThat(LAYOUT.storeKey("/registry/awesome.bears.com/pandas/cr3panda"))
        .contains("/registry/pandas.awesome.bears.com/cr3panda");
  }

  @Test
  void namesKeepTheirOddLetters() {
    String key = "/registry/clusterroles.rbac.authorization.k8s.io/system:node-proxier";
    assertThat(LAYOUT.storeKey(LAYOUT.etcdKey(key))).contains(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "compact_rev_key",
        "/registry",
        "/registry/",
        "/registry/health",
        "/registry/pods",
        "/registry/pods/",
        "/registry/masterleases/10.0.0.1",
        "/registry/peerserverleases/apiserver-abc",
        "/registry/ranges/serviceips",
        "/registry/ranges/servicenodeports",
        "/registry/services/other/default/web",
        "/registry/services/specs",
        "/registry/leasecandidates/default/c",
        "/registry/storageversions/v",
        "/registry/apps/deployments/default/web",
        "/registry/networking.k8s.io/ingresses/default/web",
        "/registry/cr.bar.com/foos",
        "/other/pods/default/web"
      })
  void whatIsNotOursIsLeftAlone(String key) {
    assertThat(LAYOUT.storeKey(key)).isEmpty();
  }

  @Test
  void thePrefixMayBeAnyAndHaveSlashesOrNone() {
    for (String prefix : List.of("/a/b", "a/b", "/a/b/", "//a/b//")) {
      KubernetesLayout layout = new KubernetesLayout(prefix);
      assertThat(layout.etcdKey("/registry/nodes/n1")).isEqualTo("/a/b/minions/n1");
      assertThat(layout.storeKey("/a/b/minions/n1")).contains("/registry/nodes/n1");
      assertThat(layout.storeKey("/registry/minions/n1")).isEmpty();
    }
    assertThat(new KubernetesLayout("/").etcdKey("/registry/nodes/n1")).isEqualTo("/minions/n1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/registry/ships/default/web", "pods/default/web", "/registry/pods"})
  void whatIsNoKeyOfAnObjectIsRefused(String key) {
    assertThatThrownBy(() -> LAYOUT.etcdKey(key)).isInstanceOf(IllegalArgumentException.class);
  }
}
