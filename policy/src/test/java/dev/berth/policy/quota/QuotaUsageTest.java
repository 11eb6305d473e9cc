package dev.berth.policy.quota;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What objects take of a quota, and who counts what. */
class QuotaUsageTest {
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "configmaps|{}|{configmaps=1, count/configmaps=1}",
        "pods|{'spec':{'containers':[{'resources':{'requests':{'cpu':'1','example.com/g':'2'},"
            + "'limits':{'cpu':'3'}}}]}}|{count/pods=1, cpu=1, limits.cpu=3, pods=1,"
            + " requests.cpu=1, requests.example.com/g=2}",
        "pods|{'status':{'phase':'Failed'},'spec':{'containers':[{'resources':{'requests':"
            + "{'cpu':'1'}}}]}}|{count/pods=1}",
        "services|{'spec':{'type':'NodePort','ports':[{},{}]}}|{count/services=1, services=1,"
            + " services.loadbalancers=0, services.nodeports=2}",
        "services|{'spec':{'type':'LoadBalancer','allocateLoadBalancerNodePorts':false,"
            + "'ports':[{'nodePort':30000},{}]}}|{count/services=1, services=1,"
            + " services.loadbalancers=1, services.nodeports=1}",
        "persistentvolumeclaims|{'spec':{'storageClassName':'fast','resources':{'requests':"
            + "{'storage':'1Gi'}}}}|{count/persistentvolumeclaims=1,"
            + " fast.storageclass.storage.k8s.io/persistentvolumeclaims=1,"
            + " fast.storageclass.storage.k8s.io/requests.storage=1Gi, persistentvolumeclaims=1,"
            + " requests.storage=1Gi}",
        "persistentvolumeclaims|{'spec':{'resources':{'requests':{'storage':'1Gi'}}},'status':"
            + "{'allocatedResources':{'storage':'3Gi'}}}|{count/persistentvolumeclaims=1,"
            + " persistentvolumeclaims=1, requests.storage=3Gi}",
        "persistentvolumeclaims|{'spec':{'resources':{'requests':{'storage':'5Gi'}}},'status':"
            + "{'allocatedResources':{'storage':'3Gi'}}}|{count/persistentvolumeclaims=1,"
            + " persistentvolumeclaims=1, requests.storage=5Gi}",
      })
  void anObjectTakesWhatQuotasCallIt(String plural, String object, String usage) {
    assertThat(QuotaUsage.of(new GroupResource("", plural), tree(object), Instant.EPOCH).toString())
        .isEqualTo(usage);
  }

  @Test
  void aClaimOnDevicesTakesAsManyAsItMayGet() {
    JsonObject claim =
        tree(
            "{'spec':{'devices':{'requests':["
                + "{'name':'a','exactly':{'deviceClassName':'gpu','allocationMode':'ExactCount','count':2}},"
                + "{'name':'b','exactly':{'deviceClassName':'nic','allocationMode':'All'}},"
                + "{'name':'c','firstAvailable':["
                + "{'name':'x','deviceClassName':'gpu','allocationMode':'ExactCount','count':1},"
                + "{'name':'y','deviceClassName':'gpu','allocationMode':'ExactCount','count':3}]}]}}}");
    assertThat(
            QuotaUsage.of(
                    new GroupResource("resource.k8s.io", "resourceclaims"), claim, Instant.EPOCH)
                .toString())
        .isEqualTo(
            "{count/resourceclaims.resource.k8s.io=1, gpu.deviceclass.resource.k8s.io/devices=5,"
                + " nic.deviceclass.resource.k8s.io/devices=32}");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "pods, pods",
    "gpu.deviceclass.resource.k8s.io/devices, resourceclaims.resource.k8s.io",
    "requests.cpu, pods",
    "requests.example.com/gpu, pods",
    "services.nodeports, services",
    "requests.storage, persistentvolumeclaims",
    "fast.storageclass.storage.k8s.io/requests.storage, persistentvolumeclaims",
    "count/deployments.apps, deployments.apps",
    "count/secrets, secrets",
    "secrets, secrets",
  })
  void everyNameIsCountedByOneResource(String name, String resource) {
    assertThat(QuotaUsage.countedBy(name).toString()).isEqualTo(resource);
  }
}
