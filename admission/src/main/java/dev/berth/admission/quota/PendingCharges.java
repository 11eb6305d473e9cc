package dev.berth.admission.quota;

import dev.berth.model.core.ResourceList;
import dev.berth.model.resource.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

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

    public Charge(ObjectName quota, ResourceList amount) {
      this.quota = quota;
      this.amount = amount;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Charge> pending = new ArrayList<>();

  public void add(Charge charge) {
    locked(() -> pending.add(charge));
  }

  public void remove(Charge charge) {
    locked(() -> pending.remove(charge));
  }

  ResourceList of(ObjectName quota) {
    lock.lock();
    try {
      ResourceList sum = ResourceList.EMPTY;
      for (Charge charge : pending) {
        if (charge.quota.equals(quota)) {
          sum = sum.plus(charge.amount);
        }
      }
      return sum;
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
