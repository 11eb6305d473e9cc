package dev.berth.cli.machines;

import dev.berth.cli.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What befalls a cluster of three servers on three members of etcd. */
enum EtcdFault {
  A_MEMBER_IS_KILLED {
    @Override
    void happen(Scene on) throws IOException {
      on.hosts().script("kill", on.host(), "etcd");
      on.pass();
      on.hosts().script("start", on.host());
    }
  },
  A_MEMBER_IS_STOPPED {
    @Override
    void happen(Scene on) throws IOException {
      on.hosts().signal(on.host(), MEMBER, "STOP");
      on.pass();
      on.hosts().signal(on.host(), MEMBER, "CONT");
    }
  },
  A_SERVER_IS_KILLED {
    @Override
    void happen(Scene on) throws IOException {
      on.hosts().script("kill", on.host(), "server");
      on.pass();
      on.hosts().script("start", on.host());
    }
  },
  A_SERVER_IS_STOPPED {
    @Override
    void happen(Scene on) throws IOException {
      on.hosts().signal(on.host(), SERVER, "STOP");
      on.pass();
      on.pass();
      on.hosts().signal(on.host(), SERVER, "CONT");
    }
  },
  THE_LEADERS_SERVER_IS_KILLED {
    @Override
    void happen(Scene on) throws IOException {
      String leader = leader(on);
      on.hosts().script("kill", leader, "server");
      on.pass();
      on.hosts().script("start", leader);
    }
  },
  THE_LEADERS_SERVER_IS_STOPPED {
    @Override
    void happen(Scene on) throws IOException {
      String leader = leader(on);
      on.hosts().signal(leader, SERVER, "STOP");
      on.pass();
      on.pass();
      on.hosts().signal(leader, SERVER, "CONT");
    }
  },
  A_MACHINE_CRASHES {
    @Override
    void happen(Scene on) throws IOException {
      on.hosts().script("kill", on.host());
      on.pass();
      on.hosts().script("start", on.host());
    }
  },
  A_MACHINE_IS_CUT_OFF {
    @Override
    void happen(Scene on) throws IOException {
      on.hosts().script("cut", on.host());
      on.pass();
      on.hosts().script("heal", on.host());
    }
  },
  A_MEMBER_LOSES_ITS_PEERS {
    @Override
    void happen(Scene on) throws IOException {
      on.drop("tcp dport 2380 drop; tcp sport 2380 drop");
      on.pass();
      on.dropNothing();
    }
  },
  /** The others hear it, but reach it only by connections that it made. */
  NOBODY_CAN_CALL_A_MEMBER {
    @Override
    void happen(Scene on) throws IOException {
      on.drop(Set.of(Scene.Way.IN), "tcp dport 2380 drop");
      on.pass();
      on.dropNothing();
    }
  },
  /** Both still reach the third. */
  TWO_MACHINES_LOSE_EACH_OTHER {
    @Override
    void happen(Scene on) throws IOException {
      String other = on.hosts().address(on.other());
      on.drop("ip saddr %s drop; ip daddr %s drop".formatted(other, other));
      on.pass();
      on.dropNothing();
    }
  },
  A_SERVER_LOSES_ETCD {
    @Override
    void happen(Scene on) throws IOException {
      on.drop("tcp dport 2379 drop");
      on.pass();
      on.dropNothing();
    }
  },
  THE_QUORUM_IS_LOST {
    @Override
    void happen(Scene on) throws IOException {
      List<String> two = new ArrayList<>(EtcdHosts.NAMES);
      two.remove(on.host());
      for (String host : two) {
        on.hosts().script("kill", host, "etcd");
      }
      on.pass();
      for (String host : two) {
        on.hosts().script("start", host);
      }
    }
  },
  ETCD_IS_COMPACTED_UNDER_A_SLOW_WATCHER {
    @Override
    void happen(Scene on) throws IOException {
      // A server that cannot hear of changes is the slowest of all watchers.
      on.hosts().signal(on.host(), SERVER, "STOP");
      on.pass();
      String other = on.other();
      String status = on.hosts().etcdctl(other, "endpoint", "status", "-w", "json");
      Matcher revision = Pattern.compile("\"revision\":(\\d+)").matcher(status);
      if (!revision.find()) {
        throw new AssertionError(status);
      }
      on.hosts().etcdctl(other, "compact", revision.group(1));
      on.hosts().signal(on.host(), SERVER, "CONT");
    }
  },
  A_DISK_STALLS {
    @Override
    void happen(Scene on) throws IOException {
      on.disk("fsfreeze --freeze .");
      on.pass();
      on.disk("fsfreeze --unfreeze .");
    }
  },
  /** Of 200 ms, nothing is written for 150: longer than between two heartbeats of etcd. */
  A_DISK_IS_SLOW {
    @Override
    void happen(Scene on) throws IOException {
      on.disk(
          "for i in 1 2 3 4 5 6 7 8 9 10; do fsfreeze --freeze .; sleep 0.15; fsfreeze --unfreeze"
              + " .; sleep 0.05; done");
    }
  },
  A_DISK_IS_FULL {
    @Override
    void happen(Scene on) throws IOException {
      on.disk("cat /dev/zero >filler 2>/dev/null; test -s filler");
      on.pass();
      on.disk("rm filler");
      // It may have ended.
      on.hosts().script("start", on.host());
    }
  },
  /** It begins with nothing, and is sent a snapshot of what the others hold. */
  A_MEMBER_IS_REPLACED {
    @Override
    void happen(Scene on) throws IOException {
      String other = on.other();
      String address = on.hosts().address(on.host());
      Matcher id =
          Pattern.compile("([0-9a-f]+), [^\\n]*" + Pattern.quote("https://" + address + ":2380"))
              .matcher(on.hosts().etcdctl(other, "member", "list"));
      if (!id.find()) {
        throw new AssertionError("no member at " + address);
      }
      on.hosts().script("kill", on.host(), "etcd");
      insist(on, other, "member", "remove", id.group(1));
      on.disk("rm -r data");
      insist(
          on, other, "member", "add", on.host(), "--peer-urls=https://%s:2380".formatted(address));
      on.hosts()
          .script(
              List.of("NODES=", "ETCD_OPTIONS=--initial-cluster-state existing"),
              "start",
              on.host());
    }
  };

