package dev.berth.kinds.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with the rarer parts of a pod, in Kubernetes' words. */
class PodSpecRulesTest {
  private static final ResourceRules RULES = new PodRules(TolerationRules.STANDARD);

  private static String problems(String spec) {
    JsonObject pod = RULES.defaults(JsonObject.of("spec", tree(spec)));
    return FieldError.join(RULES.validate(pod)).replace('"', '\'');
  }

  /** That of many pods is looked at once. */
  @Test
  void aSpecificationThatIsRightByItselfIsStillHeldAgainstItsPod() {
    JsonObject spec =
        tree(
            "{'containers':[{'name':'c','image':'i'}],'securityContext':{'seccompProfile':{'type':'Unconfined'}},"
                + "'volumes':[{'name':'v','ephemeral':{'volumeClaimTemplate':{'spec':{'accessModes':['ReadWriteOnce'],"
                + "'resources':{'requests':{'storage':'1Gi'}}}}}}]}");
    JsonObject pod = RULES.defaults(JsonObject.of("spec", spec));
    JsonObject plain = RULES.defaults(JsonObject.of("spec", spec.without("volumes")));

    assertThat(RULES.validate(pod)).isEmpty();
    assertThat(RULES.validate(plain)).isEmpty();
    assertThat(RULES.validate(pod.with("metadata", JsonObject.of("name", "x".repeat(254)))))
        .isNotEmpty();
    assertThat(
            RULES.validate(
                plain.with(
                    "metadata",
                    tree(
                        "{'annotations':{'seccomp.security.alpha.kubernetes.io/pod':'runtime/default'}}"))))
        .isNotEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'gitRepo':{'directory':'/x','repository':'r'}|gitRepo.directory: Invalid value: '/x': must be a relative path
          'gcePersistentDisk':{'partition':256,'pdName':'p'}|persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive
          'awsElasticBlockStore':{}|awsElasticBlockStore.volumeID: Required value
          'nfs':{'server':'s','path':'x'}|nfs.path: Invalid value: 'x': must be an absolute path
          'iscsi':{'targetPortal':'p','iqn':'abc'}|iscsi.iqn: Invalid value: 'abc': must be valid format starting with iqn, eui, or naa
          'iscsi':{'targetPortal':'p','iqn':'eui.0123456789abcdef','chapAuthSession':true}|iscsi.secretRef: Required value
          'glusterfs':{'path':'p'}|glusterfs.endpoints: Required value
          'flocker':{'datasetName':'a','datasetUUID':'b'}|flocker: Invalid value: 'resource': datasetName and datasetUUID can not be specified simultaneously
          'rbd':{'image':'i'}|rbd.monitors: Required value
          'cinder':{'volumeID':'v','secretRef':{}}|cinder.secretRef.name: Required value
          'cephfs':{}|cephfs.monitors: Required value
          'quobyte':{'volume':'v','registry':'nowhere'}|quobyte.registry: Invalid value: 'nowhere': must be a host:port pair or multiple pairs separated by commas
          'fc':{'targetWWNs':['a']}|fc.lun: Required value: lun is required if targetWWNs is specified
          'flexVolume':{'driver':'d','options':{'kubernetes.io/x':'y'}}|flexVolume.options[kubernetes.io/x]: Invalid value: 'kubernetes.io/x': kubernetes.io and k8s.io namespaces are reserved
          'azureFile':{'secretName':'s'}|azureFile.shareName: Required value
          'vsphereVolume':{}|vsphereVolume.volumePath: Required value
          'photonPersistentDisk':{}|photonPersistentDisk.pdID: Required value
          'portworxVolume':{}|portworxVolume.volumeID: Required value
          'azureDisk':{'diskName':'d','diskURI':'x'}|azureDisk.diskURI: Unsupported value: 'x': supported values: 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'
          'storageos':{'volumeName':'A'}|storageos.volumeName: Invalid value: 'A': a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
          'scaleIO':{'gateway':'g','system':'s'}|scaleIO.volumeName: Required value
          'csi':{'driver':'d','nodePublishSecretRef':{}}|csi.nodePublishSecretRef.name: Required value
          'ephemeral':{}|ephemeral.volumeClaimTemplate: Required value
          'ephemeral':{'volumeClaimTemplate':{'metadata':{'name':'n'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}}|ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set
          'ephemeral':{'volumeClaimTemplate':{'spec':{'accessModes':['ReadWriteOnce']}}}|ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value
          'image':{}|image.reference: Required value
          'secret':{'secretName':'s','defaultMode':512}|secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive
          'secret':{'secretName':'s','items':[{'key':'k','path':'..x'}]}|secret.items[0].path: Invalid value: '..x': must not start with '..'
          'downwardAPI':{'items':[{'path':'p','resourceFieldRef':{'resource':'limits.cpu'}}]}|downwardAPI.resourceFieldRef.containerName: Required value
          'downwardAPI':{'items':[{'path':'p','fieldRef':{'fieldPath':'spec.nodeName'}}]}|downwardAPI.fieldRef.fieldPath: Unsupported value: 'spec.nodeName': supported values: 'metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'
          'projected':{'sources':[{'secret':{'name':'s'},'configMap':{'name':'c'}}]}|projected.sources[0]: Forbidden: may not specify more than 1 volume type per source
          'projected':{'sources':[{'secret':{'name':'s','items':[{'key':'k','path':'p'}]}},{'configMap':{'name':'c','items':[{'key':'k','path':'p'}]}}]}|projected: Invalid value: 'c': conflicting duplicate paths
          'projected':{'sources':[{'clusterTrustBundle':{'path':'p'}}]}|projected.sources[0].clusterTrustBundle: Required value: either name or signerName must be specified
          """)
  void aVolumeWithoutItsSourceIsRefused(String source, String problem) {
    assertThat(
            problems(
                "{'containers':[{'name':'c','image':'i'}],'volumes':[{'name':'v',%s}]}"
                    .formatted(source)))
        .isEqualTo("spec.volumes[0]." + problem);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'volumeMounts':[{'name':'x','mountPath':'/x'}]|volumeMounts[0].name: Not found: 'x'
          'volumeMounts':[{'name':'v','mountPath':'/x','mountPropagation':'Bidirectional'}]|volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers
          'volumeMounts':[{'name':'v','mountPath':'/x','recursiveReadOnly':'Enabled'}]|volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true
          'volumeDevices':[{'name':'v','devicePath':'/x'}]|volumeDevices[0].name: Invalid value: 'v': can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode
          'volumeDevices':[{'name':'p','devicePath':'/../x'}]|volumeDevices[0].devicePath: Invalid value: '/../x': can not contain backsteps ('..')
          'env':[{'name':'A','valueFrom':{'fileKeyRef':{'key':'k','path':'p','volumeName':'p'}}}]|env[0].valueFrom.fileKeyRef.volumeName: Invalid value: 'p': referenced volume must be of type emptyDir
          'env':[{'name':'A','valueFrom':{'fieldRef':{'fieldPath':'spec.x'}}}]|env[0].valueFrom.fieldRef.fieldPath: Invalid value: 'spec.x': error converting fieldPath: field label not supported: spec.x
          'env':[{'name':'A','valueFrom':{'resourceFieldRef':{'resource':'limits.cpu','divisor':'2'}}}]|env[0].valueFrom.resourceFieldRef.divisor: Invalid value: 'limits.cpu': only divisor's values 1m and 1 are supported with the cpu resource
          'lifecycle':{'preStop':{'sleep':{'seconds':31}}}|lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)
          'lifecycle':{'stopSignal':'SIGTERM'}|lifecycle.stopSignal: Forbidden: may not be set for containers with empty `spec.os.name`
          'resizePolicy':[{'resourceName':'x','restartPolicy':'NotRequired'}]|resizePolicy: Unsupported value: 'x': supported values: 'cpu', 'memory'
          'restartPolicyRules':[{'action':'Restart','exitCodes':{'operator':'In'}}]|restartPolicy: Required value: must specify restartPolicy when restart rules are used
          'restartPolicy':'Never','restartPolicyRules':[{'action':'Restart'}]|restartPolicyRules[0].exitCodes: Required value: must be specified
          'resources':{'claims':[{'name':'x'}]}|resources.claims[0]: Not found: 'x': must be one of the names in pod.spec.resourceClaims which is empty
          'resources':{'limits':{'hugepages-2Mi':'3Mi','cpu':'1'}}|resources.limits[hugepages-2Mi]: Invalid value: '3Mi': 3Mi is not positive integer multiple of hugepages-2Mi, spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: '3Mi': 3Mi is not positive integer multiple of hugepages-2Mi
          'securityContext':{'procMount':'Unmasked'}|securityContext.procMount: Invalid value: 'Unmasked': `hostUsers` must be false to use `Unmasked`
          'securityContext':{'seccompProfile':{'type':'Unconfined','localhostProfile':'x'}}|securityContext.seccompProfile.localhostProfile: Invalid value: {'Type':'Unconfined','LocalhostProfile':'x'}: can only be set when seccomp type is Localhost
          'securityContext':{'appArmorProfile':{'type':'Localhost','localhostProfile':' x'}}|securityContext.appArmorProfile.localhostProfile: Invalid value: ' x': must not be padded with whitespace
          'securityContext':{'windowsOptions':{'runAsUserName':'...'}}|securityContext.windowsOptions.runAsUserName: Invalid value: '...': runAsUserName's User cannot contain only periods or spaces
          """)
  void aContainerIsRefused(String fields, String problem) {
    String expected = "spec.containers[0]." + problem;
    assertThat(
            problems(
                ("{'containers':[{'name':'c','image':'i',%s}],'volumes':[{'name':'v'},{'name':'p',"
                        + "'persistentVolumeClaim':{'claimName':'p'}}]}")
                    .formatted(fields)))
        .isEqualTo(problem.contains(", spec.") ? "[" + expected + "]" : expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'os':{'name':'plan9'}|os: Unsupported value: 'plan9': supported values: 'linux', 'windows'
          'os':{'name':'linux'},'securityContext':{'windowsOptions':{}}|securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod
          'os':{'name':'windows'},'securityContext':{'fsGroup':0}|securityContext.fsGroup: Forbidden: cannot be set for a windows pod
          'hostUsers':false,'hostIPC':true|HostIPC: Forbidden: when `hostUsers` is false
          'securityContext':{'sysctls':[{'name':'net.core.somaxconn','value':'1'}]},'hostNetwork':true|securityContext.sysctls[0].name: Invalid value: 'net.core.somaxconn': may not be specified when 'hostNetwork' is true
          'securityContext':{'supplementalGroupsPolicy':'X'}|securityContext.supplementalGroupsPolicy: Unsupported value: 'X': supported values: 'Merge', 'Strict'
          'securityContext':{'seLinuxChangePolicy':'MountOption'}|securityContext.seLinuxChangePolicy: Unsupported value: 'MountOption': supported values: 'Recursive'
          'securityContext':{'windowsOptions':{'hostProcess':true}}|hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers
          'resourceClaims':[{'name':'a'}]|resourceClaims[0]: Invalid value: {'Name':'a','ResourceClaimName':null,'ResourceClaimTemplateName':null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`
          'resources':{'limits':{'cpu':'1','example.com/x':'1'}}|resources.limits[example.com/x]: Unsupported value: 'example.com/x': supported values: 'cpu', 'hugepages-', 'memory'
          'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'z','whenUnsatisfiable':'DoNotSchedule','matchLabelKeys':['a']}]|topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set
          'ephemeralContainers':[{'name':'e','image':'i'}]|ephemeralContainers: Forbidden: cannot be set on create
          'hostnameOverride':'a','hostNetwork':true|hostnameOverride: Forbidden: may not be specified when hostNetwork is true
          'preemptionPolicy':'X'|preemptionPolicy: Unsupported value: 'X': supported values: 'PreemptLowerPriority', 'Never'
          'dnsConfig':{'nameservers':['01.1.1.1']}|dnsConfig.nameservers[0]: Invalid value: '01.1.1.1': must not have leading 0s
          'dnsConfig':{'nameservers':['::ffff:1.2.3.4']}|dnsConfig.nameservers[0]: Invalid value: '::ffff:1.2.3.4': must not be an IPv4-mapped IPv6 address
          'schedulingGates':[{'name':'a b'}]|schedulingGates[0]: Invalid value: 'a b': name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
          """)
  void aPodIsRefused(String fields, String problem) {
    assertThat(problems("{'containers':[{'name':'c','image':'i'}],%s}".formatted(fields)))
        .isEqualTo("spec." + problem);
  }

  @Test
  void theImageOfAPodHasNoSpaceAround() {
    assertThat(problems("{'containers':[{'name':'c','image':' i'}]}"))
        .isEqualTo(
            "spec.containers[0].image: Invalid value: ' i': must not have leading or trailing"
                + " whitespace");
  }

  @Test
  void annotationsOfMirrorPodsNeedANode() {
    JsonObject pod =
        RULES.defaults(
            tree(
                "{'metadata':{'annotations':{'kubernetes.io/config.mirror':'x'}},'spec':"
                    + "{'containers':[{'name':'c','image':'i'}]}}"));
    assertThat(FieldError.join(RULES.validate(pod)))
        .isEqualTo(
            "metadata.annotations[kubernetes.io/config.mirror]: Invalid value: \"x\": must set"
                + " spec.nodeName if mirror pod annotation is set");
  }

  /** What a Go client sends for what it leaves out is the same as what others leave out. */
  @Test
  void zerosOfGoAreAsIfLeftOut() {
    JsonObject absent =
        tree(
            "{'spec':{'containers':[{'name':'c','image':'i','livenessProbe':{'httpGet':{'port':1}},"
                + "'ports':[{'containerPort':1}]}],'volumes':[{'name':'v','rbd':{}}]}}");
    JsonObject zero =
        tree(
            "{'spec':{'restartPolicy':'','dnsPolicy':'','schedulerName':'','containers':[{'name':"
                + "'c','image':'i','imagePullPolicy':'','terminationMessagePath':'',"
                + "'terminationMessagePolicy':'','livenessProbe':{'httpGet':{'path':'','port':1,"
                + "'scheme':''},'timeoutSeconds':0,'periodSeconds':0,'successThreshold':0,"
                + "'failureThreshold':0},'ports':[{'containerPort':1,'protocol':''}]}],"
                + "'volumes':[{'name':'v','rbd':{'pool':'','user':'','keyring':''}}]}}");
    assertThat(InternalForm.of("PodSpec", RULES.defaults(zero).object("spec")))
        .isEqualTo(InternalForm.of("PodSpec", RULES.defaults(absent).object("spec")));
    assertThat(RULES.defaults(RULES.defaults(zero))).isEqualTo(RULES.defaults(zero));
  }

  @ParameterizedTest
  @CsvSource({
    "nginx, Always",
    "nginx:latest, Always",
    "nginx:1.2, IfNotPresent",
    "localhost:5000/a/b, Always",
    "Registry/a:latest, Always",
    "NotLowerCase, IfNotPresent",
    "a b, IfNotPresent",
  })
  void imagesThatMayChangeArePulledAlways(String image, String policy) {
    assertThat(ImageName.pullPolicy(image)).isEqualTo(policy);
  }

  @Test
  void aNameThatIsTooLongIsNoName() {
    assertThat(ImageName.pullPolicy("a".repeat(255))).isEqualTo("Always");
    assertThat(ImageName.pullPolicy("a".repeat(256))).isEqualTo("IfNotPresent");
    assertThat(ImageName.pullPolicy("host.example/" + "a".repeat(255))).isEqualTo("Always");
  }
}
