package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every pod runs as an account, with a token of it. */
class ServiceAccountTest {
  private static final String CONTAINERS = "'containers':[{'name':'c','image':'i'}]";

  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  private JsonObject pod(String fields) {
    return cluster
        .create("pods", "{'metadata':{'name':'p'},'spec':{%s%s}}".formatted(fields, CONTAINERS))
        .tree();
  }

  @Test
  void aPodThatNamesNoneRunsAsTheDefault() {
    JsonObject pod = pod("");
    assertThat(at(pod, "spec.serviceAccountName")).isEqualTo("default");
    assertThat(at(pod, "spec.serviceAccount")).isEqualTo("default");
  }

  @Test
  void aTokenTheCertificateAndTheNamespaceAreMounted() {
    JsonObject pod = pod("'initContainers':[{'name':'i','image':'i'}],");
    String name = at(pod, "spec.volumes[0].name");
    assertThat(name).matches("kube-api-access-[a-z0-9]{5}");
    assertThat(pod.object("spec").array("volumes").objects().getFirst().object("projected"))
        .isEqualTo(
            tree(
                "{'defaultMode':420,'sources':["
                    + "{'serviceAccountToken':{'expirationSeconds':3607,'path':'token'}},"
                    + "{'configMap':{'name':'kube-root-ca.crt',"
                    + "'items':[{'key':'ca.crt','path':'ca.crt'}]}},"
                    + "{'downwardAPI':{'items':[{'path':'namespace','fieldRef':"
                    + "{'apiVersion':'v1','fieldPath':'metadata.namespace'}}]}}]}"));
    for (String list : new String[] {"containers", "initContainers"}) {
      assertThat(at(pod, "spec." + list + "[0].volumeMounts[0]"))
          .isEqualTo(
              ("{'name':'"
                      + name
                      + "','readOnly':true,'mountPath':"
                      + "'/var/run/secrets/kubernetes.io/serviceaccount'}")
                  .replace('\'', '"'));
    }
  }

  @Test
  void podsOfOneTemplateStayAlike() {
    String pod = "{'metadata':{'generateName':'p-'},'spec':{%s}}".formatted(CONTAINERS);

    assertThat(cluster.create("pods", pod).tree().object("spec"))
        .isEqualTo(cluster.create("pods", pod).tree().object("spec"));
  }

  @Test
  void whatIsMountedInItsPlaceStays() {
    JsonObject pod =
        cluster
            .create(
                "pods",
                "{'metadata':{'name':'p'},'spec':{'volumes':[{'name':'own'}],'containers':[{"
                    + "'name':'c','image':'i','volumeMounts':[{'name':'own','mountPath':"
                    + "'/var/run/secrets/kubernetes.io/serviceaccount'}]}]}}")
            .tree();
    assertThat(pod.object("spec").array("volumes").size()).isEqualTo(1);
  }

  @ParameterizedTest(name = "pod {0}, account {1}: mounted {2}")
  @CsvSource({
    ",,true",
    ",false,false",
    ",true,true",
    "false,,false",
    "false,true,false",
    "true,false,true"
  })
  void thePodAndElseTheAccountSaysWhetherATokenIsMounted(
      String pod, String account, boolean mounted) {
    cluster.create(
        "serviceaccounts",
        "{'metadata':{'name':'a'}%s}"
            .formatted(account == null ? "" : ",'automountServiceAccountToken':" + account));
    JsonObject made =
        pod(
            "'serviceAccountName':'a',"
                + (pod == null ? "" : "'automountServiceAccountToken':" + pod + ","));
    assertThat(made.object("spec").has("volumes")).isEqualTo(mounted);
  }

  @Test
  void theAccountMustBeThere() {
    assertThat(refused(() -> pod("'serviceAccountName':'ghost',")).message())
        .isEqualTo(
            "pods \"p\" is forbidden: error looking up service account default/ghost:"
                + " serviceaccount \"ghost\" not found");
  }

  @Test
  void theDefaultAccountComesWithItsNamespaceAndAgainWhenItIsNeeded() {
    cluster.create("namespaces", "{'metadata':{'name':'fresh'}}");
    ObjectName account = new ObjectName("fresh", "default");
    assertThat(cluster.registry.find(cluster.core("serviceaccounts"), account)).isPresent();
    cluster.registry.delete(cluster.core("serviceaccounts"), account, DeletionOptions.DEFAULT);
    cluster.create(
        "", "pods", "fresh", "{'metadata':{'name':'p'},'spec':{%s}}".formatted(CONTAINERS));
    assertThat(cluster.registry.find(cluster.core("serviceaccounts"), account)).isPresent();
  }

