package dev.berth.policy.podsecurity;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.security.PodSecurityView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each version of each level refuses, in upstream's words. */
class PodSecurityStandardsTest {
  private static final String GOOD_CONTEXT =
      "'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL']},'runAsNonRoot':true,'seccompProfile':{'type':'RuntimeDefault'}";

  private static String violations(String level, int minor, JsonObject pod) {
    LevelVersion standard = new LevelVersion(SecurityLevel.parse(level).orElseThrow(), minor);
    return Violation.details(PodSecurityStandards.violations(standard, PodSecurityView.read(pod)));
  }

  /** A pod that restricted allows, but for what is said of it, of its context and its container. */
  private static JsonObject good(String spec, String podContext, String context, String more) {
    JsonObject changed = tree("{%s}".formatted(context));
    JsonObject container = tree("{'name':'c'%s}".formatted(more));
    JsonObject security = tree("{%s}".formatted(GOOD_CONTEXT));
    for (String field : changed.names()) {
      security = security.with(field, Objects.requireNonNull(changed.get(field)));
    }
    JsonObject pod = tree("{%s'securityContext':{%s}}".formatted(spec, podContext));
    container = container.with("securityContext", security);
    return JsonObject.of("spec", pod.with("containers", JsonArray.of(container)));
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  @ParameterizedTest(name = "{0} v1.{1}: {2} {3} {4} {5}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Nothing wrong.
        "baseline|36|||||",
        "restricted|36|||||",
        "restricted|0|||||",
        // Host namespaces, paths and ports.
        "baseline|0|'hostNetwork':true,'hostPID':true,'hostIPC':true,||||host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)",
        "restricted|36|'hostPID':true,||||host namespaces (hostPID=true)",
        "baseline|0|'volumes':[{'name':'a','hostPath':{}}],||||hostPath volumes (volume \"a\")",
        "baseline|36|'volumes':[{'name':'a','hostPath':{}},{'name':'b','hostPath':{}}],||||hostPath volumes (volumes \"a\", \"b\")",
        "baseline|36||||,'ports':[{'hostPort':8080},{'hostPort':90}]|hostPort (container \"c\" uses hostPorts 8080, 90)",
        "baseline|36||||,'ports':[{'containerPort':80,'hostPort':0}]|",
        "baseline|33||||,'livenessProbe':{'httpGet':{'host':'h'}}|",
        "baseline|34||||,'livenessProbe':{'httpGet':{'host':'h'}}|probe or lifecycle host (container \"c\" uses probe or lifecycle host \"h\")",
        "baseline|34||||,'lifecycle':{'preStop':{'tcpSocket':{'host':'g'}},'postStart':{'httpGet':{'host':'h'}}}|probe or lifecycle host (container \"c\" uses probe or lifecycle hosts \"g\", \"h\")",
        // Privileges and capabilities.
        "baseline|0|||,'privileged':true||privileged (container \"c\" must not set securityContext.privileged=true)",
        "restricted|7|||,'allowPrivilegeEscalation':true||",
        "restricted|8|||,'allowPrivilegeEscalation':true||allowPrivilegeEscalation != false (container \"c\" must set securityContext.allowPrivilegeEscalation=false)",
        "baseline|36|||,'capabilities':{'add':['CHOWN','NET_RAW','BPF']}||non-default capabilities (container \"c\" must not include \"BPF\", \"NET_RAW\" in securityContext.capabilities.add)",
        "restricted|21|||,'capabilities':{'add':['NET_RAW']}||non-default capabilities (container \"c\" must not include \"NET_RAW\" in securityContext.capabilities.add)",
        "restricted|22|||,'capabilities':{'add':['CHOWN']}||unrestricted capabilities (container \"c\" must set securityContext.capabilities.drop=[\"ALL\"]; container \"c\" must not include \"CHOWN\" in securityContext.capabilities.add)",
        "restricted|36|||,'capabilities':{'drop':['ALL'],'add':['NET_BIND_SERVICE']}||",
        // Profiles.
        "baseline|36||'appArmorProfile':{'type':'Unconfined'}|||forbidden AppArmor profile (pod must not set AppArmor profile type to \"Unconfined\")",
        "baseline|36||'appArmorProfile':{'type':'Unconfined'}|,'appArmorProfile':{'type':'Other'}||forbidden AppArmor profiles (pod and container \"c\" must not set AppArmor profile type to \"Other\", \"Unconfined\")",
        "baseline|36|||,'appArmorProfile':{'type':'Localhost'}||",
        "baseline|18||'seccompProfile':{'type':'Unconfined'}|||",
        "baseline|19||'seccompProfile':{'type':'Unconfined'}|||seccompProfile (pod must not set securityContext.seccompProfile.type to \"Unconfined\")",
        "restricted|19|||,'seccompProfile':{'type':'Unconfined'}||seccompProfile (container \"c\" must not set securityContext.seccompProfile.type to \"Unconfined\")",
        "baseline|30|||,'seLinuxOptions':{'type':'container_engine_t'}||seLinuxOptions (container \"c\" set forbidden securityContext.seLinuxOptions: type \"container_engine_t\")",
        "baseline|31|||,'seLinuxOptions':{'type':'container_engine_t'}||",
        "baseline|31||'seLinuxOptions':{'user':'u','type':'x'}|,'seLinuxOptions':{'role':'r'}||seLinuxOptions (pod and container \"c\" set forbidden securityContext.seLinuxOptions: type \"x\"; user may not be set; role may not be set)",
        "baseline|36|||,'procMount':'Unmasked'||procMount (container \"c\" must not set securityContext.procMount to \"Unmasked\")",
        "baseline|34|'hostUsers':false,||,'procMount':'Unmasked'||procMount (container \"c\" must not set securityContext.procMount to \"Unmasked\")",
        "baseline|35|'hostUsers':false,||,'procMount':'Unmasked'||",
        "restricted|35|'hostUsers':false,||,'procMount':'Unmasked'||procMount (container \"c\" must not set securityContext.procMount to \"Unmasked\")",
        "restricted|34|||,'procMount':'Unmasked'||procMount (container \"c\" must not set securityContext.procMount to \"Unmasked\")",
        // Sysctls.
        "baseline|0||'sysctls':[{'name':'kernel.shm_rmid_forced'},{'name':'kernel.msgmax'},{'name':'net.ipv4.tcp_rmem'}]|||forbidden sysctls (kernel.msgmax, net.ipv4.tcp_rmem)",
        "baseline|26||'sysctls':[{'name':'net.ipv4.ip_local_reserved_ports'}]|||forbidden sysctls (net.ipv4.ip_local_reserved_ports)",
        "baseline|27||'sysctls':[{'name':'net.ipv4.ip_local_reserved_ports'}]|||",
        "baseline|28||'sysctls':[{'name':'net.ipv4.tcp_keepalive_probes'}]|||forbidden sysctls (net.ipv4.tcp_keepalive_probes)",
        "baseline|29||'sysctls':[{'name':'net.ipv4.tcp_keepalive_probes'}]|||",
        "baseline|31||'sysctls':[{'name':'net.ipv4.tcp_wmem'}]|||forbidden sysctls (net.ipv4.tcp_wmem)",
        "baseline|32||'sysctls':[{'name':'net.ipv4.tcp_wmem'}]|||",
        // Windows.
        "baseline|0||'windowsOptions':{'hostProcess':true}|,'windowsOptions':{'hostProcess':true}||hostProcess (pod and container \"c\" must not set securityContext.windowsOptions.hostProcess=true)",
        // Users.
        "restricted|0|||,'runAsNonRoot':false||runAsNonRoot != true (container \"c\" must not set securityContext.runAsNonRoot=false)",
        "restricted|34|'hostUsers':false,||,'runAsNonRoot':false||runAsNonRoot != true (container \"c\" must not set securityContext.runAsNonRoot=false)",
        "restricted|35|'hostUsers':false,||,'runAsNonRoot':false||",
        "restricted|22||'runAsUser':0|||",
        "restricted|23||'runAsUser':0|,'runAsUser':0||runAsUser=0 (pod and container \"c\" must not set runAsUser=0)",
        "restricted|35|'hostUsers':false,|'runAsUser':0|||",
        // Volumes.
        "restricted|0|'volumes':[{'name':'a','hostPath':{}},{'name':'b','nfs':{}},{'name':'e','emptyDir':{}},{'name':'u'}],||||restricted volume types (volumes \"a\", \"b\", \"u\" use restricted volume types \"hostPath\", \"nfs\", \"unknown\")",
        "restricted|36|'volumes':[{'name':'a','configMap':{}},{'name':'b','csi':{}},{'name':'c','downwardAPI':{}},{'name':'d','ephemeral':{}},{'name':'e','image':{}},{'name':'f','persistentVolumeClaim':{}},{'name':'g','projected':{}},{'name':'h','secret':{}}],||||",
      })
  void eachLevelAndVersionRefusesItsOwn(
      String level,
      int minor,
      String spec,
      String podContext,
      String context,
      String more,
      String expected) {
    JsonObject pod =
        good(text(spec), text(podContext), text(context).replaceFirst("^,", ""), text(more));
    assertThat(violations(level, minor, pod)).isEqualTo(text(expected));
  }