  private static final String MEMBER = "etcd.pid";
  private static final String SERVER = "data/berth.pid";

  /**
   * Where and for how long.
   *
   * @param host the machine that is concerned
   * @param leader of the controllers, as its lease says
   */
  record Scene(EtcdHosts hosts, String host, String leader, Runnable passing) {
    /** Some time passes. */
    void pass() {
      passing.run();
    }

    /** Another one. */
    String other() {
      return EtcdHosts.NAMES.get((EtcdHosts.NAMES.indexOf(host) + 1) % EtcdHosts.NAMES.size());
    }

    /** A command in the folder of the member's disk. */
    void disk(String command) throws IOException {
      Path folder = hosts.folder().resolve(host).resolve("etcd");
      hosts.script("enter", host, "sh", "-c", "cd '%s'; %s".formatted(folder, command));
    }

    /** Which way packets go. */
    enum Way {
      IN("incoming iifname eth0"),
      OUT("outgoing oifname eth0");

      private final String chain;

      Way(String chain) {
        this.chain = chain;
      }
    }

    void drop(String rules) throws IOException {
      drop(EnumSet.allOf(Way.class), rules);
    }

    void drop(Set<Way> ways, String rules) throws IOException {
      StringBuilder text =
          new StringBuilder(
              "add table inet cut; add chain inet cut incoming { type filter hook input priority 0;"
                  + " }; add chain inet cut outgoing { type filter hook output priority 0; };");
      for (Way way : ways) {
        for (String rule : rules.split("; ", -1)) {
          text.append(" add rule inet cut %s %s;".formatted(way.chain, rule));
        }
      }
      hosts.script("enter", host, "nft", text.toString());
    }

    void dropNothing() throws IOException {
      hosts.script("enter", host, "nft", "delete table inet cut");
    }
  }

  /** Lets it happen, and mends it. */
  abstract void happen(Scene scene) throws IOException;

  /** Members are changed only while all others have been connected for some seconds. */
  private static void insist(Scene scene, String host, String... words) {
    Await.until(
        String.join(" ", words),
        () -> {
          try {
            return !scene.hosts().etcdctl(host, words).isEmpty();
          } catch (AssertionError e) {
            if (String.valueOf(e.getMessage()).contains("unhealthy cluster")) {
              return false;
            }
            throw e;
          }
        });
  }

  private static String leader(Scene scene) {
    return EtcdHosts.NAMES.contains(scene.leader()) ? scene.leader() : scene.host();
  }
}
