package dev.berth.kinds.core;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.fixture.KindCheck;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with volumes and with claims on them, in Kubernetes' words. */
class VolumeRulesTest {
  private static final String VOLUME =
      "'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},%s}";
  private static final String CLAIM =
      "'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}%s}";

  private static KindCheck volumes() {
    return KindCheck.of("", "v1", "persistentvolumes");
  }

  private static KindCheck claims() {
    return KindCheck.of("", "v1", "persistentvolumeclaims");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'volumeMode':'Filesystem'|spec: Required value: must specify a volume type
          'hostPath':{'path':'/x'}|``
          'hostPath':{'path':'/x','type':'Disk'}|spec.hostPath.type: Unsupported value: 'Disk': supported values: '', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'
          'gcePersistentDisk':{'partition':256}|[spec.persistentDisk.pdName: Required value, spec.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive]
          'awsElasticBlockStore':{}|spec.awsElasticBlockStore.volumeID: Required value
          'glusterfs':{'endpoints':'e','path':'p','endpointsNamespace':''}|spec.glusterfs.endpointsNamespace: Invalid value: '': if the endpointnamespace is set, it must be a valid namespace name
          'nfs':{'server':'s','path':'p'}|spec.nfs.path: Invalid value: 'p': must be an absolute path
          'rbd':{}|[spec.rbd.monitors: Required value, spec.rbd.image: Required value]
          'quobyte':{'registry':'r','volume':'v'}|spec.quobyte.registry: Invalid value: 'r': must be a host:port pair or multiple pairs separated by commas
          'cephfs':{}|spec.cephfs.monitors: Required value
          'iscsi':{'targetPortal':'p','iqn':'x','lun':256,'secretRef':{},'initiatorName':'y'}|[spec.iscsi.iqn: Invalid value: 'x': must be valid format, spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive, spec.iscsi.secretRef.name: Required value, spec.iscsi.initiatorname: Invalid value: 'y': must be valid format]
          'cinder':{'volumeID':'v','secretRef':{}}|[spec.cinder.secretRef.name: Required value, spec.cinder.secretRef.namespace: Required value]
          'fc':{'wwids':['w'],'targetWWNs':['t'],'lun':0}|spec.fc.targetWWNs: Invalid value: ['t']: targetWWNs and wwids can not be specified simultaneously
          'azureFile':{'secretName':'s','shareName':'n','secretNamespace':''}|spec.azureFile.secretNamespace: Required value
          'local':{'path':'/x'}|spec.nodeAffinity: Required value: Local volume requires node affinity
          'storageos':{'volumeName':'V'}|spec.storageos.volumeName: Invalid value: 'V': a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
          'csi':{'driver':'d'}|spec.csi.volumeHandle: Required value
          'nfs':{'server':'s','path':'/p'},'hostPath':{'path':'/x'},'cephfs':{}|[spec.nfs: Forbidden: may not specify more than 1 volume type, spec.cephFS: Forbidden: may not specify more than 1 volume type]
          'flexVolume':{},'hostPath':{'path':'/x'}|spec.flexVolume.driver: Required value
          'hostPath':{'path':'/x'},'nodeAffinity':{}|spec.nodeAffinity.required: Required value: must specify required node constraints
          """)
  void sources(String fields, String problem) {
    assertThat(volumes().problem(VOLUME.formatted(fields))).isEqualTo(problem);
  }

  @Test
  void aVolumeIsFilledInAsAPodsIs() {
    assertThat(volumes().filled(VOLUME.formatted("'hostPath':{'path':'/x'}")).toString())
        .contains("\"hostPath\":{\"path\":\"/x\",\"type\":\"\"}")
        .contains("\"persistentVolumeReclaimPolicy\":\"Retain\"");
  }

  /** Before, after, and the time that the server writes down; the clock is at one o'clock. */
  @ParameterizedTest(name = "{0} to {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'phase':'Bound','lastPhaseTransitionTime':'2026-01-01T00:00:00Z'|'phase':'Bound'|2026-01-01T00:00:00Z
          'phase':'Bound','lastPhaseTransitionTime':'2026-01-01T00:00:00Z'|'phase':'Failed'|2026-01-01T01:00:00Z
          'phase':'Bound','lastPhaseTransitionTime':'2026-01-01T00:00:00Z'|'phase':'Failed','lastPhaseTransitionTime':'2026-01-01T00:00:00Z'|2026-01-01T01:00:00Z
          'phase':'Bound','lastPhaseTransitionTime':'2026-01-01T00:00:00Z'|'phase':'Failed','lastPhaseTransitionTime':'2026-01-01T00:30:00Z'|2026-01-01T00:30:00Z
          """)
  void aVolumeSaysSinceWhenItIsInItsPhase(String before, String after, String since) {
    JsonObject volume =
        new PersistentVolumeRules()
            .prepareThroughSubresource(
                tree("{'status':{" + after + "}}"),
                tree("{'status':{" + before + "}}"),
                Instant.parse("2026-01-01T01:00:00Z"));
    assertThat(volume.object("status").text("lastPhaseTransitionTime")).isEqualTo(since);
  }

