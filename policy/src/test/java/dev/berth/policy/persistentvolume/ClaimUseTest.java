package dev.berth.policy.persistentvolume;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimUseTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "has a node|``|'nodeName':'n','volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'p-v'}}]|true",
        "has none|``|'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'p-v'}}]|false",
        "uses another|``|'nodeName':'n','volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'other'}}]|false",
        "is going|,'deletionTimestamp':'2030-01-01T00:00:00Z','deletionGracePeriodSeconds':0|'nodeName':'n','volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'p-v'}}]|true",
        "it was made for the pod|``|'nodeName':'n','volumes':[{'name':'v','ephemeral':{}}]|true",
        "it was made for the pod, whose agent is done|,'deletionTimestamp':'2030-01-01T00:00:00Z','deletionGracePeriodSeconds':0|'nodeName':'n','volumes':[{'name':'v','ephemeral':{}}]|false",
        "it was made for an earlier pod|,'uid':'other'|'nodeName':'n','volumes':[{'name':'v','ephemeral':{}}]|false",
      })
  void aPodKeepsAClaim(String what, String metadata, String spec, boolean keeps) {
    var claim =
        tree(
            "{'metadata':{'namespace':'ns','name':'p-v','ownerReferences':[{'apiVersion':'v1',"
                + "'kind':'Pod','name':'p','uid':'u','controller':true}]}}");
    String uid = metadata.contains("uid") ? "" : ",'uid':'u'";
    var pod =
        tree(
            "{'metadata':{'namespace':'ns','name':'p'%s%s},'spec':{%s}}"
                .formatted(uid, metadata, spec));
    assertThat(ClaimUse.keeps(pod, claim)).isEqualTo(keeps);
  }
}
