package dev.berth.registry.status;

/** A request that is refused; the status says why. */
public final class StatusException extends RuntimeException {
  private final transient Status status;

  public StatusException(Status status) {
    super(status.message());
    this.status = status;
  }

  public Status status() {
    return status;
  }
}
