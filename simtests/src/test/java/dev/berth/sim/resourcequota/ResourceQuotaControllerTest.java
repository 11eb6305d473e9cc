package dev.berth.sim.resourcequota;

import static dev.berth.client.Resources.RESOURCE_QUOTAS;
import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.resourcequota.ResourceQuotaController;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Quotas are counted through the API, when they change and when what they count shrinks. */
class ResourceQuotaControllerTest {
  private static final ObjectName QUOTA = new ObjectName("default", "q");

  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void start() {
    cluster.run(
        "quotas",
        () -> ResourceQuotaController.start(cluster.parts(ResourceQuotaController.ACCOUNT)));
  }

  @AfterEach
  void close() {
    assertThat(cluster.warnings()).isEmpty();
    cluster.close();
  }

  private void quota(String hard) {
    cluster.create(
        RESOURCE_QUOTAS,
        "{'metadata':{'namespace':'default','name':'q'},'spec':{'hard':{%s}}}".formatted(hard));
    cluster.settle();
  }

  private JsonObject status() {
    return ((ApiResult.Done) cluster.admin().get(RESOURCE_QUOTAS, QUOTA)).object().object("status");
  }

  private String used() {
    return status().object("used").toString().replace('"', '\'');
  }

  @Test
  void whatGoesIsGivenBack() {
    quota("'pods':'2','count/pods':'9'");
    assertThat(used()).isEqualTo("{'pods':'0','count/pods':'0'}");
    cluster.pod("a", "1");
    cluster.pod("b", "1");
    cluster.settle();
    cluster.delete(Resources.PODS, podName("a"));
    cluster.settle();
    assertThat(used()).isEqualTo("{'pods':'1','count/pods':'1'}");
    cluster.patchStatus(Resources.PODS, podName("b"), "{'status':{'phase':'Succeeded'}}");
    cluster.settle();
    assertThat(used()).isEqualTo("{'pods':'0','count/pods':'1'}");
  }

  @Test
  void aQuotaThatChangesIsCountedAnew() {
    cluster.pod("a", "1");
    quota("'pods':'2'");
    cluster.patch(RESOURCE_QUOTAS, QUOTA, "{'spec':{'hard':{'pods':'3','secrets':'1'}}}");
    cluster.settle();
    assertThat(status())
        .isEqualTo(
            VirtualCluster.tree(
                "{'hard':{'pods':'3','secrets':'1'},'used':{'pods':'1','secrets':'0'}}"));
  }

  /** Upstream says nothing of it either, so that whoever looks does not take it for counted. */
  @Test
  void whatTheServerDoesNotServeIsNotShownAsUsedUntilItDoes() {
    quota("'pods':'2','count/widgets.example.com':'1'");
    cluster.advance(Duration.ofSeconds(1));
    assertThat(used()).isEqualTo("{'pods':'0'}");
    cluster.create(
        new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions"),
        "{'metadata':{'name':'widgets.example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
            + "'names':{'plural':'widgets','singular':'widget','kind':'Widget','listKind':'WidgetList'},"
            + "'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
            + "{'type':'object'}}}]}}");
    cluster.advance(Duration.ofSeconds(31));
    assertThat(used()).isEqualTo("{'pods':'0','count/widgets.example.com':'0'}");
    cluster.create(
        new GroupVersionResource("example.com", "v1", "widgets"),
        "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'namespace':'default','name':'w'}}");
    assertThat(used()).isEqualTo("{'pods':'0','count/widgets.example.com':'1'}");
  }

  @Test
  void whatWasMissedIsFoundByTheNextController() {
    quota("'pods':'2'");
    cluster.pod("a", "1");
    cluster.crash("quotas");
    cluster.delete(Resources.PODS, podName("a"));
    cluster.settle();
    assertThat(used()).isEqualTo("{'pods':'1'}");
    cluster.restart("quotas");
    cluster.settle();
    assertThat(used()).isEqualTo("{'pods':'0'}");
  }
}