  @Test
  void theAccountsPullSecretsAreThePodsUnlessItHasItsOwn() {
    cluster.registry.update(
        cluster.core("serviceaccounts"),
        named("default"),
        tree("{'metadata':{'name':'default'},'imagePullSecrets':[{'name':'registry'}]}"),
        WriteOptions.DEFAULT);
    assertThat(at(pod(""), "spec.imagePullSecrets")).isEqualTo("[{\"name\":\"registry\"}]");
    cluster.registry.delete(cluster.core("pods"), named("p"), DeletionOptions.DEFAULT);
    assertThat(at(pod("'imagePullSecrets':[{'name':'own'}],"), "spec.imagePullSecrets"))
        .isEqualTo("[{\"name\":\"own\"}]");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'serviceAccountName':'default',|a mirror pod may not reference service accounts",
        "'volumes':[{'name':'v','secret':{'secretName':'s'}}],"
            + "|a mirror pod may not reference secrets",
        "'volumes':[{'name':'v','projected':{'sources':[{'serviceAccountToken':{'path':'t'}}]}}],"
            + "|a mirror pod may not use ServiceAccountToken volume projections",
      })
  void aMirrorPodHasNothingOfAnAccount(String fields, String problem) {
    String annotated =
        "{'metadata':{'name':'p','annotations':{'kubernetes.io/config.mirror':'x'}},";
    assertThat(
            refused(() ->
                    cluster.create(
                        "pods",
                        annotated + "'spec':{'nodeName':'n',%s%s}}".formatted(fields, CONTAINERS)))
                .message())
        .isEqualTo("pods \"p\" is forbidden: " + problem);
    JsonObject plain =
        cluster
            .create("pods", annotated + "'spec':{'nodeName':'n',%s}}".formatted(CONTAINERS))
            .tree();
    assertThat(plain.object("spec").has("serviceAccountName")).isFalse();
    assertThat(plain.object("spec").has("volumes")).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'volumes':[{'name':'v','secret':{'secretName':'other'}}],|volume with secret.secretName=\"other\"",
        "'volumes':[{'name':'v','projected':{'sources':[{'secret':{'name':'other'}}]}}],|volume with projected secret.name=\"other\"",
        "'initContainers':[{'name':'i','image':'i','envFrom':[{'secretRef':{'name':'other'}}]}],"
            + "|init container i with envFrom referencing secret.secretName=\"other\"",
        "'initContainers':[{'name':'i','image':'i','env':[{'name':'E','valueFrom':{'secretKeyRef':{'name':'other','key':'k'}}}]}],"
            + "|init container i with envVar E referencing secret.secretName=\"other\"",
      })
  void anAccountMayWantToKnowItsSecrets(String fields, String where) {
    createStrictAccount();
    assertThat(refused(() -> pod("'serviceAccountName':'strict'," + fields)).message())
        .endsWith(
            where
                + " is not allowed because service account strict does not reference that secret");
    pod("'serviceAccountName':'strict'," + fields.replace("other", "known"));
  }

  private void createStrictAccount() {
    cluster.create(
        "serviceaccounts",
        "{'metadata':{'name':'strict','annotations':{'kubernetes.io/enforce-mountable-secrets':"
            + "'true'}},'secrets':[{'name':'known'}]}");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'envFrom':[{'secretRef':{'name':'other'}}]|envFrom",
        "'env':[{'name':'E','valueFrom':{'secretKeyRef':{'name':'other','key':'k'}}}]|envVar E",
      })
  void containersThatAreAddedKeepToThemToo(String fields, String where) {
    createStrictAccount();
    pod("'serviceAccountName':'strict',");
    String added = "{'name':'e','image':'i',%s}".formatted(fields);
    assertThat(refused(() -> debug(added)).message())
        .endsWith(
            "ephemeral container e with %s referencing secret.secretName=\"other\" is not allowed because service account strict does not reference that secret"
                .formatted(where));
    debug(added.replace("other", "known"));
  }

  private void debug(String container) {
    cluster.registry.modify(
        cluster.core("pods"),
        named("p"),
        WriteOptions.DEFAULT.subresource("ephemeralcontainers"),
        pod ->
            pod.with(
                "spec",
                pod.object("spec").with("ephemeralContainers", JsonArray.of(tree(container)))));
  }
}