  @Test
  void whereAVolumeIsNeverChanges() {
    assertThat(
            volumes()
                .problemOfChange(
                    VOLUME.formatted("'hostPath':{'path':'/x'}"),
                    VOLUME.formatted("'hostPath':{'path':'/y'}")))
        .isEqualTo(
            """
            spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation
            @@ -2,7 +2,7 @@
              'GCEPersistentDisk': null,
              'AWSElasticBlockStore': null,
              'HostPath': {
            -  'Path': '/x',
            +  'Path': '/y',
               'Type': ''
              },
              'Glusterfs': null,
            """);
  }

  @ParameterizedTest(name = "{0} to {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          beta.kubernetes.io/os|kubernetes.io/os|``
          a|b|nodeAffinity: Invalid value: {'Required':{'NodeSelectorTerms':[{'MatchExpressions':[{'Key':'b','Operator':'Exists','Values':null}],'MatchFields':null}]}}: field is immutable, except for updating from beta label to GA
          """)
  void aVolumesNodesChangeInNameOnly(String before, String after, String problem) {
    String affinity =
        VOLUME.formatted(
            "'hostPath':{'path':'/x'},'nodeAffinity':{'required':{'nodeSelectorTerms':[{"
                + "'matchExpressions':[{'key':'%s','operator':'Exists'}]}]}}");
    assertThat(volumes().problemOfChange(affinity.formatted(before), affinity.formatted(after)))
        .isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          ,'dataSource':{'kind':'Secret','name':'s'}|``
          ,'dataSource':{'kind':'PersistentVolumeClaim','name':'a'},'dataSourceRef':{'kind':'PersistentVolumeClaim','name':'b'}|spec: Invalid value: {}: must match dataSourceRef
          ,'dataSource':{'kind':'A','name':'n'},'dataSourceRef':{'apiGroup':'g.io','kind':'A','name':'n','namespace':'x'}|``
          ,'volumeAttributesClassName':'A'|spec.volumeAttributesClassName: Invalid value: 'A': a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
          """)
  void newClaims(String fields, String problem) {
    assertThat(claims().problem(CLAIM.formatted(fields))).isEqualTo(problem);
  }

  @Test
  void aClaimTellsWhatChangedInItsSpecification() {
    assertThat(
            claims()
                .problemOfChange(
                    CLAIM.formatted(",'storageClassName':'x'"),
                    CLAIM.formatted(",'storageClassName':'y'")))
        .startsWith(
            "spec: Forbidden: spec is immutable after creation except resources.requests and"
                + " volumeAttributesClassName for bound claims\n@@ ")
        .contains("- 'StorageClassName': 'x',\n+ 'StorageClassName': 'y',\n");
  }
}
