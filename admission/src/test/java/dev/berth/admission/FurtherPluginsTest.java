package dev.berth.admission;

import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.match.Authorizers;
import dev.berth.cel.library.AccessCheck;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.webhook.WebhookClient;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plugins that look at one kind of object, most of which are off unless they are asked for. */
class FurtherPluginsTest {
  private static TestCluster with(String... plugins) {
    return new TestCluster(AdmissionPlugins.choose(List.of(plugins), List.of())::chain);
  }

  private static String pod(String spec) {
    return "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i:1'}]"
        + spec
        + "}}";
  }

  @Test
  void anIngressWithoutAClassGetsTheNewestDefault() {
    TestCluster cluster = with();
    for (String name : List.of("b", "a")) {
      cluster.create(
          "networking.k8s.io",
          "ingressclasses",
          "",
          ("{'metadata':{'name':'%s','annotations':{'ingressclass.kubernetes.io/is-default-class':'true'}},"
                  + "'spec':{'controller':'example.com/c'}}")
              .formatted(name));
    }
    assertThat(ingress(cluster, "one", "", "")).isEqualTo("a");
    assertThat(ingress(cluster, "two", "", "'ingressClassName':'mine',")).isEqualTo("mine");
    assertThat(
            ingress(cluster, "three", ",'annotations':{'kubernetes.io/ingress.class':'old'}", ""))
        .isEmpty();
  }

  private static String ingress(TestCluster cluster, String name, String metadata, String spec) {
    JsonObject made =
        cluster
            .create(
                "networking.k8s.io",
                "ingresses",
                "default",
                "{'metadata':{'name':'%s'%s},'spec':{%s'defaultBackend':{'service':{'name':'s','port':{'number':1}}}}}"
                    .formatted(name, metadata, spec))
            .tree();
    return made.object("spec").text("ingressClassName", "");
  }

  @Test
  void imagesArePulledAlways() {
    JsonObject made =
        with("AlwaysPullImages")
            .create("pods", pod(",'volumes':[{'name':'v','image':{'reference':'r:1'}}]"))
            .tree();
    JsonObject spec = made.object("spec");
    assertThat(spec.array("containers").objects().getFirst().text("imagePullPolicy"))
        .isEqualTo("Always");
    assertThat(spec.array("volumes").objects().getFirst().object("image").text("pullPolicy"))
        .isEqualTo("Always");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          DenyServiceExternalIPs           | services | {'metadata':{'name':'s'},'spec':{'clusterIP':'None','ports':[{'port':1}],'externalIPs':['192.0.2.9']}} | services "s" is forbidden: Use of external IPs is denied by admission control
          LimitPodHardAntiAffinityTopology | pods     | {'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'zone'}]}}}} | pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed
          OwnerReferencesPermissionEnforcement | configmaps | {'metadata':{'name':'c','ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'u','blockOwnerDeletion':true}]}} | configmaps "c" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>
          OwnerReferencesPermissionEnforcement | configmaps | {'metadata':{'name':'c','ownerReferences':[{'apiVersion':'x/v1','kind':'Y','name':'p','uid':'u','blockOwnerDeletion':true}]}} | configmaps "c" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion x/v1 Kind Y: no matches for kind "Y" in version "x/v1"
          """)
  void refuses(String plugin, String resource, String object, String message) {
    TestCluster cluster = with(plugin);
    assertThat(refused(() -> cluster.create(resource, object)).message()).isEqualTo(message);
  }

  @ParameterizedTest(name = "{0} of {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          update | pods/finalizers | true
          update | pods/status     | false
          """)
  void whoMaySetFinalizersMayBlockTheOwnersDeletion(String verb, String resource, boolean may) {
    Authorizers one = _ -> new OneRight(verb, resource);
    TestCluster cluster =
        new TestCluster(registry ->
            AdmissionPlugins.choose(List.of("OwnerReferencesPermissionEnforcement"), List.of())
                .chain(
                    new AdmissionPlugins.Dependencies(
                        registry, (_, _, _) -> false, WebhookClient.NONE, new Metrics(), one)));
    String object =
        "{'metadata':{'name':'c','ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'u','blockOwnerDeletion':true}]}}";
    if (may) {
      assertThat(cluster.create("configmaps", object).tree().isEmpty()).isFalse();
    } else {
      assertThat(refused(() -> cluster.create("configmaps", object)).code()).isEqualTo(403);
    }
  }

  private record OneRight(String verb, String subresource) implements AccessCheck {
    @Override
    public Decision decide(PathCheck path, String asked) {
      return new Decision(false, "", "");
    }

    @Override
    public Decision decide(ResourceCheck check, String asked) {
      boolean allowed =
          asked.equals(verb) && subresource.equals(check.resource() + "/" + check.subresource());
      return new Decision(allowed, "", "");
    }

    @Override
    public AccessCheck asServiceAccount(String namespace, String name) {
      return this;
    }
  }
}
