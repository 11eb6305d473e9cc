package dev.berth.policy.cidr;

import static dev.berth.policy.cidr.CidrTest.cidr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** The set of bits against a list that is searched from end to end. */
class CidrSetPropertyTest {
  private static final List<NodeRange> RANGES =
      List.of(
          new NodeRange(cidr("10.32.0.0/20"), 24),
          new NodeRange(cidr("10.0.0.0/28"), 28),
          new NodeRange(cidr("192.168.0.0/26"), 32),
          new NodeRange(cidr("fd00:10::/58"), 64),
          new NodeRange(cidr("fd00:10::/61"), 66),
          new NodeRange(cidr("fd00:10::8000:0/124"), 128));

  @SeededTest(fixed = 200, fresh = 100)
  void givesOutNothingThatIsTakenAndEverythingThatIsNot(long seed) {
    Random random = new Random(seed);
    NodeRange range = RANGES.get(random.nextInt(RANGES.size()));
    CidrSet set = new CidrSet(range);
    List<Cidr> held = new ArrayList<>();
    for (int step = 0; step < 300; step++) {
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          Optional<Cidr> given = set.take();
          assertThat(given.isPresent()).as("seed %d", seed).isEqualTo(isAnyFree(range, held));
          given.ifPresent(cidr -> {
            assertThat(held).as("seed %d", seed).noneMatch(cidr::overlaps);
            assertThat(cidr.overlaps(range.cluster())).isTrue();
            assertThat(cidr.length()).isEqualTo(range.nodeLength());
            held.add(cidr);
          });
        }
        case 2 -> {
          Cidr some = some(range, random);
          assertThat(set.take(some))
              .as("seed %d: %s", seed, some)
              .isEqualTo(found(range, held, some));
          held.add(some);
        }
        default -> {
          if (!held.isEmpty()) {
            set.release(held.remove(random.nextInt(held.size())));
          }
        }
      }
      assertThat(set.used()).as("seed %d", seed).isEqualTo(blocks(range, held).size());
    }
  }

  /** As long as a node's, or longer or shorter; within the cluster's range as a rule. */
  private static Cidr some(NodeRange range, Random random) {
    if (random.nextInt(8) == 0) {
      return cidr(random.nextBoolean() ? "172.16.0.0/24" : "fc00::/64");
    }
    int bits = range.cluster().family().bits();
    int length = Math.clamp(range.nodeLength() + random.nextInt(-4, 3), 0, bits);
    Cidr block = range.cluster().within(random.nextInt(range.size()), range.nodeLength());
    return new Cidr(block.family(), block.high(), block.low(), length);
  }

  private static Set<Integer> blocks(NodeRange range, List<Cidr> held) {
    Set<Integer> blocks = new HashSet<>();
    for (int i = 0; i < range.size(); i++) {
      Cidr block = range.cluster().within(i, range.nodeLength());
      if (held.stream().anyMatch(block::overlaps)) {
        blocks.add(i);
      }
    }
    return blocks;
  }

  private static boolean isAnyFree(NodeRange range, List<Cidr> held) {
    return blocks(range, held).size() < range.size();
  }

  private static CidrSet.Found found(NodeRange range, List<Cidr> held, Cidr cidr) {
    if (!range.cluster().overlaps(cidr)) {
      return CidrSet.Found.OUTSIDE;
    }
    Set<Integer> taken = blocks(range, held);
    taken.retainAll(blocks(range, List.of(cidr)));
    return taken.isEmpty() ? CidrSet.Found.FREE : CidrSet.Found.TAKEN;
  }
}