  @Test
  void whoSaysNothingIsNotRestricted() {
    JsonObject plain =
        tree(
            "{'metadata':{},'spec':{'initContainers':[{'name':'i'}],'containers':[{'name':'c'}],'ephemeralContainers':[{'name':'e'}]}}");
    assertThat(violations("baseline", LevelVersion.LATEST, plain)).isEmpty();
    assertThat(violations("restricted", LevelVersion.LATEST, plain))
        .isEqualTo(
            "allowPrivilegeEscalation != false (containers \"i\", \"c\", \"e\" must set securityContext.allowPrivilegeEscalation=false), "
                + "unrestricted capabilities (containers \"i\", \"c\", \"e\" must set securityContext.capabilities.drop=[\"ALL\"]), "
                + "runAsNonRoot != true (pod or containers \"i\", \"c\", \"e\" must set securityContext.runAsNonRoot=true), "
                + "seccompProfile (pod or containers \"i\", \"c\", \"e\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")");
    assertThat(violations("privileged", LevelVersion.LATEST, plain)).isEmpty();
  }

  @Test
  void thePodSpeaksForItsContainers() {
    JsonObject pod =
        tree(
            "{'metadata':{},'spec':{'securityContext':{'runAsNonRoot':true,'seccompProfile':{'type':'Localhost'}},"
                + "'containers':[{'name':'c','securityContext':{'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL']}}}]}}");
    assertThat(violations("restricted", LevelVersion.LATEST, pod)).isEmpty();
  }

