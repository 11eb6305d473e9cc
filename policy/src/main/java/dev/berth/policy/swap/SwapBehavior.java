package dev.berth.policy.swap;

import java.util.Arrays;
import java.util.Optional;

/** What a node lets its pods swap. */
public enum SwapBehavior {
  NO_SWAP("NoSwap"),
  LIMITED_SWAP("LimitedSwap"),
  UNLIMITED_SWAP("UnlimitedSwap");

  private final String text;

  SwapBehavior(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  public static Optional<SwapBehavior> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }
}
