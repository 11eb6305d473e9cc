package dev.berth.cli.node;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code berth node status} in words. */
class NodeStatusTextTest {
  @Test
  void everythingThatIsKnownIsSaid() {
    assertThat(
            NodeStatusText.of(
                tree(
                    """
                    {'node':'n1','directory':'/var/lib/berth','process':12,'port':10250,
                     'ready':{'status':'False','reason':'KubeletNotReady','message':'node is shutting down'},
                     'runtime':{'name':'process','version':'0.1.0','runningPods':2,'images':1,'problem':'no network'},
                     'cgroups':{'version':2,'driver':'cgroupfs','controllers':['cpu','memory'],'root':'/berth-1'},
                     'reservations':{'capacity':{'cpu':'4'},'allocatable':{'cpu':'3'},
                       'systemReserved':{'cpu':'1'},'kubeReserved':{},'evictionHard':{'memory.available':'100Mi'},
                       'cpus':'0','memory':[{'numaNode':0,'limits':{'memory':'1Gi'}}]},
                     'managers':{'topology':{'policy':'restricted','scope':'pod','options':['prefer-closest-numa-nodes']},
                       'cpu':{'policy':'static','options':['full-pcpus-only'],'sharedCpus':'0-1','assignments':[
                        {'pod':'default/web','container':'c','given':'2-3'}]},
                       'memory':{'policy':'Static','assignments':[{'pod':'default/web','container':'c',
                        'given':[{'numaAffinity':[0],'type':'memory','size':1024}]}]},
                       'device':{'resources':['example.com/fpga'],'assignments':[{'pod':'default/web',
                        'container':'c','resource':'example.com/fpga','given':['f0','f1']}]}},
                     'shutdown':{'periods':[{'priority':0,'shutdownGracePeriodSeconds':20},
                        {'priority':2000000000,'shutdownGracePeriodSeconds':10}],'holdsLock':true,
                        'shuttingDown':true,'logindWaitsSeconds':30,'lastStart':'2030-01-01T00:00:00Z',
                        'locks':[{'what':'shutdown','who':'berth','why':'pods','mode':'delay','pid':12}]}}
                    """)))
        .isEqualTo(
            """
            Node:           n1, NotReady: node is shutting down (KubeletNotReady)
            Agent:          process 12, port 10250, in /var/lib/berth
            Runtime:        process 0.1.0, running pods: 2, images: 1
                            no network
            Cgroups:        version 2, driver cgroupfs, with cpu, memory; pods are in /berth-1
            Reservations:
              RESOURCE                   CAPACITY     SYSTEM       KUBE    ALLOCATABLE
              cpu                               4          1          -              3
            Reserved:       processors 0
            Reserved:       memory 1Gi on NUMA node 0
            Evicts pods at: memory.available<100Mi
            Topology:       policy restricted, scope pod (prefer-closest-numa-nodes)
            CPU manager:    static (full-pcpus-only); shared by all others: 0-1
              default/web c: 2-3
            Memory manager: Static
              default/web c: 1024 bytes of memory on NUMA node [0]
            Devices:        example.com/fpga
              default/web c: example.com/fpga f0, f1
            Shutdown:       20s for pods of priority 0 and above, then 10s for pods of priority 2000000000 and above
                            holds a lock; logind waits for 30s
                            the node is shutting down
                            the last one began at 2030-01-01T00:00:00Z and has not ended
              lock of berth (process 12, delay): pods\
            """);
  }

  @Test
  void aRuntimeThatSpeaksCriShowsItsConditionsAndWhatItCanDo() {
    assertThat(
            NodeStatusText.of(
                tree(
                    """
                    {'runtime':{'name':'containerd','version':'2.1.0','runningPods':0,'images':3,
                      'endpoint':'unix:///run/c.sock','conditions':[
                        {'type':'RuntimeReady','status':'True','reason':'','message':''},
                        {'type':'NetworkReady','status':'False','reason':'NoPlugin','message':'cni is missing'}],
                      'handlers':[{'name':'','features':{'recursiveReadOnlyMounts':true,'userNamespaces':false}},
                        {'name':'kata','features':{}}],
                      'features':{'supplementalGroupsPolicy':true}}}
                    """)))
        .contains(
            """
            Runtime:        containerd 2.1.0, running pods: 0, images: 3
                            at unix:///run/c.sock
                            RuntimeReady=True
                            NetworkReady=False: cni is missing (NoPlugin)
                            handlers: the default one (recursiveReadOnlyMounts), kata
                            features: supplementalGroupsPolicy
            """);
  }

  @Test
  void aRuntimeThatDoesNotAnswerIsSaidToBeSilent() {
    assertThat(
            NodeStatusText.of(
                tree(
                    """
                    {'runtime':{'name':'cri','version':'Unknown','endpoint':'unix:///run/c.sock','conditions':[]}}
                    """)))
        .contains("at unix:///run/c.sock\n                does not answer\n");
  }
}
