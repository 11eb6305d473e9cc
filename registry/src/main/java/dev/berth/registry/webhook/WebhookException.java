package dev.berth.registry.webhook;

/** A webhook did not answer; the message says why, in Kubernetes' words. */
public final class WebhookException extends Exception {
  private static final long serialVersionUID = 1;

  private final int code;

  public WebhookException(String message) {
    this(message, 0);
  }

  /**
   * @param code the HTTP status of its answer; 0 if there was none
   */
  public WebhookException(String message, int code) {
    super(message);
    this.code = code;
  }

  public int code() {
    return code;
  }
}
