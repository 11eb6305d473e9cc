package dev.berth.kinds.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.fixture.KindCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with the kinds of storage.k8s.io, in Kubernetes' words. */
class StorageRulesTest {
  private static final String GROUP = "storage.k8s.io";

  @ParameterizedTest(name = "{0}: {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          storageclasses|'provisioner':'a/B'|``
          storageclasses|``|provisioner: Required value
          storageclasses|'provisioner':'a','reclaimPolicy':'Recycle','volumeBindingMode':'Later'|[reclaimPolicy: Unsupported value: 'Recycle': supported values: 'Delete', 'Retain', volumeBindingMode: Unsupported value: 'Later': supported values: 'Immediate', 'WaitForFirstConsumer']
          storageclasses|'provisioner':'a','parameters':{'':'x'}|parameters: Invalid value: '': field can not be empty.
          storageclasses|'provisioner':'a','allowedTopologies':[{'matchLabelExpressions':[{'key':'z','values':['a','a']},{'key':'z'}]}]|[allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: 'a', allowedTopologies[0].matchLabelExpressions[1].values: Required value, allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: 'z']
          volumeattributesclasses|'driverName':'a.b','parameters':{'iops':'1'}|``
          volumeattributesclasses|``|[driverName: Required value, parameters: Required value: must contain at least one key/value pair]
          csistoragecapacities|'storageClassName':'c','capacity':'1Gi'|``
          csistoragecapacities|'storageClassName':'c','capacity':'-1','nodeTopology':{'matchExpressions':[{'key':'a','operator':'Near'}]}|[nodeTopology.matchExpressions[0].operator: Invalid value: 'Near': not a valid selector operator, capacity: Invalid value: '-1': must be greater than or equal to 0]
          csidrivers|'spec':{}|``
          csidrivers|'spec':{'fsGroupPolicy':'Some','volumeLifecycleModes':['Once'],'tokenRequests':[{'audience':'a','expirationSeconds':1},{'audience':'a'}],'nodeAllocatableUpdatePeriodSeconds':1}|[spec.fsGroupPolicy: Unsupported value: 'Some': supported values: 'File', 'None', 'ReadWriteOnceWithFSType', spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes, spec.tokenRequests[1].audience: Duplicate value: 'a', spec.volumeLifecycleModes: Unsupported value: 'Once': supported values: 'Persistent', 'Ephemeral', spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 1: must be greater than or equal to 10 seconds]
          csidrivers|'spec':{'serviceAccountTokenInSecrets':true}|spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified
          csinodes|'spec':{'drivers':[{'name':'a.b','nodeID':'n','topologyKeys':['z']}]}|``
          csinodes|'spec':{'drivers':[{'name':'a.b','allocatable':{'count':-1}},{'name':'a.b','nodeID':'n','topologyKeys':['z','z']}]}|[spec.drivers[0].nodeID: Required value, spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0, spec.drivers[1].name: Duplicate value: 'a.b', spec.drivers[1]: Duplicate value: 'z']
          volumeattachments|'spec':{'attacher':'a','nodeName':'n','source':{'persistentVolumeName':'p'}}|``
          volumeattachments|'spec':{'attacher':'a','nodeName':'n','source':{'inlineVolumeSpec':{'accessModes':['ReadWriteOnce'],'csi':{'driver':'d.e','volumeHandle':'h'}}}}|``
          volumeattachments|'spec':{'attacher':'a','nodeName':'n','source':{'inlineVolumeSpec':{}}}|[spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes, spec.source.inlineVolumeSpec.accessModes: Required value, spec.source.inlineVolumeSpec: Required value: must specify a volume type]
          volumeattachments|'spec':{'attacher':'a','nodeName':'n','source':{'inlineVolumeSpec':{'capacity':{'storage':'1'},'claimRef':{'name':'c'},'accessModes':['ReadWriteOnce'],'persistentVolumeReclaimPolicy':'Delete','nodeAffinity':{},'storageClassName':'c','volumeMode':'Block','csi':{'driver':'d.e','volumeHandle':'h'}}}}|[spec.source.inlineVolumeSpec.claimRef: Forbidden: may not be specified in the context of inline volumes, spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes, spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes, spec.source.inlineVolumeSpec.nodeAffinity: Forbidden: may not be specified in the context of inline volumes, spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes, spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes]
          volumeattachments|'spec':{'nodeName':'n','source':{}}|[spec.attacher: Required value, spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName]
          """)
  void newObjects(String plural, String fields, String problem) {
    assertThat(KindCheck.of(GROUP, "v1", plural).problem(fields)).isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0}: {1} to {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          storageclasses|'provisioner':'a'|'provisioner':'b','parameters':{'a':'b'}|[parameters: Invalid value: {'a':'b'}: field is immutable, provisioner: Invalid value: 'b': field is immutable]
          volumeattributesclasses|'driverName':'a','parameters':{'a':'b'}|'driverName':'b','parameters':{'a':'c'}|[driverName: Forbidden: updates to driverName are forbidden., parameters: Forbidden: updates to parameters are forbidden.]
          csidrivers|'spec':{}|'spec':{'attachRequired':false}|spec.attachedRequired: Invalid value: false: field is immutable
          csinodes|'spec':{'drivers':[{'name':'a','nodeID':'n'}]}|'spec':{'drivers':[{'name':'a','nodeID':'n','allocatable':{'count':3}},{'name':'b','nodeID':'n'}]}|``
          csinodes|'spec':{'drivers':[{'name':'a','nodeID':'n'}]}|'spec':{'drivers':[{'name':'a','nodeID':'m'}]}|spec.drivers: Invalid value: {'Name':'a','NodeID':'m','TopologyKeys':null,'Allocatable':null}: field is immutable
          volumeattachments|'spec':{'attacher':'a','nodeName':'n','source':{'persistentVolumeName':'p'}}|'spec':{'attacher':'a','nodeName':'m','source':{'persistentVolumeName':'p'}}|spec: Invalid value: {'Attacher':'a','Source':{'PersistentVolumeName':'p','InlineVolumeSpec':null},'NodeName':'m'}: field is immutable
          """)
  void changes(String plural, String before, String after, String problem) {
    assertThat(KindCheck.of(GROUP, "v1", plural).problemOfChange(before, after)).isEqualTo(problem);
  }

  @Test
  void aDriverIsFilledIn() {
    assertThat(
            KindCheck.of(GROUP, "v1", "csidrivers").filled("'spec':{}").object("spec").toString())
        .isEqualTo(
            "{\"attachRequired\":true,\"podInfoOnMount\":false,\"storageCapacity\":false,"
                + "\"fsGroupPolicy\":\"ReadWriteOnceWithFSType\",\"requiresRepublish\":false,"
                + "\"seLinuxMount\":false,\"volumeLifecycleModes\":[\"Persistent\"]}");
  }
}