  @Test
  void windowsHasNoneOfIt() {
    JsonObject pod =
        tree(
            "{'metadata':{},'spec':{'os':{'name':'windows'},'securityContext':{'runAsNonRoot':true},'containers':[{'name':'c'}]}}");
    assertThat(violations("restricted", 24, pod)).contains("allowPrivilegeEscalation");
    assertThat(violations("restricted", 25, pod)).isEmpty();
  }

  @Test
  void annotationsOfOlderVersionsCountToo() {
    JsonObject pod =
        tree(
            "{'metadata':{'annotations':{'container.apparmor.security.beta.kubernetes.io/c':'unconfined',"
                + "'seccomp.security.alpha.kubernetes.io/pod':'unconfined',"
                + "'container.seccomp.security.alpha.kubernetes.io/c':'docker/default'}},"
                + "'spec':{'containers':[{'name':'c'}]}}");
    String appArmor =
        "forbidden AppArmor profile (annotation must not set AppArmor profile type to"
            + " \"container.apparmor.security.beta.kubernetes.io/c=\"unconfined\"\")";
    assertThat(violations("baseline", 18, pod))
        .isEqualTo(
            appArmor
                + ", seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod=\"unconfined\")");
    assertThat(violations("baseline", 19, pod)).isEqualTo(appArmor);
  }
}
