package dev.berth.model.reference;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which objects a pod uses. */
class PodReferencesTest {

  private static PodReferences of(String spec) {
    return PodReferences.of(
        tree("{'metadata':{'namespace':'a','name':'p'},'spec':{%s}}".formatted(spec)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'imagePullSecrets':[{'name':'s'}]",
        "'containers':[{'envFrom':[{'secretRef':{'name':'s'}}]}]",
        "'initContainers':[{'env':[{'valueFrom':{'secretKeyRef':{'name':'s'}}}]}]",
        "'ephemeralContainers':[{'envFrom':[{'secretRef':{'name':'s'}}]}]",
        "'volumes':[{'secret':{'secretName':'s'}}]",
        "'volumes':[{'azureFile':{'secretName':'s'}}]",
        "'volumes':[{'projected':{'sources':[{'secret':{'name':'s'}}]}}]",
        "'volumes':[{'csi':{'nodePublishSecretRef':{'name':'s'}}}]",
        "'volumes':[{'cephfs':{'secretRef':{'name':'s'}}}]",
        "'volumes':[{'cinder':{'secretRef':{'name':'s'}}}]",
        "'volumes':[{'flexVolume':{'secretRef':{'name':'s'}}}]",
        "'volumes':[{'rbd':{'secretRef':{'name':'s'}}}]",
        "'volumes':[{'scaleIO':{'secretRef':{'name':'s'}}}]",
        "'volumes':[{'iscsi':{'secretRef':{'name':'s'}}}]",
        "'volumes':[{'storageos':{'secretRef':{'name':'s'}}}]",
      })
  void secretsAreFoundWhereverTheyAreUsed(String spec) {
    assertThat(of(spec).secrets()).containsExactly("s");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'containers':[{'envFrom':[{'configMapRef':{'name':'m'}}]}]",
        "'initContainers':[{'env':[{'valueFrom':{'configMapKeyRef':{'name':'m'}}}]}]",
        "'volumes':[{'configMap':{'name':'m'}}]",
        "'volumes':[{'projected':{'sources':[{'configMap':{'name':'m'}}]}}]",
      })
  void soAreConfigMaps(String spec) {
    assertThat(of(spec).configMaps()).containsExactly("m");
  }

  @Test
  void claimsAreNamedOrMadeForThePod() {
    assertThat(
            of("'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}},{'name':'e','ephemeral':{}}]")
                .claims())
        .containsExactly("c", "p-e");
  }

  @Test
  void resourceClaimsAreNamedBySpecOrStatus() {
    PodReferences references =
        PodReferences.of(
            tree(
                "{'spec':{'resourceClaims':[{'name':'a','resourceClaimName':'named'},"
                    + "{'name':'b','resourceClaimTemplateName':'t'},{'name':'c','resourceClaimTemplateName':'t'}]},"
                    + "'status':{'resourceClaimStatuses':[{'name':'b','resourceClaimName':'made'}],"
                    + "'extendedResourceClaimStatus':{'resourceClaimName':'extended'}}}"));
    assertThat(references.resourceClaims()).containsExactly("named", "made", "extended");
  }

  @Test
  void whatIsNotNamedIsNotUsed() {
    assertThat(
            of("'containers':[{'envFrom':[{}],'env':[{'value':'x'}]}],'volumes':[{'emptyDir':{}}]"))
        .isEqualTo(PodReferences.NONE);
  }
}
