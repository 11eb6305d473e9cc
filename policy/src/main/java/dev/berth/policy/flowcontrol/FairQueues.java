package dev.berth.policy.flowcontrol;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which requests of one priority level run now, and which wait. Fair queuing for server requests,
 * as Kubernetes describes it:
 *
 * <ol>
 *   <li>A request takes seats from when it begins until it ends, and, if others work because of it,
 *       a while longer. It begins when its seats are free and it is its turn. One that needs more
 *       seats than there are begins when nothing else runs.
 *   <li>A flow has a hand of queues ({@link ShuffleSharding}); its request goes to that one of them
 *       with the least work waiting. If that is full and no seat is free, the request is refused.
 *   <li>Every queue that has requests is entitled to the same part of the seats. {@link #progress}
 *       is how many seat-seconds each got since the level was last idle. A queue's next request
 *       begins, in that account, when its previous ones have had their work done; of all queues,
 *       the one goes next whose request would end first.
 *   <li>How long a request will take is guessed ({@link #GUESS}) when it begins, and put right in
 *       the queue's account when it has ended. A queue cannot save up what it did not use: its next
 *       request never begins before it came.
 *   <li>A request that waits until its limit is refused.
 * </ol>
 *
 * <p>Pure: whoever calls says what time it is, times must not go back, and one thread calls at a
 * time. What is decided about requests that waited is told to the listener.
 *
 * @param <R> the requests
 */
public final class FairQueues<R extends FairRequest> {
  /** How long requests are expected to run. */
  static final Duration GUESS = Duration.ofMillis(3);

  private static final double NANOS_PER_SECOND = 1e9;

  /** What becomes of a request that has just come. */
  public enum Arrival {
    RUNS,
    WAITS,
    /** Refused: the level has no queues, and no seats. */
    CONCURRENCY_LIMIT,
    /** Refused: its queue is full. */
    QUEUE_FULL
  }

  /** A queue; there is one only as long as it has requests. */
  static final class Queue<R extends FairRequest> {
    final int index;
    final ArrayDeque<R> waiting = new ArrayDeque<>(1);
    double waitingWork;
    int running;

    /** Where the account of this queue stands: when its next request begins. */
    double next;

    Queue(int index, double now) {
      this.index = index;
      this.next = now;
    }
  }

  private record Lingering(Instant until, int seats) {}

  private final BiConsumer<R, Boolean> decided;
  private final Map<Integer, Queue<R>> queues = new HashMap<>();

  /** Those with somebody who waits; in order, so that equal histories end equally. */
  private final Set<Queue<R>> waitingQueues = new LinkedHashSet<>();

  private final TreeSet<R> waiting =
      new TreeSet<>(
          Comparator.<R, Instant>comparing(r -> r.waitsUntil).thenComparingLong(r -> r.order));
  private final Set<R> running = new LinkedHashSet<>();
  private final PriorityQueue<Lingering> lingering =
      new PriorityQueue<>(Comparator.comparing(Lingering::until));
  private final SeatDemand demand = new SeatDemand();

  private Queuing queuing;
  private int limit;
  private Instant now;
  private double progress;
  private int seatsInUse;
  private int seatsWaiting;
  private int lastQueue = -1;
  private long arrivals;
  private long dispatched;
  private long rejected;
  private long timedOut;

  /**
   * @param limit how many seats there are
   * @param decided is told whether a request that waited runs now, or else is refused
   */
  public FairQueues(Queuing queuing, int limit, Instant now, BiConsumer<R, Boolean> decided) {
    this.queuing = queuing;
    this.limit = limit;
    this.now = now;
    this.decided = decided;
  }

  /** A request comes. If it runs, {@link #finish} must follow. */
  public Arrival arrive(R request, Instant at) {
    advance(at);
    Arrival arrival =
        switch (queuing) {
          case Queuing.Exempt _ -> begin(request, null);
          case Queuing.Reject _ ->
              fits(request.seats()) ? begin(request, null) : Arrival.CONCURRENCY_LIMIT;
          case Queuing.Queues some -> arriveAt(choose(some, request.flowHash), some, request);
        };
    if (arrival == Arrival.CONCURRENCY_LIMIT || arrival == Arrival.QUEUE_FULL) {
      rejected++;
    }
    return arrival;
  }

  private Arrival arriveAt(int index, Queuing.Queues config, R request) {
    Queue<R> queue = queues.get(index);
    if (waiting.isEmpty() && seatsInUse < limit && fits(request.seats())) {
      request.arrival = progress;
      return begin(request, queue == null ? open(index) : queue);
    }
    int length = queue == null ? 0 : queue.waiting.size();
    if (seatsInUse >= limit && length >= config.lengthLimit()) {
      return Arrival.QUEUE_FULL;
    }
    enqueue(request, queue == null ? open(index) : queue);
    dispatch();
    return request.state == FairRequest.State.RUNNING ? Arrival.RUNS : Arrival.WAITS;
  }

  private Queue<R> open(int index) {
    Queue<R> queue = new Queue<>(index, progress);
    queues.put(index, queue);
    return queue;
  }

  /** Of a flow's hand, the queue with the least work waiting; ties go round. */
  private int choose(Queuing.Queues config, long flowHash) {
    int[] hand = config.hands().deal(flowHash);
    int offset = (int) (arrivals++ % hand.length);
    int best = -1;
    double least = Double.MAX_VALUE;
    for (int i = 0; i < hand.length; i++) {
      int index = hand[(offset + i) % hand.length];
      Queue<R> queue = queues.get(index);
      double work = queue == null ? 0 : queue.waitingWork;
      if (work < least) {
        least = work;
        best = index;
      }
    }
    return best;
  }

  private void enqueue(R request, Queue<R> queue) {
    request.state = FairRequest.State.WAITING;
    request.queue = queue;
    request.arrival = progress;
    request.order = arrivals;
    queue.waiting.add(request);
    queue.waitingWork += seatSeconds(request.work);
    waitingQueues.add(queue);
    waiting.add(request);
    seatsWaiting += request.seats();
    demand.changed(seatsInUse + seatsWaiting);
    bound(queue);
  }

  private void dispatch() {
    while (!waiting.isEmpty() && seatsInUse < limit) {
      Queue<R> queue = nextQueue();
      R request = queue.waiting.element();
      if (!fits(request.seats())) {
        // Nobody overtakes it, or a wide request would wait for ever.
        return;
      }
      leave(request, queue);
      lastQueue = queue.index;
      begin(request, queue);
      bound(queue);
      decided.accept(request, true);
    }
  }

  /** The queue whose first request would end first; of equals, the next after the last one. */
  private Queue<R> nextQueue() {
    Queue<R> best = null;
    double least = Double.MAX_VALUE;
    for (Queue<R> queue : waitingQueues) {
      double end = queue.next + seatSeconds(queue.waiting.element().work);
      if (best == null || end < least || (end == least && turn(queue) < turn(best))) {
        least = end;
        best = queue;
      }
    }
    if (best == null) {
      throw new IllegalStateException("somebody waits, but in no queue");
    }
    return best;
  }

  private int turn(Queue<R> queue) {
    return queue.index > lastQueue ? queue.index - lastQueue : queue.index + Integer.MAX_VALUE / 2;
  }

  private void leave(R request, Queue<R> queue) {
    queue.waiting.remove(request);
    queue.waitingWork = queue.waiting.isEmpty() ? 0 : queue.waitingWork - seatSeconds(request.work);
    if (queue.waiting.isEmpty()) {
      waitingQueues.remove(queue);
    }
    waiting.remove(request);
    seatsWaiting -= request.seats();
  }

  private Arrival begin(R request, @Nullable Queue<R> queue) {
    request.state = FairRequest.State.RUNNING;
    request.began = now;
    request.queue = queue;
    if (queue != null) {
      request.work = request.work.narrowedTo(limit);
      queue.running++;
      queue.next += seatSeconds(request.work);
    }
    running.add(request);
    seatsInUse += request.seats();
    demand.changed(seatsInUse + seatsWaiting);
    dispatched++;
    return Arrival.RUNS;
  }

  private boolean fits(int seats) {
    if (queuing instanceof Queuing.Exempt) {
      return true;
    }
    return seats > limit ? running.isEmpty() : seatsInUse + seats <= limit;
  }

  /** A request that ran has ended; its seats go to those who wait. */
  public void finish(R request, Instant at) {
    advance(at);
    if (request.state == FairRequest.State.RUNNING) {
      Duration linger = request.work.additionalLatency();
      end(request, linger);
      dispatch();
    }
  }

  /**
   * A request does not wait any longer, because its client does not; no effect on one that runs.
   */
  public void abandon(R request, Instant at) {
    advance(at);
    if (request.state == FairRequest.State.WAITING) {
      refuse(request);
      dispatch();
    }
  }

  @SuppressWarnings("unchecked") // a request is only ever in a queue of its own level
  private void end(R request, Duration linger) {
    request.state = FairRequest.State.DONE;
    running.remove(request);
    Queue<R> queue = (Queue<R>) request.queue;
    if (queue != null) {
      queue.running--;
      double guessed = GUESS.toNanos() / NANOS_PER_SECOND;
      double took = Duration.between(request.began, now).toNanos() / NANOS_PER_SECOND;
      queue.next -= request.work.initialSeats() * (guessed - took);
      bound(queue);
      closeIfEmpty(queue);
    }
    if (linger.isPositive()) {
      lingering.add(new Lingering(now.plus(linger), request.seats()));
    } else {
      seatsInUse -= request.seats();
    }
  }

  private void closeIfEmpty(Queue<R> queue) {
    if (queue.running == 0 && queue.waiting.isEmpty()) {
      queues.remove(queue.index, queue);
    }
  }

  private void bound(Queue<R> queue) {
    R first = queue.waiting.peek();
    if (first != null && queue.next < first.arrival) {
      queue.next = first.arrival;
    }
  }

  @SuppressWarnings("unchecked") // as above
  private void refuse(R request) {
    Queue<R> queue = (Queue<R>) request.queue;
    request.state = FairRequest.State.DONE;
    if (queue != null) {
      leave(request, queue);
      bound(queue);
      closeIfEmpty(queue);
    }
    rejected++;
    timedOut++;
    decided.accept(request, false);
  }

  /**
   * Lets time go by: seats become free and requests have waited for too long, each at its time.
   * Every other method does this first.
   */
  public void advance(Instant at) {
    while (true) {
      Lingering free = lingering.peek();
      R late = waiting.isEmpty() ? null : waiting.first();
      boolean frees = free != null && !free.until.isAfter(at);
      Instant lateSince = late == null ? Instant.MAX : late.waitsUntil;
      boolean refuses = late != null && !lateSince.isAfter(at);
      if (free != null && frees && (!refuses || !free.until.isAfter(lateSince))) {
        pass(free.until);
        lingering.remove();
        seatsInUse -= free.seats;
      } else if (late != null && refuses) {
        pass(lateSince);
        refuse(late);
      } else {
        break;
      }
      dispatch();
    }
    pass(at);
    if (running.isEmpty() && waiting.isEmpty()) {
      // Nobody's account is open, so none is counted from here on.
      progress = 0;
    }
  }

  private void pass(Instant at) {
    Duration elapsed = Duration.between(now, at);
    if (!elapsed.isPositive()) {
      return;
    }
    now = at;
    demand.passed(elapsed, seatsInUse + seatsWaiting);
    if (!queues.isEmpty()) {
      double rate = (double) Math.min(seatsInUse + seatsWaiting, limit) / queues.size();
      progress += rate * elapsed.toNanos() / NANOS_PER_SECOND;
    }
  }

  /** When {@link #advance} should next be called, if nothing else happens before. */
  public Optional<Instant> nextEvent() {
    if (waiting.isEmpty()) {
      return Optional.empty();
    }
    Instant late = waiting.first().waitsUntil;
    Lingering free = lingering.peek();
    return Optional.of(free != null && free.until.isBefore(late) ? free.until : late);
  }

  /** Changes how requests wait, and how many seats there are. Those who wait go on waiting. */
  public void configure(Queuing newQueuing, int newLimit, Instant at) {
    advance(at);
    queuing = newQueuing;
    limit = newLimit;
    dispatch();
  }

  /**
   * Takes back the seats of requests that have run for too long. They go on, but a client that
   * reads its answer bit by bit must not keep seats from others for ever.
   */
  public void reclaim(Duration longest, Instant at) {
    advance(at);
    Iterator<R> oldest = running.iterator();
    while (oldest.hasNext()) {
      R request = oldest.next();
      if (request.began.plus(longest).isAfter(now)) {
        break;
      }
      end(request, Duration.ZERO);
      oldest = running.iterator();
    }
    dispatch();
  }

  /** Ends a period over which demand is measured. */
  public DemandPeriod endPeriod(Instant at) {
    advance(at);
    return demand.endPeriod(seatsInUse + seatsWaiting);
  }

  private static double seatSeconds(Work work) {
    return (work.initialSeats() * (double) GUESS.toNanos()
            + work.finalSeats() * (double) work.additionalLatency().toNanos())
        / NANOS_PER_SECOND;
  }

  public boolean isIdle() {
    return running.isEmpty() && waiting.isEmpty();
  }

  /** How things are, for those who look. */
  public Figures figures() {
    return new Figures(
        waitingQueues.size(),
        waiting.size(),
        running.size(),
        seatsInUse,
        seatsWaiting,
        dispatched,
        rejected,
        timedOut);
  }

  /**
   * How many requests wait, run, and were decided about so far.
   *
   * @param activeQueues queues in which somebody waits
   */
  public record Figures(
      int activeQueues,
      int waiting,
      int running,
      int seatsInUse,
      int seatsWaiting,
      long dispatched,
      long rejected,
      long timedOut) {}
}
