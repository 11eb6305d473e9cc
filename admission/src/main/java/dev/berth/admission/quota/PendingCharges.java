package dev.berth.admission.quota;

import dev.berth.model.core.ResourceList;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * What was charged for objects that are about to be written. Who counts what is there would miss
 * them, and must add them, or a quota could be exceeded between the charge and the write. Any
 * thread may ask.
 */
public final class PendingCharges {

  /** One charge, until it is settled; equal to no other, be it of the same amount. */
  public static final class Charge {
    private final ObjectName quota;
    private final ResourceList amount;
    private final Optional<Created> created;

    /**
     * @param created what is charged for, if it is not there yet: once it is, it speaks for itself
     */
    public Charge(ObjectName quota, ResourceList amount, Optional<Created> created) {
      this.quota = quota;
      this.amount = amount;
      this.created = created;
    }

    ResourceList amount() {
      return amount;
    }

    /** Whether what it is for is among what was counted. */
    boolean isIn(Set<Created> counted) {
      return created.filter(counted::contains).isPresent();
    }
  }

  /** An object that is being created. */
  public record Created(GroupResource resource, ObjectName name) {}

  /** Quotas share so many locks; one that waits for another's count waits for milliseconds. */
  private static final int STRIPES = 64;

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Charge> pending = new ArrayList<>();
  private final List<ReentrantReadWriteLock> counts =
      Stream.generate(ReentrantReadWriteLock::new).limit(STRIPES).toList();

  /**
   * Charges a quota, which is not counted meanwhile: a count must know of each charge whether it is
   * in the quota that it read, or it would count one twice, or one that is about to be refused.
   *
   * @param write writes the charge into the quota, or throws
   */
  public void charge(Charge charge, Runnable write) {
    Lock shared = counts(charge.quota).readLock();
    shared.lock();
    try {
      write.run();
      locked(() -> pending.add(charge));
    } finally {
      shared.unlock();
    }
  }

  /** Counts a quota, which nobody charges meanwhile. */
  void count(ObjectName quota, Runnable write) {
    Lock alone = counts(quota).writeLock();
    alone.lock();
    try {
      write.run();
    } finally {
      alone.unlock();
    }
  }

  private ReentrantReadWriteLock counts(ObjectName quota) {
    return counts.get(Math.floorMod(quota.hashCode(), STRIPES));
  }

  public void remove(Charge charge) {
    locked(() -> pending.remove(charge));
  }

  List<Charge> of(ObjectName quota) {
    lock.lock();
    try {
      return pending.stream().filter(charge -> charge.quota.equals(quota)).toList();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }
}
