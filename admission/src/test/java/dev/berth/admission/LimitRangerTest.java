package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods and claims keep within their namespace's LimitRanges. */
class LimitRangerTest {
  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  private void range(String item) {
    cluster.create(
        "limitranges", "{'metadata':{'name':'l'},'spec':{'limits':[%s]}}".formatted(item));
  }

  private JsonObject pod(String resources) {
    return cluster
        .create(
            "pods",
            "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i','resources':{%s}}]}}"
                .formatted(resources))
        .tree();
  }

  @Test
  void whatAContainerLeavesOutIsFilledInAndSaid() {
    range("{'type':'Container','default':{'cpu':'2','memory':'1Gi'},'defaultRequest':{'cpu':'1'}}");
    JsonObject pod = pod("'limits':{'memory':'2Gi'}");
    assertThat(at(pod, "spec.containers[0].resources"))
        .isEqualTo(
            "{\"limits\":{\"memory\":\"2Gi\",\"cpu\":\"2\"},"
                + "\"requests\":{\"memory\":\"2Gi\",\"cpu\":\"1\"}}");
    assertThat(pod.object("metadata").object("annotations").text("kubernetes.io/limit-ranger"))
        .isEqualTo(
            "LimitRanger plugin set: cpu request for container c; cpu limit for container c");
    assertThat(at(pod, "status.qosClass")).isEqualTo("Burstable");
  }

  /** Who resizes a pod and leaves something out gets the default, as who creates it does. */
  @Test
  void whatAResizeLeavesOutIsFilledIn() {
    range("{'type':'Container','max':{'cpu':'2'}}");
    pod("'limits':{'cpu':'1'}");
    JsonObject resized =
        cluster
            .registry
            .modify(
                cluster.registry.catalog().get("", "v1", "pods"),
                new ObjectName("default", "p"),
                WriteOptions.DEFAULT.subresource("resize"),
                pod -> tree(pod.toString().replace("\"cpu\":\"1\"", "").replace('"', '\'')))
            .tree();
    assertThat(at(resized, "spec.containers[0].resources.limits")).isEqualTo("{\"cpu\":\"2\"}");
  }

  @Test
  void aMaximumIsADefault() {
    range("{'type':'Container','max':{'cpu':'2'},'min':{'cpu':'100m'}}");
    assertThat(at(pod(""), "spec.containers[0].resources"))
        .isEqualTo("{\"requests\":{\"cpu\":\"2\"},\"limits\":{\"cpu\":\"2\"}}");
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'Container','max':{'cpu':'1'}}|'limits':{'cpu':'2'}"
            + "|maximum cpu usage per Container is 1, but limit is 2",
        "{'type':'Container','min':{'cpu':'1'}}|'requests':{'cpu':'500m'},'limits':{'cpu':'2'}"
            + "|minimum cpu usage per Container is 1, but request is 500m",
        "{'type':'Container','maxLimitRequestRatio':{'cpu':'2'}}"
            + "|'requests':{'cpu':'1'},'limits':{'cpu':'3'}"
            + "|cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000",
        "{'type':'Container','maxLimitRequestRatio':{'cpu':'2'}}|"
            + "|cpu max limit to request ratio per Container is 2, but no request is specified or"
            + " request is 0",
        "{'type':'Pod','max':{'memory':'1Gi'}}|"
            + "|maximum memory usage per Pod is 1Gi.  No limit is specified",
        "{'type':'Pod','min':{'memory':'1Gi'}}|"
            + "|minimum memory usage per Pod is 1Gi.  No request is specified",
        "{'type':'Pod','max':{'cpu':'1','memory':'1Gi'}}|'limits':{'cpu':'2','memory':'2Gi'}"
            + "|[maximum cpu usage per Pod is 1, but limit is 2, maximum memory usage per Pod is"
            + " 1Gi, but limit is 2Gi]",
      })
  void whatIsTooLargeOrTooSmallIsRefused(String item, String resources, String problem) {
    range(item);
    assertThat(refused(() -> pod(resources == null ? "" : resources)).message())
        .isEqualTo("pods \"p\" is forbidden: " + problem);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "20Gi|maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi",
        "1Mi|minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi",
      })
  void claimsTooAreLimited(String size, String problem) {
    range("{'type':'PersistentVolumeClaim','min':{'storage':'1Gi'},'max':{'storage':'10Gi'}}");
    assertThat(
            refused(() ->
                    cluster.create(
                        "persistentvolumeclaims",
                        "{'metadata':{'name':'d'},'spec':{'accessModes':['ReadWriteOnce'],"
                            + "'resources':{'requests':{'storage':'%s'}}}}".formatted(size)))
                .message())
        .isEqualTo("persistentvolumeclaims \"d\" is forbidden: " + problem);
  }
}
